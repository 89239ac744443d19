// NodeName: a pod that names its node runs there or nowhere.
#include "reference/filters.h"

namespace berth::reference {

Verdict filter_node_name(const Question& question, std::size_t node) {
  const std::string& wanted = question.pod.spec.node_name;
  if (wanted.empty() || wanted == question.snapshot.nodes[node].node->metadata.name) return {};
  return {Cause::kNodeName, true};
}

}  // namespace berth::reference
