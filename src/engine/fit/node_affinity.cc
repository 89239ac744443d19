#include "engine/fit/node_affinity.h"

#include "engine/world/selectors.h"

namespace berth::engine {

Verdict check_node_affinity(const Question& question, NodeId node) {
  const NodeInput& input = question.world.node(node).input;
  const ShapeInput& shape = question.shape.input;
  if (matches_all(shape.node_selectors, input, question.world.names()) &&
      matches_all(shape.added_node_selectors, input, question.world.names())) {
    return kPass;
  }
  return {NodeCause::kNodeAffinity, false};
}

}  // namespace berth::engine
