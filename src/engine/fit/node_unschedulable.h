// NodeUnschedulable: a cordoned node takes only pods that tolerate the cordon as if it were the taint
// node.kubernetes.io/unschedulable:NoSchedule. Removing pods does not help.
//
// Source: core/v1 NodeSpec.unschedulable; kube-scheduler's plugin NodeUnschedulable. O(tolerations).
#pragma once

#include "engine/fit/question.h"

namespace berth::engine {

[[nodiscard]] Verdict check_node_unschedulable(const Question& question, NodeId node);

}  // namespace berth::engine
