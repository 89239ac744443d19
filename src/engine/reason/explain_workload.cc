#include "engine/reason/explain_workload.h"

#include <algorithm>
#include <functional>
#include <limits>

#include "engine/cycle/promises.h"
#include "engine/cycle/reservations.h"
#include "engine/reason/classify.h"
#include "engine/reason/kept_for.h"
#include "engine/reason/returned.h"
#include "engine/reason/shortage.h"

namespace berth::engine {
namespace {

class Explanation {
 public:
  Explanation(World& world, WorkloadCycle& cycle, PodId pod, Time now)
      : world_(world),
        cycle_(cycle),
        placement_(cycle.placement()),
        pod_(pod),
        id_(world.pod(pod).workload),
        workload_(world.workloads()[id_]),
        now_(now) {}

  Reason make() {
    if (!workload_.known || world_.pod(pod_).group == kNoGroup) return not_ready();
    grows_ = is_satisfied(workload_);
    if (grows_) growth_ = growth_of(workload_, world_.pod(pod_).group);
    facts_.name = workload_.input.name;
    facts_.placed = workload_.placed();
    count_members();
    place_in_queue();
    find_bounds();
    Reason reason = describe(subject());
    const bool member_fits = reason.reason_class == ReasonClass::kNone;
    reason.reason_class = classify_workload(reason);
    if (member_fits) describe_amounts(reason);
    if (reason.reason_class == ReasonClass::kNeverFits) {
      facts_.start_basis = WorkloadFacts::StartBasis::kNever;
    } else {
      find_start();
    }
    reason.workload = std::move(facts_);
    return reason;
  }

 private:
  Reason not_ready() {
    Reason reason;
    reason.reason_class = ReasonClass::kNotReady;
    reason.total_nodes = static_cast<std::uint32_t>(world_.rank_count());
    const bool known = workload_.known;
    reason.hold = {known ? HoldCause::kMissingGroup : HoldCause::kMissingWorkload,
                   known ? world_.pod(pod_).group_name : workload_.input.name};
    return reason;
  }

  [[nodiscard]] ShapeId shape_of(PodId pod) const { return world_.pod(pod).shape; }
  Question ask(PodId pod) {
    const ShapeId shape = shape_of(pod);
    Question question{
        .world = world_, .shape = world_.shape(shape), .plan = world_.topology().plan(shape), .closed = {}};
    closed_ = closed_nodes(world_, question, pod);
    question.closed = closed_;
    return question;
  }
  Reason describe(PodId pod) { return explain_pod(world_, ask(pod), pod); }

  // A member that fits has no shortage of its own; the amounts are still what people ask about.
  void describe_amounts(Reason& reason) { describe_shortage(ask(subject()), {}, reason); }

  // Runs a look at a changed world and takes the change back.
  template <class Look>
  auto in_transaction(Look look) {
    const World::Mark mark = world_.mark();
    auto result = look();
    world_.rollback(mark);
    return result;
  }
  bool fits(const PlacementOptions& options) {
    return in_transaction([&] {
      const PlacementOutcome outcome =
          grows_ ? placement_.place(workload_, own_core(), options) : placement_.place_core(workload_, options);
      facts_.search_limit = facts_.search_limit || outcome == PlacementOutcome::kSearchLimit;
      return outcome == PlacementOutcome::kPlaced;
    });
  }
  bool fits_emptied(bool lifted) {
    return in_transaction([&] {
      unplace_all_others();
      return fits({.lifted = lifted, .unpromised = true});
    });
  }
  // A member above the minimums waits for its own siblings as well.
  void unplace_all_others() {
    for (std::size_t i = 0; i < world_.pod_slots(); ++i) {
      if (world_.pod(PodId{i}).state == PodState::kPlaced && (grows_ || world_.pod(PodId{i}).workload != id_)) {
        world_.unplace(PodId{i}, PodState::kEvicted);
      }
    }
  }
  // What the pod would come with: itself, its slice, or what its group lacks.
  [[nodiscard]] Core own_core() const {
    if (growth_ != kNoGroup || facts_.required > 1) return core_;
    return {{world_.pod(pod_).group, shape_of(pod_), {pod_}}};
  }

