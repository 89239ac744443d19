#include "engine/score/node_affinity.h"

#include "engine/world/selectors.h"

namespace berth::engine {

std::int64_t score_node_affinity(const Question& question, NodeId node) {
  std::int64_t sum = 0;
  for (const WeightedNodeTerm& preferred : question.shape.input.preferred_nodes) {
    if (preferred.weight == 0) continue;
    if (matches(preferred.term, question.world.node(node).input, question.world.names())) sum += preferred.weight;
  }
  return sum;
}

}  // namespace berth::engine
