#include "engine/fit/node_name.h"

namespace berth::engine {

Verdict check_node_name(const Question& question, NodeId node) {
  const NameId wanted = question.shape.input.node_name;
  if (wanted.is_none() || wanted == question.world.node(node).input.name) return kPass;
  return {NodeCause::kNodeName, false};
}

}  // namespace berth::engine
