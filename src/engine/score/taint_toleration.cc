#include "engine/score/taint_toleration.h"

#include <algorithm>

#include "engine/world/selectors.h"

namespace berth::engine {

std::int64_t score_taint_toleration(const Question& question, NodeId node) {
  const auto& tolerations = question.shape.input.tolerations;
  std::int64_t count = 0;
  for (const Taint& taint : question.world.node(node).input.taints) {
    if (taint.effect != Effect::kPreferNoSchedule) continue;
    const auto helps = [&](const Toleration& toleration) { return tolerates(toleration, taint); };
    if (std::ranges::none_of(tolerations, helps)) ++count;
  }
  return count;
}

}  // namespace berth::engine
