// Reclaim: may a workload that fits nowhere start if others go? Preemption within its queue and taking back a guarantee
// from queues that borrowed it are one search over units of loss:
//   surplus  one pod that its workload holds above its minimums
//   whole    all pods of a workload, where one less would break it or its disruption mode says so
//   bare     one pod of no workload
// Units are tried cheapest first (surplus, then lower priority, less work lost, younger) until the workload fits within
// its quota; then given back, the dearest first, as long as it still fits. Where all of the workload has to be in one
// domain this is done for each domain, elsewhere a second time in the order of the nodes that cost least
// (units_by_node.h), and the plan with the smallest loss is taken: nothing but surplus, the lowest highest priority,
// least work lost, fewest pods. Everything happens in the caller's transaction, so a plan is proven when it is told,
// and whoever is not needed stays.
//
// Legal: the workload may preempt, the unit may go, no disruption budget breaks, and
//   in one queue, or where one of the two has no queue: what the queue's right says, by priority
//   across queues: below their lowest common queue the workload's side stays within its guarantee and the unit's side
//   is above its own, in a resource that both touch and the workload's side has a guarantee for; the guarantee of the
//   unit's queue does not cover it (eviction_order.h); that queue is reclaimable. What a queue deserves under
//   FairnessPolicy::kProportion is a guarantee here (Fairness::claim)
// Who evicts in its own queue does not borrow more by it where somebody waits who may take that back.
// So no plan can be answered by its mirror image: priorities rise, or borrowed use becomes guaranteed use.
//
// Cost: units * a placement of the workload, once to find enough and once to give back; per domain where it needs one.
#pragma once

#include <optional>
#include <vector>

#include "engine/cycle/eviction_order.h"
#include "engine/gang/placement.h"
#include "engine/world/world.h"

namespace berth::engine {

struct Victim {
  PodId pod;
  NodeId node;  // where it was
};

// Victims gone and the workload's core placed, both in the caller's transaction; placement.placed() names the pods. Or
// nothing, and the world is as it was. `now` is for the work that is lost. The options name the fairness.
[[nodiscard]] std::optional<std::vector<Victim>> reclaim(World& world, JointPlacement& placement, EvictionOrder& order,
                                                         WorkloadId workload, const PlacementOptions& options,
                                                         Time now);

}  // namespace berth::engine
