#include "engine/fit/capacity.h"

#include <algorithm>
#include <limits>

#include "engine/fit/filters.h"

namespace berth::engine {
namespace {

Amount cards_for(const CardGroup& group, const CardRequest& request) {
  if (request.whole()) return group.whole_free / request.count;
  return group.shares_left(request) / request.count;
}

}  // namespace

std::int32_t how_many_fit(const Question& question, NodeId node) {
  if (!check_all(question, node, false).fits()) return 0;
  const ShapeInput& shape = question.shape.input;
  const Profile& profile = *question.shape.profile;
  if (!shape.host_ports.empty() || !shape.exclusive_claims.empty()) return 1;
  Amount most = std::numeric_limits<std::int32_t>::max();
  if (std::ranges::find(profile.filters, Filter::kNodeResourcesFit) == profile.filters.end()) {
    return static_cast<std::int32_t>(most);
  }
  const World& world = question.world;
  const auto has = [&](ResourceId resource) {
    return question.emptied ? world.allocatable(node, resource) : world.free(node, resource);
  };
  most = std::min(most, has(kPods));
  for (const ResourceAmount& request : shape.requests) {
    if (request.amount > 0 && !shape.ignores(request.resource) && !world.claims_supply(shape, node, request.resource))
      most = std::min(most, has(request.resource) / request.amount);
  }
  for (const CardRequest& request : shape.cards) {
    if (request.count == 0 || shape.ignores(request.resource) || world.claims_supply(shape, node, request.resource))
      continue;
    if (request.total() > 0) most = std::min(most, has(request.resource) / request.total());
    const CardGroup* group = world.card_group(node, request.resource);
    if (group != nullptr && !question.emptied) most = std::min(most, cards_for(*group, request));
  }
  return static_cast<std::int32_t>(std::max<Amount>(most, 1));
}

}  // namespace berth::engine
