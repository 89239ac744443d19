#include "engine/score/devices.h"

#include <algorithm>

#include "engine/devices/holdings.h"
#include "engine/score/placement_policy.h"

namespace berth::engine {

devices::AllocationValue score_devices(const Question& question, NodeId node) {
  return question.world.holdings().value(question.shape.input.claims, node, question.world.node(node).input);
}

std::int64_t normalize_device_rank(std::int64_t raw, std::int64_t largest) {
  return largest == 0 ? 0 : raw * 100 / largest;
}

bool packs_devices_only(const Shape& shape) {
  const PlacementPolicy* policy = shape.profile->placement_policy;
  return policy != nullptr && policy->packs_devices() && !shape.input.claims.empty() &&
         std::ranges::all_of(shape.input.cards,
                             [](const CardRequest& cards) { return cards.count == 0 || !cards.packed; });
}

}  // namespace berth::engine
