// What of a plan's input about devices cannot be as it says, so that the plan may be wrong about them.
#pragma once

#include <string>
#include <vector>

#include "sim/cluster.h"

namespace berth::sim {

// Sentences, as weaker_conclusions() has them: cards that a device plugin and slices do not offer alike or that two
// nodes have, devices that two claims have or no slice, pods that run without what their claims ask for, and templates
// that stand in the way of a ComputeDomain. O(nodes + devices + claims + pods).
[[nodiscard]] std::vector<std::string> device_doubts(const Cluster& cluster);

}  // namespace berth::sim
