#include "engine/fit/node_unschedulable.h"

#include "base/mutant.h"

namespace berth::engine {

Verdict check_node_unschedulable(const Question& question, NodeId node) {
  if (question.lifted || !question.world.node(node).input.unschedulable) return kPass;
  if (question.shape.tolerates_unschedulable && !mutant("Rule.TolerationOfCordon")) return kPass;
  return {NodeCause::kUnschedulable, false};
}

}  // namespace berth::engine
