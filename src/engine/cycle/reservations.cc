#include "engine/cycle/reservations.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

#include "base/mutant.h"

namespace berth::engine {
namespace {

// Those who end in one second end together: which of them the world names first must not matter.
struct Ending {
  Time at = 0;
  std::vector<PodId> pods;
};

// Running pods whose end is declared and still to come, by time.
std::vector<Ending> endings(const World& world, Time now) {
  std::map<Time, std::vector<PodId>> by_time;
  for (std::size_t i = 0; i < world.pod_slots(); ++i) {
    const Pod& pod = world.pod(PodId{i});
    if (pod.state != PodState::kPlaced || !pod.runs_for_seconds) continue;
    const Time end = pod.started.value_or(now) + *pod.runs_for_seconds;
    if (end > now) by_time[end].push_back(PodId{i});
  }
  std::vector<Ending> result;
  for (auto& [at, pods] : by_time) result.push_back({at, std::move(pods)});
  return result;
}

void add_amounts(std::map<ResourceId, Amount>& sums, const Shape& shape, int sign) {
  for (const ResourceAmount& each : shape.charge) sums[each.resource] += sign * each.amount;
}

// What the placed pods take, node by node, less what `gone` pods of that node leave to them.
std::vector<HeldRoom> rooms_of(const World& world, const std::vector<PlacedPod>& placed,
                               const std::vector<std::pair<NodeId, ShapeId>>& gone) {
  std::map<NodeId, std::map<ResourceId, Amount>> sums;
  std::map<NodeId, std::vector<CardAssignment>> cards;
  for (const PlacedPod& each : placed) {
    add_amounts(sums[each.choice.node], world.shape_of(each.pod), 1);
    for (const CardAssignment& assignment : world.pod(each.pod).cards) cards[each.choice.node].push_back(assignment);
  }
  for (const auto& [node, shape] : gone) {
    if (const auto found = sums.find(node); found != sums.end()) add_amounts(found->second, world.shape(shape), -1);
  }
  std::vector<HeldRoom> result;
  for (const auto& [node, amounts] : sums) {
    HeldRoom room{.node = node};
    for (const auto& [resource, amount] : amounts) {
      if (amount > 0) room.amounts.push_back({resource, amount});
    }
    room.cards = std::move(cards[node]);
    result.push_back(std::move(room));
  }
  return result;
}

// Keeps of the cards to hold those that are free while everybody runs; the others are no use to anybody before.
void keep_free_cards(const World& world, HeldRoom& room) {
  for (CardAssignment& assignment : room.cards) {
    const CardGroup* group = world.card_group(room.node, assignment.resource);
    std::erase_if(assignment.cards,
                  [&](std::uint16_t card) { return group == nullptr || group->free[card] < assignment.milli; });
  }
  std::erase_if(room.cards, [](const CardAssignment& assignment) { return assignment.cards.empty(); });
}

// Where a member of the group may go because of those of the same domains that run: the node's domain at each level
// that a rule from the group upwards requires. All nodes where nobody runs yet, or nothing is required.
Bitmap allowed_nodes(const World& world, DomainTrees& trees, const Workload& workload, std::uint32_t leaf) {
  Bitmap allowed(world.rank_count(), true);
  for (std::uint32_t group = leaf;; group = workload.input.groups[group].parent) {
    const TopologyRule& rule = workload.input.groups[group].topology;
    NodeId sibling;
    for (std::uint32_t below = group; below < workload.groups.size() && !rule.required.is_none(); ++below) {
      std::uint32_t at = below;
      while (at > group) at = workload.input.groups[at].parent;
      if (at != group) continue;
      for (const PodId member : workload.groups[below].members)
        if (world.pod(member).state == PodState::kPlaced) sibling = world.pod(member).node;
    }
    if (!sibling.is_none()) {
      const DomainTree& tree = trees.tree(trees.levels_of(rule));
      const std::size_t level = tree.level_of(rule.required);
      for (const NodeId node : world.by_rank())
        if (tree.domain_of(level, node) != tree.domain_of(level, sibling)) allowed.clear(world.node(node).rank);
    }
    if (group == 0) return allowed;
  }
}

// Room for one more pod like this one where it would go now.
std::optional<HeldRoom> room_like(const World& world, Search& search, PodId model, const Bitmap& allowed) {
  const Shape& shape = world.shape_of(model);
  if (shape.profile == nullptr) return std::nullopt;
  const Choice choice = search.best(world.pod(model).shape, NameId::none(), world.pod(model).tie, {}, &allowed);
  if (choice.node.is_none()) return std::nullopt;
  HeldRoom room{.node = choice.node, .amounts = shape.charge, .cards = {}};
  for (const CardRequest& request : shape.input.cards) {
    const CardGroup* cards = world.card_group(choice.node, request.resource);
    if (cards != nullptr && request.count > 0) room.cards.push_back(cards->choose(request, choice.card));
  }
  return room;
}

}  // namespace

std::optional<Reservation> dated_hold(World& world, JointPlacement& placement, WorkloadId owner,
                                      const PlacementOptions& options, Time now) {
  if (mutant("Rule.Reservation")) return std::nullopt;
  const std::vector<Ending> ends = endings(world, now);
  if (ends.empty()) return std::nullopt;
  const Workload& workload = world.workloads()[owner];
  std::vector<HeldRoom> rooms;
  // Does it fit once the first `count` have ended?
  const auto fits_after = [&](std::size_t count) {
    const World::Mark mark = world.mark();
    std::vector<std::pair<NodeId, ShapeId>> gone;
    for (std::size_t i = 0; i < count; ++i) {
      for (const PodId pod : ends[i].pods) {
        gone.emplace_back(world.pod(pod).node, world.pod(pod).shape);
        world.unplace(pod, PodState::kEvicted);
      }
    }
    const bool fits = placement.place_core(workload, options) == PlacementOutcome::kPlaced;
    if (fits) rooms = rooms_of(world, placement.placed(), gone);
    world.rollback(mark);
    return fits;
  };
  if (!fits_after(ends.size())) return std::nullopt;
  std::size_t low = 0;  // does not fit
  std::size_t high = ends.size();
  while (high - low > 1) {
    const std::size_t middle = low + (high - low) / 2;
    (fits_after(middle) ? high : low) = middle;
  }
  if (!fits_after(high)) return std::nullopt;
  for (HeldRoom& room : rooms) keep_free_cards(world, room);
  return Reservation{owner, ends[high - 1].at, std::move(rooms)};
}

std::optional<Reservation> hole_of(World& world, JointPlacement& placement, WorkloadId owner, Search& search) {
  if (mutant("Rule.HoleIsKept")) return std::nullopt;
  const Workload& workload = world.workloads()[owner];
  const World::Mark mark = world.mark();
  std::vector<PlacedPod> placed;
  std::vector<HeldRoom> modelled;
  for (std::uint32_t group = 0; group < workload.groups.size(); ++group) {
    const Group& leaf = workload.groups[group];
    if (!leaf.is_leaf() || leaf.members.empty()) continue;
    std::int32_t missing = workload.input.groups[group].minimum_pods - leaf.placed - leaf.succeeded;
    for (const PodId pod : world.wanting(leaf)) {
      if (missing <= 0) break;
      if (placement.place(workload, {{group, world.pod(pod).shape, {pod}}}, {}) != PlacementOutcome::kPlaced) continue;
      placed.push_back(placement.placed().front());
      --missing;
    }
    const PodId model = *std::ranges::min_element(leaf.members, [&](PodId a, PodId b) { return world.before(a, b); });
    const Bitmap allowed = allowed_nodes(world, placement.trees(), workload, group);
    for (; missing > 0; --missing) {
      std::optional<HeldRoom> room = room_like(world, search, model, allowed);
      if (!room) break;
      world.hold(*room, 1);
      modelled.push_back(*std::move(room));
    }
  }
  Reservation hold{owner, std::nullopt, rooms_of(world, placed, {})};
  for (const HeldRoom& room : modelled) world.hold(room, -1);
  world.rollback(mark);
  std::ranges::move(modelled, std::back_inserter(hold.rooms));
  if (hold.rooms.empty()) return std::nullopt;
  return hold;
}

void Reservations::take(const Reservation& hold, int sign) {
  for (const HeldRoom& room : hold.rooms) world_.hold(room, sign);
}

void Reservations::add(Reservation hold) {
  take(hold, 1);
  holds_.push_back(std::move(hold));
}

void Reservations::clear() {
  for (const Reservation& hold : holds_) take(hold, -1);
  shrank_ = false;
  for (const Reservation& old : last_) {
    const auto same = std::ranges::find(holds_, old.owner, &Reservation::owner);
    if (same != holds_.end() && *same == old) continue;
    shrank_ = true;
    for (const HeldRoom& room : old.rooms) {
      if (world_.node(room.node).alive) world_.loosen_node(room.node);
    }
  }
  last_ = std::exchange(holds_, {});
}

bool Reservations::may_pass(const Reservation& hold, std::optional<Time> ends, std::int32_t priority,
                            bool preemptible) const {
  if (!hold.from || mutant("Rule.Backfill")) return false;
  if (ends && *ends <= *hold.from) return true;
  const WorkloadInput& owner = world_.workloads()[hold.owner].input;
  return preemptible && owner.preempts && priority < owner.priority;
}

Reservations::Passing::Passing(Reservations& holds, std::optional<Time> ends, std::int32_t priority, bool preemptible)
    : holds_(holds) {
  for (std::size_t i = 0; i < holds.holds_.size(); ++i) {
    if (!holds.may_pass(holds.holds_[i], ends, priority, preemptible)) continue;
    holds.take(holds.holds_[i], -1);
    lifted_.push_back(i);
  }
}

Reservations::Passing::~Passing() {
  for (const std::size_t i : lifted_) holds_.take(holds_.holds_[i], 1);
}

}  // namespace berth::engine
