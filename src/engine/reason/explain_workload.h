// Why a member of a workload does not run. The first that holds:
//   NotReady       its workload, or its group there, is not known
//   QueueDenied    a queue of the workload is missing, closed or broken
//   NeverFits      it does not fit on the emptied cluster with cordons, taints and unreadiness lifted, or its quota is
//                  too small with nothing used
//   QuotaExceeded  its queues have not enough left
//   GangIncomplete too few members exist
//   Reserved       it fits now in room that is kept for another
//   NodeExcluded   it fits now once cordons, taints and unreadiness are lifted
//   TopologyNoFit  it fits now once its topology rules are lifted
//   GangIncomplete some of several members fit now; or the search gave up
//   NodeExcluded   it does not fit on the emptied cluster before cordons and taints are lifted
//   then the class of its first member that finds no node (classify.h): Fragmented, Busy, ...
// For a member beyond the minimums of a workload that is whole the question is about that member alone.
#pragma once

#include "engine/cycle/workload_cycle.h"
#include "engine/reason/reason.h"

namespace berth::engine {

// The member whose explanation is that of the pod: of a workload that is not whole, which waits as one, its first that
// wants a node; else the pod itself. O(members) at most, mostly O(1).
[[nodiscard]] PodId spokesman_of(const World& world, PodId pod);

// O(placements); the world is as before afterwards. It must be fresh.
[[nodiscard]] Reason explain_member(World& world, WorkloadCycle& cycle, PodId pod, Time now);

}  // namespace berth::engine
