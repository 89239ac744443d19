#include "engine/cycle/eviction_units.h"

#include <algorithm>
#include <iterator>
#include <limits>

#include "base/mutant.h"
#include "engine/gang/pieces.h"

namespace berth::engine {
namespace {

// What is lost if the pod goes now: the scarce thing it held times how long.
Amount lost_work(const World& world, PodId id, Time now) {
  const ShapeInput& shape = world.shape_of(id).input;
  Amount size = 0;
  for (const CardRequest& request : shape.cards) size += request.total();
  if (size == 0) size = std::max<Amount>(shape.nonzero_cpu / 1000, 1);
  const Time started = world.pod(id).started.value_or(now);
  return size * std::max<Time>(now - started, 0);
}

void add_pod(const World& world, EvictionUnit& unit, PodId pod, Time now) {
  unit.pods.push_back(pod);
  unit.lost += lost_work(world, pod, now);
  unit.started = std::max(unit.started, world.pod(pod).started.value_or(now));
}

bool can_go(const World& world, PodId pod) {
  return world.pod(pod).state == PodState::kPlaced && !world.pod(pod).terminating;
}

bool by_right(EvictionRight right, const Workload& preemptor, const EvictionUnit& unit, Time unit_created) {
  switch (right) {
    case EvictionRight::kNever:
      return false;
    case EvictionRight::kLowerPriority:
      return unit.priority < preemptor.input.priority;
    case EvictionRight::kLowerOrNewerEqual:
      return unit.priority < preemptor.input.priority ||
             (unit.priority == preemptor.input.priority && unit_created > preemptor.input.created);
    case EvictionRight::kAny:
      return true;
  }
  return false;
}

bool may_evict_created(const World& world, const Workload& preemptor, const EvictionUnit& unit, Time created) {
  if (!preemptor.input.preempts) return false;
  const QueueTree& tree = world.workloads().queues();
  const QueueId own = preemptor.queue();
  if (own == QueueTree::kRoot || unit.queue == QueueTree::kRoot) {
    return unit.priority < preemptor.input.priority || mutant("Rule.OnlyLowerPriorityWorkloads");
  }
  if (own == unit.queue) return by_right(tree.input(own).preempts, preemptor, unit, created);
  const QueueId common = tree.common(own, unit.queue);
  if (unit.priority >= kSystemPriority && unit.priority >= preemptor.input.priority) return false;
  for (QueueId at = unit.queue; at != common; at = tree.parent(at)) {
    if (!tree.input(at).reclaimable) return false;
  }
  return by_right(tree.input(own).reclaims, preemptor, unit, created);
}

// One of two parties below, or in, a queue that both have in common: the child of it that a queue is within, or what
// that queue runs itself, as if that were a child with what its children leave of the guarantee. Between a queue and
// one of its own children only what they are guaranteed counts: who evicts by what is deserved beyond that is not safe
// from those without a queue, and from them to the other of the two and back it would go in circles.
class Side {
 public:
  Side(const World& world, const Fairness& fairness, QueueId common, QueueId within, QueueId other)
      : world_(world),
        fairness_(fairness),
        itself_(common == within),
        guaranteed_only_(itself_ || common == other),
        queue_(itself_ ? common : world.workloads().queues().child_towards(common, within)) {}

  [[nodiscard]] QueueId queue() const { return queue_; }
  [[nodiscard]] Amount used(ResourceId resource) const {
    const Ledger& ledger = world_.workloads().ledger();
    return itself_ ? ledger.own(queue_, resource) : ledger.used(queue_, resource);
  }
  [[nodiscard]] std::optional<Amount> claim(ResourceId resource) const {
    if (!guaranteed_only_) return fairness_.claim(queue_, resource);
    if (!world_.workloads().ledger().names(queue_, resource)) return std::nullopt;
    return quota(resource);
  }
  [[nodiscard]] Amount claim_or_quota(ResourceId resource) const { return claim(resource).value_or(quota(resource)); }

