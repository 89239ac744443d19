// TaintToleration, the score: fewer untolerated taints with effect PreferNoSchedule are better; over the feasible nodes
// none becomes 100 and the largest number 0.
//
// Source: kube-scheduler's plugin TaintToleration. O(taints * tolerations), less where both are many.
#pragma once

#include <cstdint>

#include "engine/fit/question.h"

namespace berth::engine {

// The number of untolerated PreferNoSchedule taints.
[[nodiscard]] std::int64_t score_taint_toleration(const Question& question, NodeId node);

[[nodiscard]] constexpr std::int64_t normalize_taint_toleration(std::int64_t raw, std::int64_t largest) {
  return largest == 0 ? 100 : 100 - 100 * raw / largest;
}

}  // namespace berth::engine
