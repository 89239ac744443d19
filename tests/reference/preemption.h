// Preemption: the least harmful set of lower-priority pods of one node whose going makes room for a pod.
// Every node is tried. Rules: DefaultPreemption of kube-scheduler 1.37, with the tie order in place of chance.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "reference/filters.h"

namespace berth::reference {

struct Eviction {
  std::size_t node = 0;
  std::vector<const api::Pod*> victims;  // most important first
  std::int64_t violations = 0;           // of disruption budgets
};

// The node that was promised to the pod, unless that was taken back.
[[nodiscard]] std::string_view promised_node(const Question& question);

// Its profile and policy let it, and it does not wait for pods that were evicted for it.
[[nodiscard]] bool may_evict(const Question& question);

// Nothing if no node can be freed. The seed draws the tie order.
[[nodiscard]] std::optional<Eviction> plan_eviction(const Question& question, std::uint64_t seed);

// Takes the pods away from the node.
void take_away(NodeState& state, const std::vector<const api::Pod*>& pods);

}  // namespace berth::reference