  void count_members() {
    const Wanting wanting = wanting_of(world_, workload_);
    if (grows_ && growth_ == kNoGroup) {
      const std::uint32_t leaf = world_.pod(pod_).group;
      const std::int32_t slice = growth_in_slices(world_, workload_, leaf, placement_.trees());
      facts_.required = std::max(slice, 1);
      facts_.wanting = slice > 1 ? wanting.count(leaf) : 1;
      too_few_ = facts_.wanting < facts_.required;
      for_each_growth(wanting, leaf, facts_.required, [&](const Core& core) {
        core_ = core;
        return true;
      });
      return;
    }
    const std::uint32_t top = grows_ ? growth_ : 0;
    std::vector<std::int32_t> needed(workload_.groups.size(), 0);
    const auto keep = [&](const Core& core) {
      core_ = core;
      return true;
    };
    const CoreSearch search = for_each_core(workload_, wanting, 1, keep, top);
    too_few_ = search != CoreSearch::kStopped;
    for (const CorePart& demand : core_) needed[demand.group] += static_cast<std::int32_t>(demand.pods.size());
    const std::vector<std::int32_t> fitting = how_many_fit_one_by_one(wanting);
    for (std::uint32_t group = 0; group < workload_.groups.size(); ++group) {
      const Group& leaf = workload_.groups[group];
      if (!leaf.is_leaf() || !is_group_below(workload_, group, top)) continue;
      const std::int32_t lacks = std::max(workload_.input.groups[group].minimum_pods - leaf.placed - leaf.succeeded, 0);
      const std::int32_t required = too_few_ ? lacks : std::max(needed[group], 0);
      // Minimums may be any numbers.
      facts_.required += std::min(required, std::numeric_limits<std::int32_t>::max() - facts_.required);
      facts_.wanting += wanting.count(group);
      facts_.fitting += fitting[group];
      if (required == 0) continue;
      facts_.groups.push_back({workload_.groups.size() > 1 ? workload_.input.groups[group].name : NameId::none(),
                               required, wanting.count(group), fitting[group]});
    }
    const Group& root = workload_.groups[top];
    facts_.required =
        std::max(facts_.required, workload_.input.groups[top].minimum_pods - root.placed - root.succeeded);
  }
  std::vector<std::int32_t> how_many_fit_one_by_one(const Wanting& wanting) {
    std::vector<std::int32_t> result(workload_.groups.size(), 0);
    return in_transaction([&] {
      for (std::uint32_t group = 0; group < result.size(); ++group) {
        for (const Wanting::OfShape& shape : wanting.by_group[group]) {
          for (const PodId pod : shape.pods) {
            if (placement_.place(workload_, {{group, shape.shape, {pod}}}, {.any_domain = true}) !=
                PlacementOutcome::kPlaced)
              break;
            ++result[group];
          }
        }
      }
      return result;
    });
  }

  // The member whose shape has the least room for its number; it stands for the workload in what nodes say.
  PodId subject() {
    if (core_.empty()) return pod_;
    const auto short_by = [&](const CorePart& demand) {
      return placement_.rooms().of(demand.shape).total() - static_cast<std::int64_t>(demand.pods.size());
    };
    return std::ranges::min_element(core_, {}, short_by)->pods.front();
  }

  void place_in_queue() {
    const QueueId queue = workload_.queue();
    if (queue != QueueTree::kRoot) facts_.queue = world_.workloads().queues().input(queue).name;
    const WorkloadQueue::Standing standing = cycle_.queue().standing(id_);
    facts_.queue_length = static_cast<std::uint32_t>(standing.length);
    facts_.position = static_cast<std::uint32_t>(standing.position);
  }

  // The tightest domain that members who run bind the pod to.
  void find_bounds() {
    for (std::uint32_t group = world_.pod(pod_).group;; group = workload_.input.groups[group].parent) {
      const TopologyRule& rule = workload_.input.groups[group].topology;
      for (std::uint32_t leaf = group; leaf < workload_.groups.size() && !rule.required.is_none(); ++leaf) {
        if (!is_group_below(workload_, leaf, group)) continue;
        for (const PodId member : workload_.groups[leaf].members) {
          if (world_.pod(member).state != PodState::kPlaced) continue;
          const DomainTree& tree = placement_.trees().tree(placement_.trees().levels_of(rule));
          const std::size_t level = tree.level_of(rule.required);
          const std::uint32_t domain = tree.domain_of(level, world_.pod(member).node);
          if (domain == DomainTree::kNone) continue;
          facts_.bound_level = rule.required;
          facts_.bound_domain = tree.domains(level)[domain].value;
          return;
        }
      }
      if (group == 0) return;
    }
  }

  bool denied() {
    const QueueTree& tree = world_.workloads().queues();
    for (const QueueId queue : workload_.queues) {
      const QueueState state = tree.state(queue);
      if (state == QueueState::kUsable || (state == QueueState::kClosed && is_damaged(workload_))) continue;
      facts_.queue = tree.input(queue).name;
      facts_.cause_queue = tree.input(tree.culprit(queue)).name;
      facts_.queue_state = state;
      return true;
    }
    return false;
  }

