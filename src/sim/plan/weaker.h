// Which conclusions are weaker because the input is a part of a cluster: no nodes, no running pods, classes,
// claims or namespaces that are referred to and absent.
#pragma once

#include <string>
#include <vector>

#include "sim/cluster.h"

namespace berth::sim {

// Complete sentences, the most important first. O(objects).
[[nodiscard]] std::vector<std::string> weaker_conclusions(const Cluster& cluster);

}  // namespace berth::sim
