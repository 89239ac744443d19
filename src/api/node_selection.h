// Which nodes a pod may use, by labels, fields and taints: for those who count nodes before anything is translated.
#pragma once

#include "api/core.h"

namespace berth::api {

// True if every expression and field of the term holds. An empty term holds nowhere.
[[nodiscard]] bool matches(const NodeSelectorTerm& term, const Node& node);

// Lt and Gt never hold: they are behind a feature gate that is off.
[[nodiscard]] bool tolerates(const Toleration& toleration, const Taint& taint);

// True for a node that spec.nodeName, nodeSelector, required node affinity and the taints with NoSchedule and NoExecute
// all let the pod on. Cordons, readiness and resources are not asked.
[[nodiscard]] bool admits(const Node& node, const PodSpec& spec);

}  // namespace berth::api