  ReasonClass classify_workload(Reason& reason) {
    const ReasonClass result = classify_as_it_is(reason);
    if (result != ReasonClass::kBusy || grows_) return result;
    const WorkloadId ahead =
        returned_before(world_, shape_of(subject()), workload_.input.created, workload_.input.priority, id_);
    if (ahead.is_none()) return result;
    facts_.reserved_for = world_.workloads()[ahead].input.name;
    return ReasonClass::kReserved;
  }

  ReasonClass classify_as_it_is(Reason& reason) {
    if (denied()) return ReasonClass::kQueueDenied;
    const Core asked = grows_ ? own_core() : core_;
    const std::optional<QuotaBlock> block = quota_block(world_, cycle_.fairness(), workload_, asked);
    if (block) {
      facts_.quota = block;
      facts_.cause_queue = world_.workloads().queues().input(block->queue).name;
    }
    if (block && block->never()) return ReasonClass::kNeverFits;
    if (too_few_) return ReasonClass::kGangIncomplete;
    const bool ever = fits_emptied(true);
    if (!ever && !facts_.search_limit) return never();
    if (block) return ReasonClass::kQuotaExceeded;
    facts_.search_limit = false;
    if (fits({})) return reserved();
    if (fits({.lifted = true})) return excluded(reason);
    if (fits({.any_domain = true})) {
      describe_domain();
      return ReasonClass::kTopologyNoFit;
    }
    if (facts_.search_limit || (facts_.fitting > 0 && facts_.required > 1)) return ReasonClass::kGangIncomplete;
    if (!fits_emptied(false)) {
      reason.excluded_are_full = true;
      return excluded(reason);
    }
    if (reason.reason_class == ReasonClass::kNone) return ReasonClass::kBusy;
    return reason.reason_class;
  }

  // The record of a member that fits by itself says nothing of what excludes nodes; the taint does.
  ReasonClass excluded(Reason& reason) const {
    reason.reason_class = ReasonClass::kNodeExcluded;
    for (const NodeId node : world_.by_rank()) {
      const std::vector<Taint>& taints = world_.node(node).input.taints;
      if (reason.taint.key.is_none() && !taints.empty()) reason.taint = taints.front();
    }
    return ReasonClass::kNodeExcluded;
  }
  // How many members would fit if nobody else ran says more than that all do not.
  ReasonClass never() {
    const bool only_domains = in_transaction([&] {
      unplace_all_others();
      if (!fits({.any_domain = true, .lifted = true})) return false;
      describe_domain();
      return true;
    });
    if (only_domains && !facts_.level.is_none()) return ReasonClass::kNeverFits;
    facts_.needs = facts_.required;
    facts_.offers = in_transaction([&] {
      unplace_all_others();
      std::int64_t fitting = 0;
      for (const std::int32_t pods : how_many_fit_one_by_one(wanting_of(world_, workload_))) fitting += pods;
      return fitting;
    });
    return ReasonClass::kNeverFits;
  }

  ReasonClass reserved() {
    const Reservation* hold = hold_in_the_way(world_, cycle_.reservations().last(), id_, [&] { return fits({}); });
    if (hold != nullptr) {
      facts_.reserved_for = world_.workloads()[hold->owner].input.name;
      facts_.reserved_because = hold->why;
      facts_.reserved_from = hold->from;
    } else if (world_.workloads().queues().input(workload_.queue()).strict) {
      if (const WorkloadId first = first_of_queue(); first != id_ && !first.is_none()) {
        facts_.reserved_for = world_.workloads()[first].input.name;
        facts_.reserved_because = HoldReason::kStrictQueue;
      }
    }
    return ReasonClass::kReserved;
  }

  [[nodiscard]] WorkloadId first_of_queue() const {
    for (std::size_t i = 0; i < world_.workloads().size(); ++i) {
      const WorkloadId other{i};
      if (world_.workloads()[other].queue() == workload_.queue() && cycle_.queue().standing(other).position == 1)
        return other;
    }
    return {};
  }

