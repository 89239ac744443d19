// Standings of the workloads and queues of a cluster, from the engine's tables (dialects/workloads/standing.h).
#pragma once

#include "dialects/workloads/standing.h"
#include "engine/ids.h"
#include "sim/cluster.h"

namespace berth::sim {

// `explained`: with reasons, which costs an explanation per workload that waits; else O(workloads + queues x
// resources).
[[nodiscard]] dialects::workloads::Standings standings_of(Cluster& cluster, engine::Time now, bool explained);

}  // namespace berth::sim
