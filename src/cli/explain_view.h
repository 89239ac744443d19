// An explanation for people (80 columns) and for programs (JSON, docs/output.md).
#pragma once

#include <string>

#include "cli/input.h"
#include "sim/cluster.h"
#include "sim/plan/explanation.h"
#include "text/color.h"

namespace berth::cli {

// Both end with what was left aside of the input and which conclusions are weaker for what it lacks.
[[nodiscard]] std::string explanation_text(const sim::Explanation& explanation, const Input& input,
                                           sim::Cluster& cluster, text::ColorMode color);
// The kind "Explanation" of berth/v1, with a final newline.
[[nodiscard]] std::string explanation_json(const sim::Explanation& explanation, const Input& input,
                                           sim::Cluster& cluster);

}  // namespace berth::cli
