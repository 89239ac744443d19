// Preemption: may a pod that fits nowhere run if pods of lower priority go? Kubernetes' DefaultPreemption, looking at
// every node and breaking ties by rank where upstream starts at a random node.
//
// Per node: all that is of lower priority is taken away, and if the pod then fits, it is put back one by one, the ones
// whose loss would break a disruption budget first, the most important first, as long as the pod still fits. What could
// not be put back are the victims. Of all nodes the one with the least harm: fewest violations, lowest highest
// priority, lowest sum of priorities, fewest victims, youngest of the highest priority, lowest rank.
//
// Of workloads what goes is what a workload can lose: one pod above its minimums, before all others, or the whole, from
// every node. The priority of the workload counts. Of a pod with claims the holders of devices that several nodes reach
// are among them wherever they run.
//
// Each try is a transaction on the world that is rolled back. O(nodes), and O(pods) of the nodes that changed or may
// have the best plan; nothing if nothing of lower priority runs anywhere.
#pragma once

#include <optional>
#include <vector>

#include "engine/cycle/eviction_bounds.h"
#include "engine/world/world.h"

namespace berth::engine {

struct EvictionPlan {
  NodeId node;
  std::vector<PodId> victims;    // most important first; of a workload that goes whole also those on other nodes
  std::uint32_t violations = 0;  // victims that break a disruption budget
};

// The world is as before afterwards; it must be fresh. Empty if the pod may not preempt, waits for pods that were
// evicted for it already, or nothing would help. Promises that count against the pod are kept. `bounds`: of this world,
// from call to call.
[[nodiscard]] std::optional<EvictionPlan> plan_eviction(World& world, PodId pod, EvictionBounds& bounds);

// Do its profile and policy let it evict, and does it not wait for pods to leave that were evicted for it?
[[nodiscard]] bool may_evict(World& world, PodId pod);

}  // namespace berth::engine
