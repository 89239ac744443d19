#include <algorithm>
#include <set>
#include <tuple>
#include <utility>

#include "engine/cycle/consolidation.h"
#include "engine/devices/holdings.h"
#include "engine/world/selectors.h"

namespace berth::engine {
namespace {

constexpr std::size_t kMostDestinations = 8;  // per pod; nodes that look alike count once
constexpr std::size_t kMostInSubsets = 10;    // pods of a node of which all subsets are tried

// What a pod sees of a node's room, and in which domains of these keys it is.
std::vector<std::int64_t> room_of(const World& world, NodeId node, const std::vector<LabelKeyId>& keys) {
  std::vector<std::int64_t> room;
  for (const ResourceAmount& amount : world.node(node).input.allocatable)
    room.push_back(world.free(node, amount.resource));
  for (const CardGroup& group : world.node(node).cards) {
    room.push_back(group.product.value());
    const std::size_t first = room.size();
    for (std::size_t card = 0; card < group.free.size(); ++card) room.push_back(group.exact_free(card));
    std::sort(room.begin() + static_cast<std::ptrdiff_t>(first), room.end());
  }
  for (const LabelKeyId key : keys) {
    const LabelValueId value = label_value(world.node(node).input.labels, key);
    room.push_back(value.is_none() ? -1 : static_cast<std::int64_t>(value.index()));
  }
  return room;
}

}  // namespace

bool Consolidator::fits_without(const Question& question, NodeId node, const std::vector<PodId>& pods) {
  const World::Mark start = world_.mark();
  for (const PodId pod : pods) world_.unplace(pod, PodState::kPending);
  const bool result = fits(question, node);
  world_.rollback(start);
  return result;
}

// With many pods on a node: all go, then come back, most cards first, as long as the room suffices.
std::optional<Consolidator::Leaving> Consolidator::greedy_way(const Question& question, NodeId node,
                                                              std::vector<PodId> pods) {
  if (!fits_without(question, node, pods)) return std::nullopt;
  for (std::size_t i = 0; i < pods.size();) {
    std::vector<PodId> fewer = pods;
    fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
    if (fits_without(question, node, fewer)) {
      pods = std::move(fewer);
    } else {
      ++i;
    }
  }
  const Price price = price_of(pods);
  return Leaving{std::move(pods), price};
}

// Which pods of the node could leave so that the pod fits; the cheapest first, none more than needed.
std::vector<Consolidator::Leaving> Consolidator::ways_to_fit(const Question& question, NodeId node) {
  std::vector<PodId> pods = with_cards(node);
  std::erase_if(pods, [&](PodId pod) { return !may_move(pod); });
  std::vector<Leaving> ways;
  if (pods.empty()) return ways;
  if (pods.size() > kMostInSubsets) {
    if (auto way = greedy_way(question, node, std::move(pods))) ways.push_back(std::move(*way));
    return ways;
  }
  if (!fits_without(question, node, pods)) return ways;
  std::vector<std::pair<Price, std::uint32_t>> subsets;
  for (std::uint32_t subset = 1; subset < (1U << pods.size()); ++subset) {
    Price price;
    for (std::size_t i = 0; i < pods.size(); ++i) {
      if ((subset >> i & 1U) == 0) continue;
      price.moved += cards_of(pods[i]);
      ++price.moves;
    }
    if (!too_dear(price)) subsets.emplace_back(price, subset);
  }
  std::ranges::sort(subsets);
  std::vector<std::uint32_t> enough;
  for (const auto& [price, subset] : subsets) {
    if (questions_.used_up()) break;
    if (std::ranges::any_of(enough, [&](std::uint32_t less) { return (less & subset) == less; })) continue;
    Leaving leaving{{}, price};
    for (std::size_t i = 0; i < pods.size(); ++i) {
      if ((subset >> i & 1U) != 0) leaving.pods.push_back(pods[i]);
    }
    if (!fits_without(question, node, leaving.pods)) continue;
    enough.push_back(subset);
    ways.push_back(std::move(leaving));
  }
  return ways;
}

// Keys of the domains in which it matters where the pod goes: to itself, and to the pod that waits.
std::vector<LabelKeyId> Consolidator::domain_keys(PodId pod) const {
  std::vector<LabelKeyId> keys;
  for (const PodId each : {pod, pod_}) {
    if (each.is_none()) continue;
    const ShapeInput& shape = world_.shape_of(each).input;
    for (const SpreadConstraint& constraint : shape.spread) {
      if (constraint.hard) keys.push_back(constraint.topology_key);
    }
    for (const AffinityTerm& term : shape.required_affinity) keys.push_back(term.topology_key);
    for (const AffinityTerm& term : shape.required_anti_affinity) keys.push_back(term.topology_key);
  }
  return keys;
}

// Where the pod, which is on no node now, fits: the fullest first. Of nodes with the same room and domains one.
std::vector<NodeId> Consolidator::destinations(PodId pod) {
  const Question question = ask(pod);
  const std::vector<LabelKeyId> keys = domain_keys(pod);
  std::vector<std::pair<std::tuple<Amount, std::uint32_t>, NodeId>> found;
  for (const NodeId node : world_.by_rank()) {
    if (reserved_[node.index()] || questions_.used_up()) continue;
    if (fits(question, node)) found.push_back({{free_cards(node), world_.node(node).rank}, node});
  }
  std::ranges::sort(found);
  std::set<std::vector<std::int64_t>> seen;
  std::vector<NodeId> result;
  for (const auto& [key, node] : found) {
    if (result.size() == kMostDestinations) break;
    if (seen.insert(room_of(world_, node, keys)).second) result.push_back(node);
  }
  return result;
}

std::vector<PodId> Consolidator::with_cards(NodeId node) const {
  std::vector<PodId> pods;
  for (const PodId pod : world_.node(node).pods) {
    if (cards_of(pod) > 0) pods.push_back(pod);
  }
  std::ranges::sort(pods, [&](PodId a, PodId b) {
    const Amount left = cards_of(a);
    const Amount right = cards_of(b);
    return left != right ? left > right : world_.before(a, b);
  });
  return pods;
}

bool Consolidator::is_idle(NodeId node) const {
  const auto is_free = [](const CardGroup& group) {
    return !group.packed || group.whole_free == static_cast<std::int32_t>(group.free.size());
  };
  return std::ranges::all_of(world_.node(node).cards, is_free) && !claims_hold(node);
}

// Does a claim have devices that belong to this node alone? Devices that pods have by count are cards.
bool Consolidator::claims_hold(NodeId id) const {
  const devices::Holdings& holdings = world_.holdings();
  const Node& node = world_.node(id);
  const auto in_claim = [&](const devices::PlacedDevice& device) {
    return device.reach == 0 && holdings.usage().in_use(device.id) && !holdings.taken_by_count(device.id);
  };
  if (holdings.any_devices() && std::ranges::any_of(holdings.on(id, node.input).devices, in_claim)) return true;
  // Devices of slices that are not there, or not all.
  const auto holds = [&](NameId claim) {
    const devices::Grant* grant = holdings.grant(claim);
    return grant != nullptr && !std::ranges::binary_search(far_, claim) &&
           !std::ranges::all_of(grant->devices, &devices::DeviceAllocation::admin_access);
  };
  return std::ranges::any_of(node.pods, [&](PodId pod) { return std::ranges::any_of(world_.pod(pod).claims, holds); });
}

Amount Consolidator::free_cards(NodeId node) const {
  Amount free = 0;
  for (const CardGroup& group : world_.node(node).cards) {
    for (const std::int32_t milli : group.free) free += milli;
  }
  return free;
}

}  // namespace berth::engine
