// NodeUnschedulable: a cordoned node takes only pods that tolerate the taint a cordon stands for.
#include "reference/filters.h"
#include "reference/selectors.h"

namespace berth::reference {

Verdict filter_node_unschedulable(const Question& question, std::size_t node) {
  if (!question.snapshot.nodes[node].node->unschedulable) return {};
  const api::Taint cordon{"node.kubernetes.io/unschedulable", "", api::TaintEffect::kNoSchedule};
  if (tolerates(question.pod.spec.tolerations, cordon)) return {};
  return {Cause::kUnschedulable, true};
}

}  // namespace berth::reference
