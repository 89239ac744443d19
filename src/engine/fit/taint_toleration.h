// TaintToleration: every taint with effect NoSchedule or NoExecute must be tolerated.
//
// Source: core/v1 Taint and Toleration; kube-scheduler's plugin TaintToleration. O(taints * tolerations), less where
// both are many (world/tolerations.h).
#pragma once

#include "engine/fit/question.h"

namespace berth::engine {

[[nodiscard]] Verdict check_taint_toleration(const Question& question, NodeId node);

}  // namespace berth::engine
