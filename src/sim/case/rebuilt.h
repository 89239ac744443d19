// Rebuilt: an engine made anew from the objects of a cluster has to agree with the one that followed their changes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "api/scheduler_config.h"
#include "sim/cluster.h"

namespace berth::sim {

// What the new engine would decide although the old one has nothing left to decide; nothing if they agree. Which card a
// pod holds is in no object, so the new engine is told what the old one knows. O(objects) and a step.
[[nodiscard]] std::optional<std::string> rebuilt_disagrees(const Cluster& cluster,
                                                           const api::SchedulerConfiguration& configuration,
                                                           std::uint64_t seed, engine::Time now,
                                                           const api::FeatureGates& gates);

}  // namespace berth::sim
