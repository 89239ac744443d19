// The Philly trace, reduced (Microsoft, ATC 2019): jobs of virtual clusters and how many nodes each of these has.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace berth::sim::philly {

struct TraceJob {
  std::int64_t submitted = 0;  // seconds since 1970, of the trace's own clock
  std::int64_t runs_for = 0;   // seconds, at least 1
  std::int32_t gpus = 0;
  std::string cluster;
};
struct TraceCluster {
  std::string name;
  std::int32_t nodes = 0;
};

// Columns timestamp ("2017-10-09 07:01:55"), duration (seconds), num_gpus, cluster.
[[nodiscard]] Result<std::vector<TraceJob>> parse_jobs(std::string_view text, const std::string& file);
// Columns vc, "node num".
[[nodiscard]] Result<std::vector<TraceCluster>> parse_clusters(std::string_view text, const std::string& file);
[[nodiscard]] Result<std::vector<TraceJob>> read_jobs(const std::string& path);
[[nodiscard]] Result<std::vector<TraceCluster>> read_clusters(const std::string& path);

}  // namespace berth::sim::philly
