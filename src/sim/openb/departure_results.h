// The results of the study with departures as a table for people and as JSON.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/openb/departures.h"
#include "text/table.h"

namespace berth::sim::openb {

// Mean and population standard deviation over the seeds of one workload and policy.
struct DepartureSummary {
  struct Value {
    double mean = 0;
    double deviation = 0;
  };
  std::string workload;
  Policy policy = Policy::kRandom;
  std::size_t seeds = 0;
  double gpus = 0;
  Value mean_wait;
  Value late_wait;
  Value waited;  // percent of the pods with GPUs
  Value allocated;
  Value fragmented;
  Value free_while_waiting;
  Value waiting_time;
};

// In the order of the runs, which keep workload and policy together.
[[nodiscard]] std::vector<DepartureSummary> summarize(std::span<const DepartureRun> runs);

[[nodiscard]] std::string render_table(std::span<const DepartureRun> runs, const text::TableStyle& style);
// {"apiVersion": "berth/v1", "kind": "OpenbDepartures", "summaries": [...], "runs": [...]}
[[nodiscard]] std::string render_json(const Study& study, const DepartureOptions& options,
                                      std::span<const DepartureRun> runs);

}  // namespace berth::sim::openb
