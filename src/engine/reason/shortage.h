// Shortage: which resource is short for a shape, by how much, and who holds it.
#pragma once

#include <span>

#include "engine/fit/question.h"
#include "engine/reason/reason.h"

namespace berth::engine {

// Over the nodes on which nothing but room is missing: is each amount the pod asks free in sum, and one place for a
// pod? O(nodes * requests).
[[nodiscard]] bool enough_in_sum(const Question& question);

// Fills resource, needed, best_found, best_node, missing, sum_free and holders. The admissible nodes are those that the
// pod may go to as far as anything but amounts and rules among pods says; for NeverFits cordons and taints are lifted,
// and amounts are what nodes have when empty. For NodeExcluded the numbers are those of the nodes that `would_do`.
void describe_shortage(const Question& question, std::span<const NodeId> would_do, Reason& reason);

}  // namespace berth::engine
