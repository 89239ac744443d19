#include "engine/fit/volume_binding.h"

#include <algorithm>

#include "engine/world/selectors.h"

namespace berth::engine {

Verdict check_volume_binding(const Question& question, NodeId node) {
  const NodeInput& input = question.world.node(node).input;
  const auto serves = [&](const Shared<NodeSelector>& selector) {
    return matches(*selector, input, question.world.names());
  };
  if (std::ranges::all_of(question.shape.input.volume_selectors, serves)) return kPass;
  return {NodeCause::kVolumeBinding, false};
}

}  // namespace berth::engine
