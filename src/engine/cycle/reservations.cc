#include "engine/cycle/reservations.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <utility>

#include "base/mutant.h"
#include "engine/amounts.h"
#include "engine/devices/holdings.h"

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

// The claims of the workload's members that have devices.
std::set<NameId> claims_with_devices(const World& world, const Workload& workload) {
  std::set<NameId> result;
  for (const Group& group : workload.groups)
    for (const PodId pod : group.members)
      for (const NameId claim : world.pod(pod).claims)
        if (world.holdings().grant(claim) != nullptr) result.insert(claim);
  return result;
}

// What the placed pods take, node by node, less what `gone` pods of that node leave to them. `had`: claims that have
// their devices already.
std::vector<HeldRoom> rooms_of(const World& world, const std::vector<PlacedPod>& placed,
                               const std::vector<std::pair<NodeId, ShapeId>>& gone, std::set<NameId> had) {
  std::map<NodeId, std::map<ResourceId, Amount>> sums;
  std::map<NodeId, std::vector<CardAssignment>> cards;
  std::map<NodeId, std::vector<devices::Grant>> grants;
  for (const PlacedPod& each : placed) {
    add_amounts(sums[each.choice.node], world.shape_of(each.pod), 1);
    for (const CardAssignment& assignment : world.pod(each.pod).cards) cards[each.choice.node].push_back(assignment);
    for (const NameId claim : world.pod(each.pod).claims) {
      const devices::Grant* grant = world.holdings().grant(claim);
      if (grant != nullptr && had.insert(claim).second) grants[each.choice.node].push_back(*grant);
    }
  }
  for (const auto& [node, shape] : gone) {
    if (const auto found = sums.find(node); found != sums.end()) add_amounts(found->second, world.shape(shape), -1);
  }
  std::vector<HeldRoom> result;
  for (const auto& [node, amounts] : sums) {
    HeldRoom room{.node = node, .amounts = {}, .cards = {}, .grants = {}};
    for (const auto& [resource, amount] : amounts) {
      if (amount > 0) room.amounts.push_back({resource, amount});
    }
    room.cards = std::move(cards[node]);
    if (!mutant("Rule.DevicesAreKept")) room.grants = std::move(grants[node]);
    result.push_back(std::move(room));
  }
  return result;
}

