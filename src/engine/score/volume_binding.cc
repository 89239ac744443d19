#include "engine/score/volume_binding.h"

#include <cmath>

#include "engine/score/node_resources_fit.h"
#include "engine/world/selectors.h"

namespace berth::engine {
namespace {

std::int64_t utilization(const VolumeChoice::ClassAmounts& amounts) {
  if (amounts.capacity == 0 || amounts.requested > amounts.capacity) return 100;
  return amounts.requested * 100 / amounts.capacity;
}

}  // namespace

std::int64_t score_volume_binding(const Question& question, NodeId node) {
  for (const VolumeChoice& choice : question.shape.input.volume_choices) {
    if (choice.nodes && !matches(*choice.nodes, question.world.node(node).input, question.world.names())) continue;
    if (choice.classes.empty()) return 0;
    std::int64_t sum = 0;
    for (const auto& amounts : choice.classes) {
      sum += ratio_score(question.shape.profile->volume_shape, utilization(amounts));
    }
    return static_cast<std::int64_t>(std::round(static_cast<double>(sum) / static_cast<double>(choice.classes.size())));
  }
  return 0;
}

}  // namespace berth::engine
