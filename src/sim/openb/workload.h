// From a trace to a stream of arrivals: the Monte-Carlo inflation of the FGD study, and its target workload.
// Source: Weng et al., USENIX ATC 2023, and the published artifact.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/random.h"
#include "engine/names.h"
#include "engine/score/fragmentation.h"
#include "sim/openb/trace.h"

namespace berth::sim::openb {

// The GPUs of the cluster in milli-GPU.
[[nodiscard]] std::int64_t capacity_milli(const std::vector<TraceNode>& nodes);

// Positions in `pods`, in order of arrival: the list shuffled, then pods drawn uniformly with replacement until the
// next one would pass `limit_milli` of GPU. A list that asks for more than that is first cut by removing random pods.
// A list without any GPU pod is not inflated.
[[nodiscard]] std::vector<std::uint32_t> inflate(const std::vector<TracePod>& pods, std::int64_t limit_milli,
                                                 Random& random);

// How many percent of the pods a target workload covers. The study's fragmentation is measured with the most frequent
// 95, which leaves out all pods of eight GPUs in most workloads and a tenth of the GPU that is asked for. Berth's
// policy has to expect such pods to keep nodes for them.
inline constexpr std::int64_t kStudyCoverage = 95;
inline constexpr std::int64_t kBerthCoverage = 99;

// The shapes (cpu, GPU, models) by falling frequency, equal ones by what they ask and then as they came, until so many
// percent of the pods are covered. A pod without a CPU request counts with 100 milli, as Kubernetes' scores do.
[[nodiscard]] engine::TargetWorkload target_workload(const std::vector<TracePod>& pods, std::int64_t coverage,
                                                     engine::Names& names);
// The same of the pods at these positions.
[[nodiscard]] engine::TargetWorkload target_workload(const std::vector<TracePod>& pods,
                                                     std::span<const std::uint32_t> positions, std::int64_t coverage,
                                                     engine::Names& names);

}  // namespace berth::sim::openb
