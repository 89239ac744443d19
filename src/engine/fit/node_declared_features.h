// NodeDeclaredFeatures: a pod that needs what not every kubelet can do goes to nodes that declare it.
//
// Source: core/v1 NodeStatus.declaredFeatures (KEP-5328); kube-scheduler's plugin NodeDeclaredFeatures. O(features).
#pragma once

#include "engine/fit/question.h"

namespace berth::engine {

[[nodiscard]] Verdict check_node_declared_features(const Question& question, NodeId node);

}  // namespace berth::engine