  // A slice that lost members and finds no room for them where the rest of it runs.
  bool describe_slice() {
    for (std::uint32_t group = 0; group < workload_.groups.size(); ++group) {
      const TopologyRule& rule = workload_.input.groups[group].topology;
      const auto asked = std::ranges::find(core_, group, &CorePart::group);
      if (rule.slice_size == 0 || asked == core_.end()) continue;
      DomainTrees& trees = placement_.trees();
      const DomainTree& tree = trees.tree(trees.levels_of(rule));
      const std::size_t level = tree.level_of(rule.slice_level);
      const std::vector<std::int64_t>& room = placement_.rooms().of(asked->shape).per_domain(tree, level);
      std::vector<std::int64_t> running(room.size(), 0);
      for (const PodId member : workload_.groups[group].members) {
        if (world_.pod(member).state != PodState::kPlaced) continue;
        if (const auto domain = tree.domain_of(level, world_.pod(member).node); domain != DomainTree::kNone)
          ++running[domain];
      }
      for (std::size_t domain = 0; domain < room.size(); ++domain) {
        const std::int64_t rest = running[domain] % rule.slice_size;
        if (rest == 0 || room[domain] >= rule.slice_size - rest) continue;
        facts_.level = rule.slice_level;
        facts_.group = group == 0 ? NameId::none() : workload_.input.groups[group].name;
        facts_.needs = rule.slice_size - rest;
        facts_.offers = room[domain];
        facts_.best_domain = tree.domains(level)[domain].value;
        return true;
      }
    }
    return false;
  }

  void describe_domain() {
    if (describe_slice()) return;
    for (std::uint32_t group = 0; group < workload_.groups.size(); ++group) {
      const TopologyRule& rule = workload_.input.groups[group].topology;
      if (rule.required.is_none()) continue;
      const auto below = [&](const CorePart& demand) {
        std::uint32_t at = demand.group;
        while (at > group) at = workload_.input.groups[at].parent;
        return at == group;
      };
      std::int64_t pods = 0;
      ShapeId shape;
      for (const CorePart& demand : core_) {
        if (!below(demand)) continue;
        pods += static_cast<std::int64_t>(demand.pods.size());
        if (shape.is_none()) shape = demand.shape;
      }
      if (shape.is_none()) continue;
      DomainTrees& trees = placement_.trees();
      const DomainTree& tree = trees.tree(trees.levels_of(rule));
      const std::size_t level = tree.level_of(rule.required);
      const std::vector<std::int64_t>& room = placement_.rooms().of(shape).per_domain(tree, level);
      const auto best = std::ranges::max_element(room);
      if (best != room.end() && *best >= pods) continue;
      facts_.level = rule.required;
      facts_.group = group == 0 ? NameId::none() : workload_.input.groups[group].name;
      facts_.needs = pods;
      facts_.offers = best == room.end() ? 0 : *best;
      if (best != room.end()) {
        facts_.best_domain = tree.domains(level)[static_cast<std::size_t>(best - room.begin())].value;
      }
      return;
    }
  }

  void find_start() {
    for (const Reservation& each : cycle_.reservations().last()) {
      if (each.owner != id_) continue;
      if (each.why == HoldReason::kOvertaken) {
        facts_.start_basis = WorkloadFacts::StartBasis::kYoungerEnd;
        return;
      }
      if (!each.from) continue;
      facts_.start_basis = WorkloadFacts::StartBasis::kReservation;
      facts_.earliest_start = *each.from;
      return;
    }
    if (grows_ || too_few_) return;
    const std::optional<Reservation> dated =
        dated_hold(world_, placement_, id_, {.fairness = &cycle_.fairness()}, now_);
    if (!dated) return;
    facts_.start_basis = WorkloadFacts::StartBasis::kRunTimes;
    facts_.earliest_start = *dated->from;
  }

  World& world_;
  WorkloadCycle& cycle_;
  JointPlacement& placement_;
  PodId pod_;
  WorkloadId id_;
  const Workload& workload_;
  Time now_;
  bool grows_ = false;
  std::uint32_t growth_ = kNoGroup;  // of who grows: the group that comes at once
  bool too_few_ = false;
  Core core_;
  std::vector<NodeId> closed_;  // to the pod asked about last
  WorkloadFacts facts_;
};

}  // namespace

PodId spokesman_of(const World& world, PodId pod_id) {
  const Pod& pod = world.pod(pod_id);
  if (pod.workload.is_none() || pod.group == kNoGroup) return pod_id;
  const Workload& workload = world.workloads()[pod.workload];
  if (!workload.known || is_satisfied(workload)) return pod_id;
  for (const Group& group : workload.groups) {
    for (const PodId member : group.members) {
      if (world.pod(member).state == PodState::kPending && world.shape_of(member).profile != nullptr) return member;
    }
  }
  return pod_id;
}

Reason explain_member(World& world, WorkloadCycle& cycle, PodId pod, Time now) {
  return Explanation(world, cycle, pod, now).make();
}

}  // namespace berth::engine
