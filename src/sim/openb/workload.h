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

// The shapes (cpu, GPU, models) by falling frequency until 95 % of the pods are covered. A pod without a CPU request
// counts with 100 milli, as Kubernetes' scores do.
[[nodiscard]] engine::TargetWorkload target_workload(const std::vector<TracePod>& pods, engine::Names& names);
// The same of the pods at these positions.
[[nodiscard]] engine::TargetWorkload target_workload(const std::vector<TracePod>& pods,
                                                     std::span<const std::uint32_t> positions, engine::Names& names);

}  // namespace berth::sim::openb
