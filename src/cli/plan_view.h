// A plan for people (80 columns) and for programs (JSON, docs/output.md).
#pragma once

#include <string>

#include "cli/input.h"
#include "sim/cluster.h"
#include "sim/plan/plan.h"
#include "text/color.h"

namespace berth::cli {

struct PlanViewOptions {
  bool wide = false;  // every pod on a line of its own, with cards and score
  text::ColorMode color = text::ColorMode::kNever;
  std::string program = "berth";  // how it was called
};

[[nodiscard]] std::string plan_text(const sim::Plan& plan, const Input& input, const sim::Cluster& cluster,
                                    const PlanViewOptions& options);
// The kind "Plan" of berth/v1, with a final newline.
[[nodiscard]] std::string plan_json(const sim::Plan& plan, const Input& input, const sim::Cluster& cluster);

// The objects that the plan would write: claims with their allocation and users, pods with their node, as documents
// that can be read again; evictions as comments. Writes the claims in the cluster, too.
[[nodiscard]] std::string plan_yaml(const sim::Plan& plan, sim::Cluster& cluster);

}  // namespace berth::cli
