// An upper bound on what any policy can have allocated when 100 % of the GPUs are asked for, even one that knows all
// arrivals beforehand, moves pods at will and needs no whole numbers of nodes.
//
// The linear program over packings of one node: each kind of node is divided among the packings it can hold, no shape
// of pod is used more often than it arrives on average. Its columns are found by best_packing(); the bound itself is
// the program's Lagrangian, which holds for any prices and is evaluated with prices in whole numbers. Published columns
// are means over seeds, and the program's value is concave in the arrivals, so the bound of the mean arrivals bounds
// the mean.
#pragma once

#include "sim/openb/study.h"

namespace berth::sim::openb {

// In percent of the cluster's GPUs; 0 for a workload or cluster without GPUs. Errors: kInvalid for a node with more
// than 2,048 cores, as time and memory grow with the square of these.
[[nodiscard]] Result<double> upper_bound_at_100(const Cluster& cluster, const Workload& workload);

}  // namespace berth::sim::openb
