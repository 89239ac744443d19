#include "engine/score/taint_toleration.h"

#include <algorithm>

#include "engine/world/tolerations.h"

namespace berth::engine {

std::int64_t score_taint_toleration(const Question& question, NodeId node) {
  const std::vector<Taint>& taints = question.world.node(node).input.taints;
  const TolerationsOfPod pod(question.shape.input.tolerations, taints.size());
  return std::ranges::count_if(taints, [&pod](const Taint& taint) {
    return taint.effect == Effect::kPreferNoSchedule && !pod.help_against(taint);
  });
}

}  // namespace berth::engine
