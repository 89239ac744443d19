// What the filter and the score of PodTopologySpread share: whom a constraint counts, and where.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "reference/snapshot.h"

namespace berth::reference {

// Pods of the namespace that the constraint counts on the node; terminating ones are not counted.
[[nodiscard]] std::int64_t matching_pods(const NodeState& state, const api::TopologySpreadConstraint& constraint,
                                         const std::string& pod_namespace);
[[nodiscard]] bool has_all_keys(const api::Node& node, const std::vector<api::TopologySpreadConstraint>& constraints);
// By the constraint's policies for node affinity and taints.
[[nodiscard]] bool takes_part(const api::Node& node, const api::TopologySpreadConstraint& constraint,
                              const api::Pod& pod);

}  // namespace berth::reference
