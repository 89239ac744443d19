// The openb traces (Alibaba cluster-trace-gpu-v2023): lists of nodes and pods as CSV.
//
//   nodes: sn,cpu_milli,memory_mib,gpu,model
//   pods:
//   name,cpu_milli,memory_mib,num_gpu,gpu_milli[,gpu_spec,qos,pod_phase,creation_time,deletion_time,scheduled_time]
// Columns are found by name; those in brackets may be missing. Errors name file, line and column.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace berth::sim::openb {

struct TraceNode {
  std::string name;
  std::int64_t cpu_milli = 0;
  std::int64_t memory_mib = 0;
  std::int32_t gpus = 0;
  std::string model;  // empty on a node without GPUs
};

struct TracePod {
  std::string name;
  std::int64_t cpu_milli = 0;
  std::int64_t memory_mib = 0;
  std::int32_t gpus = 0;
  std::int32_t gpu_milli = 0;       // per GPU; below 1000 only where gpus is 1
  std::vector<std::string> models;  // acceptable, sorted, each once; empty: any
  std::optional<std::int64_t> created;
  std::optional<std::int64_t> deleted;

  [[nodiscard]] std::int64_t total_milli() const { return static_cast<std::int64_t>(gpus) * gpu_milli; }
};

// text is the file's content, file its name for messages.
Result<std::vector<TraceNode>> parse_nodes(std::string_view text, const std::string& file);
Result<std::vector<TracePod>> parse_pods(std::string_view text, const std::string& file);

Result<std::vector<TraceNode>> read_nodes(const std::string& path);
Result<std::vector<TracePod>> read_pods(const std::string& path);

}  // namespace berth::sim::openb
