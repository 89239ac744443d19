// NodeResourcesBalancedAllocation: does the pod bring the node's used shares of CPU, memory, ... closer to each other?
// 50 means no change. The balance of a node is 100 * (1 - standard deviation of the used shares), in upstream's double
// arithmetic and order of operations; the two balances are then compared in integers.
//
// Source: kube-scheduler's plugin NodeResourcesBalancedAllocation. O(resources).
#pragma once

#include <cstdint>
#include <span>

#include "engine/score/resource_terms.h"

namespace berth::engine {

// Terms must not be empty (then the score is skipped).
[[nodiscard]] std::int64_t score_balanced_allocation(std::span<const ResourceTerm> terms, const World& world,
                                                     NodeId node);

}  // namespace berth::engine
