#include "engine/score/volume_binding.h"

#include <algorithm>
#include <cmath>

#include "engine/score/node_resources_fit.h"
#include "engine/world/selectors.h"

namespace berth::engine {
namespace {

std::int64_t utilization(const VolumeChoice::ClassAmounts& amounts) {
  if (amounts.capacity == 0 || amounts.requested > amounts.capacity) return 100;
  return amounts.requested * 100 / amounts.capacity;
}

std::int64_t score_of(const Profile& profile, const std::vector<VolumeChoice::ClassAmounts>& classes) {
  if (classes.empty()) return 0;
  std::int64_t sum = 0;
  for (const auto& amounts : classes) sum += ratio_score(profile.volume_shape, utilization(amounts));
  return static_cast<std::int64_t>(std::round(static_cast<double>(sum) / static_cast<double>(classes.size())));
}

}  // namespace

std::int64_t score_volume_binding(const Question& question, NodeId node) {
  const VolumeChoices& choices = *question.shape.input.volume_choices;
  const NodeInput& input = question.world.node(node).input;
  for (const VolumeChoice& choice : choices.existing) {
    if (choice.nodes && !matches(*choice.nodes, input, question.world.names())) continue;
    return score_of(*question.shape.profile, choice.classes);
  }
  const auto found = std::ranges::lower_bound(choices.by_node, input.name, {}, &VolumeChoices::OnNode::node);
  if (found == choices.by_node.end() || found->node != input.name) return 0;
  return score_of(*question.shape.profile, found->classes);
}

}  // namespace berth::engine
