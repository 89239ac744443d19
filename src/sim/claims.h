// Claims of a pod that was just placed: their allocations and reservations as the scheduler would write them.
#pragma once

#include "api/core.h"
#include "sim/cluster.h"

namespace berth::sim {

// Writes status.allocation and status.reservedFor of the pod's claims, from what the engine decided. The pod must be
// among the objects as of the last load. O(claims).
void write_allocations(Cluster& cluster, const api::Pod& pod);

}  // namespace berth::sim
