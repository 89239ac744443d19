// The results of a study as a table for people, as CSV, as JSON and as a chart.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/openb/study.h"
#include "text/table.h"

namespace berth::sim::openb {

// Mean and population standard deviation over the seeds of one workload and policy.
struct Summary {
  std::string workload;
  Policy policy = Policy::kRandom;
  std::size_t seeds = 0;
  struct Value {
    double mean = 0;
    double deviation = 0;
  };
  std::optional<Value> allocated_at_100;
  std::optional<Value> allocated_at_130;
  std::optional<Value> fragmented_at_100;
  double failed_pods = 0;  // mean
};

// In the order of the runs, which keep workload and policy together.
[[nodiscard]] std::vector<Summary> summarize(std::span<const Run> runs);

// With a column for the upper bound where a workload has one.
[[nodiscard]] std::string render_table(const Study& study, std::span<const Run> runs, const text::TableStyle& style);
// Header: workload,policy,seed,arrived,allocated,fragmented; a row per run and percent arrived.
[[nodiscard]] std::string render_csv(std::span<const Run> runs);
// {"apiVersion": "berth/v1", "kind": "OpenbStudy", "summaries": [...], "runs": [...]}
[[nodiscard]] std::string render_json(const Study& study, std::span<const Run> runs);
// Allocated against arrived, a line per policy, mean over the seeds, of the first workload of the runs.
[[nodiscard]] std::string render_chart(std::span<const Run> runs, std::string_view workload);

}  // namespace berth::sim::openb
