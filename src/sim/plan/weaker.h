// Which conclusions of a plan are weaker because the input is a part of a cluster: no nodes, no running pods, classes,
// claims or namespaces that are referred to and absent.
#pragma once

#include <string>
#include <vector>

#include "sim/cluster.h"

namespace berth::sim {

struct Plan;

// Complete sentences, the most important first. Of the plan only the counts are looked at. O(objects).
[[nodiscard]] std::vector<std::string> weaker_conclusions(const Cluster& cluster, const Plan& plan);

}  // namespace berth::sim
