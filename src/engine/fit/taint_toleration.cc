#include "engine/fit/taint_toleration.h"

#include "engine/world/selectors.h"

namespace berth::engine {

Verdict check_taint_toleration(const Question& question, NodeId node) {
  if (question.lifted) return kPass;
  const NodeInput& input = question.world.node(node).input;
  if (untolerated(question.shape.input.tolerations, input.taints) == nullptr) return kPass;
  return {NodeCause::kTaint, false};
}

}  // namespace berth::engine
