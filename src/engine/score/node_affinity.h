// NodeAffinity, the score: the sum of the weights of the preferred terms that match the node; over the feasible nodes
// the largest sum becomes 100.
//
// Source: core/v1 PreferredSchedulingTerm; kube-scheduler's plugin NodeAffinity. O(requirements * log labels of the
// node).
#pragma once

#include <cstdint>

#include "engine/fit/question.h"

namespace berth::engine {

[[nodiscard]] std::int64_t score_node_affinity(const Question& question, NodeId node);

[[nodiscard]] constexpr std::int64_t normalize_node_affinity(std::int64_t raw, std::int64_t largest) {
  return largest == 0 ? raw : raw * 100 / largest;
}

}  // namespace berth::engine
