#include "engine/fit/volume_binding.h"

#include "engine/world/selectors.h"

namespace berth::engine {

Verdict check_volume_binding(const Question& question, NodeId node) {
  const NodeInput& input = question.world.node(node).input;
  if (matches_all(question.shape.input.volume_selectors, input, question.world.names())) return kPass;
  return {NodeCause::kVolumeBinding, false};
}

}  // namespace berth::engine
