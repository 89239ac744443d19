#include "engine/gang/kinds.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "engine/amounts.h"

namespace berth::engine {

void add_pods(const World& world, Kinds& kinds, ShapeId shape, std::int64_t pods) {
  const SearchId search = world.shape(shape).search;
  const auto same =
      std::ranges::find(kinds, search, [&](const Kind& kind) { return world.shape(kind.example).search; });
  if (same == kinds.end()) {
    kinds.push_back({shape, pods});
  } else {
    same->pods += pods;
  }
}

std::vector<ResourceAmount> counted_requests(const Shape& shape) {
  std::vector<ResourceAmount> result;
  const std::vector<Filter>& filters = shape.profile->filters;
  // Claims may supply what is asked for.
  if (!shape.input.claims.empty() || std::ranges::find(filters, Filter::kNodeResourcesFit) == filters.end())
    return result;
  result.push_back({kPods, 1});
  const auto add = [&](ResourceId resource, Amount amount) {
    if (amount > 0 && !shape.input.ignores(resource)) add_amount(result, {resource, amount});
  };
  for (const ResourceAmount& request : shape.input.requests) add(request.resource, request.amount);
  for (const CardRequest& request : shape.input.cards) {
    if (request.count > 0) add(request.resource, request.total());
  }
  return result;
}

std::vector<std::int64_t> most_per_node(const World& world, Rooms& rooms, const Kinds& kinds,
                                        std::span<const NodeId> nodes) {
  std::vector<std::int64_t> most(nodes.size(), 0);
  for (const Kind& kind : kinds) {
    const Room& room = rooms.of(kind.example);
    for (std::size_t i = 0; i < nodes.size(); ++i) most[i] = std::max<std::int64_t>(most[i], room.on(nodes[i]));
  }
  if (kinds.size() <= 1) return most;
  std::vector<ResourceAmount> least = counted_requests(world.shape(kinds.front().example));
  for (const Kind& kind : kinds) {
    const std::vector<ResourceAmount> requests = counted_requests(world.shape(kind.example));
    for (ResourceAmount& each : least) each.amount = std::min(each.amount, amount_in(requests, each.resource));
  }
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (most[i] == 0) continue;
    most[i] = std::numeric_limits<std::int32_t>::max();
    for (const ResourceAmount& each : least)
      if (each.amount > 0) most[i] = std::min(most[i], world.free(nodes[i], each.resource) / each.amount);
  }
  return most;
}

bool sums_suffice(const World& world, Rooms& rooms, const Kinds& kinds, std::span<const NodeId> nodes) {
  std::int64_t pods = 0;
  std::vector<ResourceAmount> asked;
  for (const Kind& kind : kinds) {
    const Room& room = rooms.of(kind.example);
    std::int64_t alone = 0;
    for (std::size_t i = 0; i < nodes.size() && alone < kind.pods; ++i) alone += room.on(nodes[i]);
    if (alone < kind.pods) return false;
    pods += kind.pods;
    for (const ResourceAmount& each : counted_requests(world.shape(kind.example)))
      add_amount(asked, {each.resource, each.amount * kind.pods});
  }
  if (kinds.size() <= 1) return true;
  const std::vector<std::int64_t> most = most_per_node(world, rooms, kinds, nodes);
  if (std::accumulate(most.begin(), most.end(), std::int64_t{0}) < pods) return false;
  return std::ranges::all_of(asked, [&](const ResourceAmount& each) {
    Amount left = each.amount;
    for (std::size_t i = 0; i < nodes.size() && left > 0; ++i)
      if (most[i] > 0) left -= std::max<Amount>(world.free(nodes[i], each.resource), 0);
    return left <= 0;
  });
}

}  // namespace berth::engine
