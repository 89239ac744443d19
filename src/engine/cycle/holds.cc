#include "engine/cycle/holds.h"

#include <algorithm>
#include <map>
#include <utility>

#include "base/mutant.h"
#include "engine/cycle/eviction_units.h"
#include "engine/devices/holdings.h"

namespace berth::engine {

namespace {

// Those who end in one second end together: which of them the world names first must not matter.
struct Ending {
  Time at = 0;
  std::vector<PodId> pods;
};

// Running pods whose end is declared and still to come, by time: what a pod says itself, else what its workload says of
// the whole, from when the first of it started. O(pods).
std::vector<Ending> endings(const World& world, Time now) {
  std::map<Time, std::vector<PodId>> by_time;
  std::map<WorkloadId, std::pair<Time, std::vector<PodId>>> of_workloads;  // the first start, those that say nothing
  const auto add = [&](Time end, PodId pod) {
    if (end > now) by_time[end].push_back(pod);
  };
  for (std::size_t i = 0; i < world.pod_slots(); ++i) {
    const Pod& pod = world.pod(PodId{i});
    if (pod.state != PodState::kPlaced) continue;
    const Time started = pod.started.value_or(now);
    if (pod.runs_for_seconds) add(started + *pod.runs_for_seconds, PodId{i});
    if (pod.workload.is_none() || !world.workloads()[pod.workload].input.runs_for_seconds) continue;
    auto& [first, silent] = of_workloads.try_emplace(pod.workload, started, std::vector<PodId>()).first->second;
    first = std::min(first, started);
    if (!pod.runs_for_seconds) silent.push_back(PodId{i});
  }
  for (const auto& [workload, members] : of_workloads)
    for (const PodId pod : members.second)
      add(members.first + *world.workloads()[workload].input.runs_for_seconds, pod);
  std::vector<Ending> result;
  for (auto& [at, pods] : by_time) result.push_back({at, std::move(pods)});
  return result;
}

void add_amounts(std::map<ResourceId, Amount>& sums, const Shape& shape, int sign) {
  for (const ResourceAmount& each : taken_of(shape.input)) sums[each.resource] += sign * each.amount;
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
                  [&](std::uint16_t card) { return group == nullptr || !group->has(card, assignment); });
  }
  std::erase_if(room.cards, [](const CardAssignment& assignment) { return assignment.cards.empty(); });
}

// Takes off what those that are gone by then leave beyond what they leave to the rooms.
void take_off_what_ends(const World& world, const std::vector<std::pair<NodeId, ShapeId>>& gone,
                        const std::vector<PlacedPod>& placed, const std::vector<HeldRoom>& rooms,
                        std::vector<ResourceAmount>& to_come) {
  std::map<ResourceId, Amount> over;
  for (const auto& [node, shape] : gone) add_amounts(over, world.shape(shape), 1);
  for (const PlacedPod& each : placed) add_amounts(over, world.shape_of(each.pod), -1);
  for (const HeldRoom& room : rooms)
    for (const ResourceAmount& each : room.amounts) over[each.resource] += each.amount;
  for (ResourceAmount& each : to_come) each.amount -= std::max<Amount>(over[each.resource], 0);
  std::erase_if(to_come, [](const ResourceAmount& each) { return each.amount <= 0; });
}

// Is a queue of the workload above what it is guaranteed?
bool borrows(const World& world, const Workload& workload) {
  const Ledger& ledger = world.workloads().ledger();
  const QueueTree& tree = world.workloads().queues();
  for (QueueId at = workload.queue(); at != QueueTree::kRoot; at = tree.parent(at))
    for (const QuotaInput& quota : tree.input(at).quotas)
      if (quota.guarantee && ledger.used(at, quota.resource) > ledger.quota(at, quota.resource)) return true;
  return false;
}

}  // namespace

std::vector<ResourceAmount> kept_by(const Workload& workload) {
  std::vector<ResourceAmount> result;
  if (mutant("Rule.HoldsKeepPodsToCome")) return result;
  for (std::size_t i = 0; i < workload.kept.size(); ++i)
    if (workload.kept[i] > 0) result.push_back({workload.input.minimum_amounts[i].resource, workload.kept[i]});
  return result;
}

std::set<NameId> claims_with_devices(const World& world, const Workload& workload) {
  std::set<NameId> result;
  for (const Group& group : workload.groups)
    for (const PodId pod : group.members)
      for (const NameId claim : world.pod(pod).claims)
        if (world.holdings().grant(claim) != nullptr) result.insert(claim);
  return result;
}

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

std::optional<Reservation> dated_hold(World& world, JointPlacement& placement, WorkloadId owner,
                                      const PlacementOptions& options, Time now) {
  if (mutant("Rule.Reservation")) return std::nullopt;
  const std::vector<Ending> ends = endings(world, now);
  if (ends.empty()) return std::nullopt;
  const Workload& workload = world.workloads()[owner];
  const std::set<NameId> had = claims_with_devices(world, workload);
  std::vector<HeldRoom> rooms;
  std::vector<ResourceAmount> to_come;
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
    if (fits) {
      rooms = rooms_of(world, placement.placed(), gone, had);
      to_come = kept_by(workload);
      take_off_what_ends(world, gone, placement.placed(), rooms, to_come);
    }
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
  return Reservation{owner, ends[high - 1].at, HoldReason::kRunTimes, std::move(rooms), std::move(to_come)};
}

// The one of `common`'s children that the queue is, or is below.
QueueId side_of(const QueueTree& tree, QueueId queue, QueueId common) {
  while (queue != common && tree.parent(queue) != common) queue = tree.parent(queue);
  return queue;
}

// A queue that goes after that of the workload can overtake it with what is beyond its own guarantee.
bool can_overtake(const World& world, const Fairness& fairness, const Workload& workload, QueueId queue, PodId pod) {
  const QueueId own = workload.queue();
  if (queue == own || queue == QueueTree::kRoot) return true;
  if (own == QueueTree::kRoot || mutant("Rule.OvertakenByOtherQueues")) return false;
  const QueueTree& tree = world.workloads().queues();
  const QueueId common = tree.common(own, queue);
  const QueueId mine = side_of(tree, own, common);
  const QueueId theirs = side_of(tree, queue, common);
  if (mine != common && theirs != common && fairness.compare(theirs, mine) < 0) return false;
  return !is_within_guarantee(world, queue, common, {pod}, nullptr, &fairness);
}

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
    if ((other == nullptr ? pod.created : other->input.created) <= workload.input.created) continue;
    const std::int32_t priority = other == nullptr ? world.shape(pod.shape).input.priority : other->input.priority;
    const bool by_age = !by_priority && queue == workload.queue();
    if (!by_age && priority > workload.input.priority) continue;
    if (can_overtake(world, *options.fairness, workload, queue, PodId{i})) overtakers.emplace_back(i);
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
  std::vector<ResourceAmount> to_come;
  // Who would borrow has no right to what others are guaranteed.
  if (placement.place_core(workload, options) == PlacementOutcome::kPlaced && !borrows(world, workload)) {
    rooms = rooms_of(world, placement.placed(), gone, had);
    to_come = kept_by(workload);
    take_off_what_ends(world, gone, placement.placed(), rooms, to_come);
  }
  world.rollback(mark);
  if (rooms.empty()) return std::nullopt;
  for (HeldRoom& room : rooms) keep_what_is_free(world, room);
  return Reservation{owner, std::nullopt, HoldReason::kOvertaken, std::move(rooms), std::move(to_come)};
}

}  // namespace berth::engine