 private:
  [[nodiscard]] Amount quota(ResourceId resource) const {
    return itself_ ? own_guarantee(world_, queue_, resource) : world_.workloads().ledger().quota(queue_, resource);
  }

  const World& world_;
  const Fairness& fairness_;
  bool itself_;
  bool guaranteed_only_;
  QueueId queue_;
};

}  // namespace

std::int32_t eviction_priority(const World& world, PodId id) {
  const WorkloadId workload = world.pod(id).workload;
  const bool known = !workload.is_none() && world.workloads()[workload].known;
  return known ? world.workloads()[workload].input.priority : world.shape_of(id).input.priority;
}

Time start_of(const Pod& pod) { return pod.started.value_or(std::numeric_limits<Time>::max()); }

bool runs_below(const World& world, std::int32_t priority) {
  if (world.has_lower_priority(priority)) return true;
  for (std::size_t i = 0; i < world.workloads().size(); ++i) {
    const Workload& workload = world.workloads()[WorkloadId{i}];
    if (workload.placed() > 0 && workload.input.priority < priority) return true;
  }
  return false;
}

Amount own_guarantee(const World& world, QueueId queue, ResourceId resource) {
  const Ledger& ledger = world.workloads().ledger();
  Amount own = ledger.quota(queue, resource);
  if (mutant("Rule.ParentsShareTheirGuarantee")) return own;
  for (const QueueId child : world.workloads().queues().children(queue)) own -= ledger.quota(child, resource);
  return std::max<Amount>(own, 0);
}

bool is_within_guarantee(const World& world, QueueId queue, QueueId above, const std::vector<PodId>& pods,
                         const std::vector<ResourceAmount>* only, const Fairness* fairness) {
  if (mutant("Rule.GuaranteeStays")) return false;
  const QueueTree& tree = world.workloads().queues();
  const Ledger& ledger = world.workloads().ledger();
  std::vector<ResourceId> held;
  for (const PodId pod : pods) {
    for (const ResourceAmount& each : world.shape_of(pod).charge) {
      if (each.resource == kPods || std::ranges::find(held, each.resource) != held.end()) continue;
      if (only == nullptr || std::ranges::find(*only, each.resource, &ResourceAmount::resource) != only->end())
        held.push_back(each.resource);
    }
  }
  // What a queue with children runs itself is within its guarantee also while the children borrow.
  const auto itself = [&](ResourceId resource) {
    return !ledger.names(queue, resource) || ledger.own(queue, resource) <= own_guarantee(world, queue, resource);
  };
  if (queue != above && queue != QueueTree::kRoot && !tree.children(queue).empty() &&
      std::ranges::any_of(held, [&](ResourceId resource) { return ledger.names(queue, resource); }) &&
      std::ranges::all_of(held, itself) && !mutant("Rule.ParentsShareTheirGuarantee"))
    return true;
  for (QueueId at = queue; at != above && at != QueueTree::kRoot; at = tree.parent(at)) {
    const auto claim = [&](ResourceId resource) -> std::optional<Amount> {
      if (fairness != nullptr) return fairness->claim(at, resource);
      return ledger.names(at, resource) ? std::optional(ledger.quota(at, resource)) : std::nullopt;
    };
    const auto named = [&](ResourceId resource) { return claim(resource).has_value(); };
    const auto within = [&](ResourceId resource) {
      const std::optional<Amount> most = claim(resource);
      return !most || ledger.used(at, resource) <= *most;
    };
    if (std::ranges::any_of(held, named) && std::ranges::all_of(held, within)) return true;
  }
  return false;
}

bool may_evict_from(const World& world, const Workload& preemptor, QueueId queue, std::int32_t priority) {
  // As if the unit were the newest of its priority.
  EvictionUnit newest;
  newest.queue = queue;
  newest.priority = priority;
  return may_evict_created(world, preemptor, newest, std::numeric_limits<Time>::max());
}

bool may_evict(const World& world, const Workload& preemptor, const EvictionUnit& unit) {
  if (!unit.workload.is_none() && !world.workloads()[unit.workload].input.preemptible) return false;
  const Time created =
      unit.workload.is_none() ? world.pod(unit.pods.front()).created : world.workloads()[unit.workload].input.created;
  return may_evict_created(world, preemptor, unit, created);
}

bool may_reclaim(const World& world, const Fairness& fairness, const Workload& preemptor,
                 const std::vector<ResourceAmount>& charge, const EvictionUnit& unit) {
  const QueueTree& tree = world.workloads().queues();
  const QueueId own = preemptor.queue();
  if (own == unit.queue || unit.queue == QueueTree::kRoot) return true;
  if (own == QueueTree::kRoot) {
    return preemptor.input.priority >= kSystemPriority ||
           !is_within_guarantee(world, unit.queue, QueueTree::kRoot, unit.pods);
  }
  if (mutant("Rule.GuaranteeOnly")) return true;
  const QueueId common = tree.common(own, unit.queue);
  const Side mine(world, fairness, common, own, unit.queue);
  const Side theirs(world, fairness, common, unit.queue, own);
  bool above = false;
  std::vector<ResourceAmount> taken_back;
  for (const ResourceAmount& each : charge) {
    // Only what its side has a guarantee for can be taken back.
    const std::optional<Amount> own_claim = mine.claim(each.resource);
    if (each.resource == kPods || !own_claim) continue;
    if (mine.used(each.resource) + each.amount > *own_claim) return false;
    taken_back.push_back(each);
    const bool touched = std::ranges::any_of(unit.pods, [&](PodId pod) {
      return std::ranges::any_of(world.shape_of(pod).charge,
                                 [&](const ResourceAmount& held) { return held.resource == each.resource; });
    });
    above = above || (touched && theirs.used(each.resource) > theirs.claim_or_quota(each.resource));
  }
  return above && !is_within_guarantee(world, unit.queue, theirs.queue(), unit.pods, &taken_back, &fairness);
}

void add_units(const World& world, WorkloadId id, Time now, std::vector<EvictionUnit>& out) {
  const Workload& workload = world.workloads()[id];
  if (!workload.known || workload.placed() == 0) return;
  std::vector<PodId> members;
  for (const Group& group : workload.groups)
    std::ranges::copy_if(group.members, std::back_inserter(members), [&](PodId pod) { return can_go(world, pod); });
  if (members.empty()) return;
  std::ranges::sort(members, [&](PodId a, PodId b) { return world.before(b, a); });
  const Pieces pieces = mutant("Rule.ElasticFirst") ? Pieces{.surplus = {}, .rest = std::move(members)}
                                                    : pieces_of(world, workload, members);
  const EvictionUnit model{.pods = {}, .workload = id, .queue = workload.queue(), .priority = workload.input.priority};
  for (const Piece& piece : pieces.surplus) {
    EvictionUnit& unit = out.emplace_back(model);
    unit.surplus = true;
    unit.group = piece.group;
    for (const PodId pod : piece.pods) add_pod(world, unit, pod, now);
  }
  EvictionUnit whole = model;
  for (const PodId pod : pieces.rest) add_pod(world, whole, pod, now);
  if (mutant("Rule.WholeGangs")) whole.pods.resize(std::min<std::size_t>(whole.pods.size(), 1));
  if (!whole.pods.empty()) out.push_back(std::move(whole));
}

void add_unit(const World& world, PodId bare_pod, Time now, std::vector<EvictionUnit>& out) {
  const Pod& pod = world.pod(bare_pod);
  if (!pod.workload.is_none() || !can_go(world, bare_pod)) return;
  EvictionUnit& unit = out.emplace_back();
  unit.queue = QueueTree::kRoot;
  unit.priority = world.shape(pod.shape).input.priority;
  add_pod(world, unit, bare_pod, now);
}

}  // namespace berth::engine
