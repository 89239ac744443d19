#include "engine/fit/node_declared_features.h"

#include <algorithm>

namespace berth::engine {

Verdict check_node_declared_features(const Question& question, NodeId node) {
  const std::vector<NameId>& needed = question.shape.input.needed_features;
  if (needed.empty() || std::ranges::includes(question.world.node(node).input.declared_features, needed)) return kPass;
  return {NodeCause::kFeature, false};
}

}  // namespace berth::engine
