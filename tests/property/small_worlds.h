// Every world of a few nodes and pods over a small alphabet of kinds; and what must hold on a node in any world.
#pragma once

#include <functional>
#include <string>

#include "api/scheduler_config.h"
#include "reference/snapshot.h"

namespace berth::property {

// Calls `visit` with each world until it returns false. Brief: up to 2 nodes and 3 pods over the first kinds; full: up
// to 3 nodes and 3 pods over all kinds, every pod waiting or running on one of the nodes.
void for_each_small_world(bool full, const std::function<bool(const reference::Objects&)>& visit);

// Empty, or what is wrong on the node on which `placed` was put last or among the last.
[[nodiscard]] std::string broken_invariant(const reference::NodeState& node, const api::Pod& placed,
                                           const api::SchedulerProfile& profile);

}  // namespace berth::property