// Keeps of the cards and devices to hold those that are free while everybody runs; the others are no use to anybody
// before.
void keep_what_is_free(const World& world, HeldRoom& room) {
  for (devices::Grant& grant : room.grants)
    std::erase_if(grant.devices, [&](const devices::DeviceAllocation& device) {
      const devices::Usage& usage = world.holdings().usage();
      return device.shared ? usage.held(device.device) : usage.in_use(device.device);
    });
  std::erase_if(room.grants, [](const devices::Grant& grant) { return grant.devices.empty(); });
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

// How many members each leaf lacks for the whole to be whole again, or of a workload that is whole for the groups to be
// that lost members. Of groups of which not all are needed those that hold most come first.
class Lacks {
 public:
  Lacks(const World& world, const Workload& workload)
      : world_(world), workload_(workload), result_(workload.groups.size(), 0) {}

  std::vector<std::int32_t> run() {
    if (!is_satisfied(workload_)) {
      fill(0);
      return result_;
    }
    std::vector<bool> seen(workload_.groups.size(), false);
    for (std::uint32_t leaf = 0; leaf < workload_.groups.size(); ++leaf) {
      if (!workload_.groups[leaf].is_leaf()) continue;
      const std::uint32_t group = growth_of(workload_, leaf);
      if (group == kNoGroup || seen[group] || workload_.groups[group].placed == 0) continue;
      seen[group] = true;
      fill(group);
    }
    return result_;
  }

 private:
  void fill(std::uint32_t group) {
    const Group& here = workload_.groups[group];
    const GroupInput& input = workload_.input.groups[group];
    std::vector<std::uint32_t> children;
    for (const std::uint32_t child : here.children)
      if (!is_group_satisfied(workload_, child)) children.push_back(child);
    std::ranges::stable_sort(children, std::ranges::greater{},
                             [&](std::uint32_t child) { return workload_.groups[child].placed; });
    const auto satisfied = static_cast<std::int32_t>(here.children.size() - children.size());
    const std::int32_t wanted = std::min(input.minimum_children, static_cast<std::int32_t>(here.children.size()));
    for (std::int32_t i = 0; i < wanted - satisfied; ++i) fill(children[static_cast<std::size_t>(i)]);
    std::int32_t missing = input.minimum_pods - here.placed - here.succeeded;
    for (std::uint32_t leaf = group; leaf < workload_.groups.size(); ++leaf)
      if (is_group_below(workload_, leaf, group)) missing -= result_[leaf];
    if (missing > 0) spread(group, missing);
  }
  // To leaves whose members wait, and the rest to the one that holds most.
  void spread(std::uint32_t group, std::int32_t missing) {
    std::uint32_t fullest = kNoGroup;
    for (std::uint32_t leaf = group; leaf < workload_.groups.size(); ++leaf) {
      if (!workload_.groups[leaf].is_leaf() || !is_group_below(workload_, leaf, group)) continue;
      const auto waiting = static_cast<std::int32_t>(world_.wanting(workload_.groups[leaf]).size());
      const std::int32_t here = std::clamp(waiting - result_[leaf], 0, missing);
      result_[leaf] += here;
      missing -= here;
      if (fullest == kNoGroup || workload_.groups[leaf].placed > workload_.groups[fullest].placed) fullest = leaf;
    }
    if (fullest != kNoGroup) result_[fullest] += missing;
  }

  const World& world_;
  const Workload& workload_;
  std::vector<std::int32_t> result_;
};

std::vector<std::int32_t> lacks_of(const World& world, const Workload& workload) {
  return Lacks(world, workload).run();
}

// A member that stands for those that the leaf lost: one of its own, or the largest of the workload, as nobody knows
// any more how they looked.
PodId model_of(const World& world, const Workload& workload, std::uint32_t leaf) {
  const std::vector<PodId>& own = workload.groups[leaf].members;
  if (!own.empty()) return *std::ranges::min_element(own, [&](PodId a, PodId b) { return world.before(a, b); });
  const auto size = [&](PodId pod) {
    Amount cards = 0;
    for (const CardRequest& each : world.shape_of(pod).input.cards) cards += each.total();
    return std::pair(cards, amount_in(world.shape_of(pod).charge, kCpu));
  };
  PodId largest;
  for (const Group& group : workload.groups) {
    for (const PodId pod : group.members) {
      if (largest.is_none() || size(pod) > size(largest) || (size(pod) == size(largest) && world.before(pod, largest)))
        largest = pod;
    }
  }
  return largest;
}

// Room for one more pod like this one where it would go now.
std::optional<HeldRoom> room_like(World& world, Search& search, PodId model, const Bitmap& allowed) {
  const ShapeId like = world.shape_like(model);
  const Shape& shape = world.shape(like);
  if (shape.profile == nullptr) return std::nullopt;
  const Choice choice = search.best(like, NameId::none(), world.pod(model).tie, {}, &allowed);
  if (choice.node.is_none()) return std::nullopt;
  HeldRoom room{.node = choice.node, .amounts = shape.charge, .cards = {}, .grants = {}};
  if (!mutant("Rule.DevicesAreKept"))
    room.grants = world.holdings().preview(shape.input.claims, choice.node, world.node(choice.node).input);
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
  const std::set<NameId> had = claims_with_devices(world, workload);
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
    if (fits) rooms = rooms_of(world, placement.placed(), gone, had);
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
  for (HeldRoom& room : rooms) keep_what_is_free(world, room);
  return Reservation{owner, ends[high - 1].at, HoldReason::kRunTimes, std::move(rooms)};
}

namespace {

// Is a queue of the workload above what it is guaranteed?
bool borrows(const World& world, const Workload& workload) {
  const Ledger& ledger = world.workloads().ledger();
  const QueueTree& tree = world.workloads().queues();
  for (QueueId at = workload.queue(); at != QueueTree::kRoot; at = tree.parent(at))
    for (const QuotaInput& quota : tree.input(at).quotas)
      if (ledger.used(at, quota.resource) > ledger.quota(at, quota.resource)) return true;
  return false;
}

}  // namespace

std::optional<Reservation> overtaken_hold(World& world, JointPlacement& placement, WorkloadId owner,
                                          const PlacementOptions& options, bool by_priority) {
  if (mutant("Rule.OvertakenHold")) return std::nullopt;
  const Workload& workload = world.workloads()[owner];
  std::vector<PodId> overtakers;
  for (std::size_t i = 0; i < world.pod_slots(); ++i) {
    const Pod& pod = world.pod(PodId{i});
    if (pod.state != PodState::kPlaced || pod.workload == owner) continue;
    const Workload* other = pod.workload.is_none() ? nullptr : &world.workloads()[pod.workload];
    const QueueId queue = other == nullptr ? QueueTree::kRoot : other->queue();
    if (queue != workload.queue() && queue != QueueTree::kRoot) continue;
    if ((other == nullptr ? pod.created : other->input.created) <= workload.input.created) continue;
    const std::int32_t priority = other == nullptr ? world.shape(pod.shape).input.priority : other->input.priority;
    const bool by_age = !by_priority && queue == workload.queue();
    if (by_age || priority <= workload.input.priority) overtakers.emplace_back(i);
  }
  if (overtakers.empty()) return std::nullopt;
  const std::set<NameId> had = claims_with_devices(world, workload);
  const World::Mark mark = world.mark();
  std::vector<std::pair<NodeId, ShapeId>> gone;
  for (const PodId pod : overtakers) {
    gone.emplace_back(world.pod(pod).node, world.pod(pod).shape);
    world.unplace(pod, PodState::kEvicted);
  }
  std::vector<HeldRoom> rooms;
  // Who would borrow has no right to what others are guaranteed.
  if (placement.place_core(workload, options) == PlacementOutcome::kPlaced && !borrows(world, workload))
    rooms = rooms_of(world, placement.placed(), gone, had);
  world.rollback(mark);
  if (rooms.empty()) return std::nullopt;
  for (HeldRoom& room : rooms) keep_what_is_free(world, room);
  return Reservation{owner, std::nullopt, HoldReason::kOvertaken, std::move(rooms)};
}

std::optional<Reservation> hole_of(World& world, JointPlacement& placement, WorkloadId owner, Search& search,
                                   HoldReason why) {
  if (mutant("Rule.HoleIsKept")) return std::nullopt;
  const Workload& workload = world.workloads()[owner];
  const std::set<NameId> had = claims_with_devices(world, workload);
  const World::Mark mark = world.mark();
  std::vector<PlacedPod> placed;
  std::vector<HeldRoom> modelled;
  const std::vector<std::int32_t> lacks = lacks_of(world, workload);
  for (std::uint32_t group = 0; group < workload.groups.size(); ++group) {
    const Group& leaf = workload.groups[group];
    std::int32_t missing = lacks[group];
    if (missing == 0) continue;
    for (const PodId pod : world.wanting(leaf)) {
      if (missing <= 0) break;
      if (placement.place(workload, {{group, world.pod(pod).shape, {pod}}}, {}) != PlacementOutcome::kPlaced) continue;
      placed.push_back(placement.placed().front());
      --missing;
    }
    if (missing == 0) continue;
    const PodId model = model_of(world, workload, group);
    if (model.is_none()) continue;
    const Bitmap allowed = allowed_nodes(world, placement.trees(), workload, group);
    for (; missing > 0; --missing) {
      std::optional<HeldRoom> room = room_like(world, search, model, allowed);
      if (!room) break;
      world.hold(*room, 1);
      modelled.push_back(*std::move(room));
    }
  }
  Reservation hold{owner, std::nullopt, why, rooms_of(world, placed, {}, had)};
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
      if (!world_.node(room.node).alive) continue;
      if (room.grants.empty()) {
        world_.loosen_node(room.node);
        continue;
      }
      // Other nodes may reach the devices.
      for (const NodeId node : world_.by_rank()) world_.loosen_node(node);
    }
  }
  last_ = std::exchange(holds_, {});
}

bool Reservations::may_pass(const Reservation& hold, std::optional<Time> ends, std::int32_t priority,
                            bool preemptible) const {
  if (hold.why == HoldReason::kLostMembers || hold.why == HoldReason::kWaitingTime || mutant("Rule.Backfill"))
    return false;
  if (hold.from && ends && *ends <= *hold.from) return true;
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
