// Who waits although it came first, because a place was kept for a workload that had lost members.
#pragma once

#include "engine/world/world.h"

namespace berth::engine {

// The workload of a running pod whose place a pod of this shape could use; which is younger than `created` and of no
// higher priority; and which came back to a workload that ran before and is not whole without it. None: there is no
// such pod. O(pods); the world is as before afterwards.
[[nodiscard]] WorkloadId returned_before(World& world, ShapeId shape, Time created, std::int32_t priority,
                                         WorkloadId but_not);

}  // namespace berth::engine
