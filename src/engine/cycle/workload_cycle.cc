#include "engine/cycle/workload_cycle.h"

#include <algorithm>
#include <utility>

#include "base/mutant.h"
#include "engine/amounts.h"
#include "engine/cycle/budgets.h"
#include "engine/cycle/reclaim.h"
#include "engine/fit/capacity.h"
#include "engine/gang/to_come.h"
#include "engine/score/policy_keeper.h"
#include "engine/score/scores.h"

namespace berth::engine {
WorkloadCycle::WorkloadCycle(World& world, Search& search, PolicyKeeper& keeper)
    : world_(world),
      search_(search),
      keeper_(keeper),
      fairness_(world.workloads().queues(), world.workloads().ledger()),
      queue_(world, fairness_),
      placement_(world, search),
      reservations_(world),
      eviction_order_(world) {}

void WorkloadCycle::update(bool between_passes) {
  const std::vector<WorkloadId> changed = world_.take_changed_workloads();
  if (changed.empty()) return;
  queue_.update(changed, between_passes);
  for (const WorkloadId id : changed) eviction_order_.touch(id);
}

void WorkloadCycle::prepare_fairness() {
  if (!fairness_.needs_requests()) return;
  const Workloads& workloads = world_.workloads();
  QueueAmounts requests(workloads.queues().size(), workloads.ledger().resource_count());
  for (std::size_t i = 0; i < workloads.size(); ++i) {
    const Workload& workload = workloads[WorkloadId{i}];
    std::vector<ResourceAmount> asked;
    for (const Group& group : workload.groups) {
      for (const PodId pod : group.members) {
        // Who was evicted comes back and asks again.
        const PodState state = world_.pod(pod).state;
        if (state != PodState::kPending && state != PodState::kEvicted) continue;
        for (const ResourceAmount& each : world_.shape_of(pod).charge) add_amount(asked, each);
      }
    }
    for (const ResourceAmount& each : added_charge(workload, asked))
      for (const QueueId queue : workload.queues) requests.at(queue, each.resource) += each.amount;
  }
  fairness_.prepare(std::move(requests));
}

void WorkloadCycle::begin_pass(Time now) {
  now_ = now;
  update(true);
  prepare_fairness();
  queue_.begin_pass();
  asked_to_reserve_.assign(world_.workloads().queues().size(), false);
}

bool WorkloadCycle::end_pass() {
  reservations_.clear();
  return reservations_.shrank();
}

void WorkloadCycle::run_until(PodId pod, std::vector<Decision>& decisions) {
  while (const std::optional<WorkloadId> id = queue_.head()) {
    if (!pod.is_none() && !queue_.before(*id, pod)) return;
    queue_.pop(*id);
    if (queue_.is_parked(*id) || !attempt(*id, decisions)) {
      failed(*id);
    } else {
      update();
      queue_.push(*id);
    }
  }
}

bool WorkloadCycle::may_start(const Workload& workload, Turn turn) const {
  const QueueTree& tree = world_.workloads().queues();
  return std::ranges::all_of(workload.queues, [&](QueueId queue) {
    const QueueState state = tree.state(queue);
    // What a closed queue holds may become whole again, and nothing more.
    return state == QueueState::kUsable || (state == QueueState::kClosed && turn == Turn::kDamaged) ||
           mutant("Rule.QueueState");
  });
}

// When it is over if it starts now, or nothing if nobody said how long it runs.
std::optional<Time> WorkloadCycle::ends(const Workload& workload) const {
  if (workload.input.runs_for_seconds) return now_ + *workload.input.runs_for_seconds;
  std::int64_t longest = 0;
  for (const Group& group : workload.groups) {
    for (const PodId member : group.members) {
      const Pod& pod = world_.pod(member);
      if (!pod.runs_for_seconds) return std::nullopt;
      longest = std::max(longest, *pod.runs_for_seconds);
    }
  }
  return now_ + longest;
}

Passer WorkloadCycle::passer_of(const Workload& workload) const {
  Passer result{.ends = {},
                .queue = workload.queue(),
                .priority = workload.input.priority,
                .preemptible = workload.input.preemptible};
  if (!reserves()) return result;
  result.ends = ends(workload);
  for (const Group& group : workload.groups)
    for (const PodId pod : group.members) result.preemptible = result.preemptible && !is_protected(world_, pod);
  return result;
}

bool WorkloadCycle::attempt(WorkloadId id, std::vector<Decision>& decisions) {
  const Workload& workload = world_.workloads()[id];
  const Turn turn = queue_.turn(id);
  if (!may_start(workload, turn)) return false;
  std::int64_t members = 0;
  for (const Group& group : workload.groups) members += static_cast<std::int64_t>(group.members.size());
  keeper_.follow(world_, members);
  const Passer passer = passer_of(workload);
  const std::vector<ResourceAmount> held_to_come = reservations_.to_come(passer);
  const PlacementOptions options{.fairness = &fairness_, .held_to_come = held_to_come};
  {
    const Reservations::Passing passing(reservations_, passer);
    const bool whole = is_satisfied(workload);
    const PlacementOutcome outcome =
        whole ? placement_.grow(workload, options, turn == Turn::kDamaged) : placement_.place_core(workload, options);
    if (outcome == PlacementOutcome::kPlaced) {
      carry_out(id, {}, decisions);
      return true;
    }
    // Nobody goes for what a workload can do without.
    if (whole || outcome == PlacementOutcome::kTooFewMembers) return false;
  }
  const auto victims = reclaim(world_, placement_, eviction_order_, id, options, now_);
  if (!victims) return false;
  std::vector<std::pair<PodId, NodeId>> gone;
  for (const Victim& victim : *victims) gone.emplace_back(victim.pod, victim.node);
  carry_out(id, gone, decisions);
  return true;
}

void WorkloadCycle::carry_out(WorkloadId id, const std::vector<std::pair<PodId, NodeId>>& victims,
                              std::vector<Decision>& decisions) {
  world_.commit();
  const PodId first = placement_.placed().front().pod;
  for (const auto& [pod, node] : victims) {
    decisions.push_back({.kind = Decision::Kind::kEvict,
                         .pod = pod,
                         .node = node,
                         .beneficiary = first,
                         .workload = id,
                         .score = 0,
                         .cards = {}});
    if (const WorkloadId loser = world_.pod(pod).workload; !loser.is_none()) world_.touch_workload(loser);
  }
  for (const PlacedPod& placed : placement_.placed()) {
    decisions.push_back({.kind = Decision::Kind::kPlace,
                         .pod = placed.pod,
                         .node = placed.choice.node,
                         .beneficiary = {},
                         .workload = id,
                         .score = placed.choice.score / unit_of(*world_.shape_of(placed.pod).profile),
                         .cards = world_.pod(placed.pod).cards});
  }
}

void WorkloadCycle::failed(WorkloadId id) {
  const Workload& workload = world_.workloads()[id];
  const Turn turn = queue_.turn(id);
  if (!queue_.is_parked(id)) {
    queue_.park(id);
    failed_.push_back(id);
  }
  if (turn != Turn::kGrow) reserve(id);
  const QueueInput& queue = world_.workloads().queues().input(workload.queue());
  if (queue.strict && turn == Turn::kStart && !mutant("Rule.StrictQueue")) queue_.block(workload.queue());
}

void WorkloadCycle::reserve(WorkloadId id) {
  const Workload& workload = world_.workloads()[id];
  const Turn turn = queue_.turn(id);
  if (!may_start(workload, turn)) return;
  if (turn == Turn::kDamaged) {
    keep(hole_of(world_, placement_, id, search_, HoldReason::kLostMembers));
    return;
  }
  // Who can never start has no claim, however long it waits.
  if (is_hopeless(workload)) return;
  if (workload.input.deadline && *workload.input.deadline <= now_ && !mutant("Rule.HoldAfterDeadline")) {
    keep(hole_of(world_, placement_, id, search_, HoldReason::kWaitingTime));
    return;
  }
  const QueueId queue = workload.queue();
  if (asked_to_reserve_[queue.index()] || !world_.workloads().queues().input(queue).reserves) return;
  // Only the first: who waits behind it has no claim yet.
  const PlacementOptions options{.fairness = &fairness_};
  const bool held = keep(dated_hold(world_, placement_, id, options, now_)) ||
                    keep(overtaken_hold(world_, placement_, id, options, queue_.by_priority(queue)));
  asked_to_reserve_[queue.index()] = held || has_a_node(workload);
}

// Is there a node for each of its pods, once it is empty?
bool WorkloadCycle::has_a_node(const Workload& workload) const {
  if (mutant("Rule.WhoFitsNoNodeIsNotFirst")) return true;
  const TopologyPlan no_rules;
  bool result = false;
  (void)for_each_core(workload, wanting_of(world_, workload), 1, [&](const Core& core) {
    result = std::ranges::all_of(core, [&](const CorePart& part) {
      const Question question{world_, world_.shape(part.shape), no_rules, true};
      return std::ranges::any_of(world_.by_rank(), [&](NodeId node) { return how_many_fit(question, node) > 0; });
    });
    return true;
  });
  return result;
}

bool WorkloadCycle::keep(std::optional<Reservation> hold) {
  if (!hold) return false;
  reservations_.add(*std::move(hold));
  return true;
}

// By its queues' limits, or by what the hardware has in sum.
bool WorkloadCycle::is_hopeless(const Workload& workload) const {
  bool hopeless = true;
  (void)for_each_core(workload, wanting_of(world_, workload), 1, [&](const Core& core) {
    const std::optional<QuotaBlock> block = quota_block(world_, fairness_, workload, core);
    const Ledger& ledger = world_.workloads().ledger();
    hopeless =
        (block && block->never()) || std::ranges::any_of(charge_of(world_, core), [&](const ResourceAmount& each) {
          return each.amount > ledger.hardware(each.resource);
        });
    return true;
  });
  return hopeless && !mutant("Rule.HopelessHeadsKeepNothing");
}

Reservations::Passing WorkloadCycle::pass_for(PodId pod_id) {
  const Pod& pod = world_.pod(pod_id);
  Passer passer{.ends = {}, .priority = world_.shape(pod.shape).input.priority};
  if (pod.runs_for_seconds) passer.ends = now_ + *pod.runs_for_seconds;
  passer.preemptible = !is_protected(world_, pod_id);
  return {reservations_, passer};
}

}  // namespace berth::engine
