// NodeName: a pod that names its node goes there or nowhere.
//
// Source: core/v1 PodSpec.nodeName; kube-scheduler's plugin NodeName. O(1).
#pragma once

#include "engine/fit/question.h"

namespace berth::engine {

[[nodiscard]] Verdict check_node_name(const Question& question, NodeId node);

}  // namespace berth::engine
