// PodTopologySpread, DoNotSchedule: after placing the pod, its domain may hold at most max_skew more matching pods than
// the domain with the fewest. A node without the topology key never fits. O(constraints).
//
// Source: core/v1 TopologySpreadConstraint; kube-scheduler's plugin PodTopologySpread (KEP-895, KEP-3022 for
// minDomains).
#pragma once

#include "engine/fit/question.h"

namespace berth::engine {

[[nodiscard]] Verdict check_topology_spread(const Question& question, NodeId node);

}  // namespace berth::engine
