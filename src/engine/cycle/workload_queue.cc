#include "engine/cycle/workload_queue.h"

#include <algorithm>

#include "base/mutant.h"
#include "engine/topology/topology.h"

namespace berth::engine {
namespace {

bool wants_a_node(const World& world, PodId pod) {
  return world.pod(pod).state == PodState::kPending && world.shape_of(pod).profile != nullptr;
}

bool any_member(const Workload& workload, const auto& is_so) {
  return std::ranges::any_of(workload.groups,
                             [&](const Group& group) { return std::ranges::any_of(group.members, is_so); });
}

}  // namespace

Turn turn_of(const World& world, const Workload& workload) {
  if (!workload.known) return Turn::kNone;
  const bool wants = any_member(workload, [&](PodId pod) { return wants_a_node(world, pod); });
  if (is_satisfied(workload)) return wants ? Turn::kGrow : Turn::kNone;
  if (workload.placed() > 0) return Turn::kDamaged;
  return wants ? Turn::kStart : Turn::kNone;
}

void WorkloadQueue::set_turn(WorkloadId id, Turn turn) {
  if (entries_.size() <= id.index()) entries_.resize(world_.workloads().size());
  Entry& entry = entries_[id.index()];
  if (entry.turn == Turn::kNone && turn != Turn::kNone) {
    entry.place = active_.size();
    active_.push_back(id);
  } else if (entry.turn != Turn::kNone && turn == Turn::kNone) {
    active_[entry.place] = active_.back();
    entries_[active_.back().index()].place = entry.place;
    active_.pop_back();
  }
  entry.turn = turn;
  entry.parked = false;
}

void WorkloadQueue::update(const std::vector<WorkloadId>& changed) {
  if (entries_.size() < world_.workloads().size()) entries_.resize(world_.workloads().size());
  for (const WorkloadId id : changed) set_turn(id, turn_of(world_, world_.workloads()[id]));
}

WorkloadQueue::Stamp WorkloadQueue::now() const {
  return {world_.loosened(), world_.workloads().ledger().loosened(), world_.rule_changes(), world_.layout(),
          world_.topology().news()};
}

void WorkloadQueue::park(WorkloadId id) {
  Entry& entry = entries_[id.index()];
  entry.parked = true;
  entry.stamp = now();
  entry.has_rules_among_pods = any_member(world_.workloads()[id], [&](PodId pod) {
    return wants_a_node(world_, pod) && world_.topology().plan(world_.pod(pod).shape).has_hard_rules();
  });
}

bool WorkloadQueue::is_parked(WorkloadId id) const {
  const Entry& entry = entries_[id.index()];
  if (!entry.parked) return false;
  Stamp present = now();
  if (!entry.has_rules_among_pods) present.news = entry.stamp.news;
  return present == entry.stamp;
}

bool WorkloadQueue::may_decide() const {
  return std::ranges::any_of(active_, [&](WorkloadId id) { return !is_parked(id); });
}

bool WorkloadQueue::by_priority(QueueId queue) const {
  return world_.workloads().queues().input(queue).order == OrderPolicy::kPriority;
}

bool WorkloadQueue::comes_before(WorkloadId a, WorkloadId b, bool by_priority) const {
  const Workload& left = world_.workloads()[a];
  const Workload& right = world_.workloads()[b];
  if (by_priority && left.input.priority != right.input.priority && !mutant("Rule.WorkloadPriority"))
    return left.input.priority > right.input.priority;
  if (turn(a) != turn(b) && !mutant("Rule.DamagedFirst")) return turn(a) < turn(b);
  if (left.input.created != right.input.created) return left.input.created < right.input.created;
  if (left.tie != right.tie) return left.tie < right.tie;
  return a != b && world_.names().names.text(left.input.name) < world_.names().names.text(right.input.name);
}

bool WorkloadQueue::before(WorkloadId id, PodId pod_id) const {
  const Workload& workload = world_.workloads()[id];
  const Pod& pod = world_.pod(pod_id);
  const std::int32_t priority = world_.shape(pod.shape).input.priority;
  if (workload.input.priority != priority) return workload.input.priority > priority;
  if (turn(id) != Turn::kStart) return turn(id) == Turn::kDamaged;
  if (workload.input.created != pod.created) return workload.input.created < pod.created;
  if (workload.tie != pod.tie) return workload.tie < pod.tie;
  return world_.names().names.text(workload.input.name) < world_.names().names.text(pod.name);
}

void WorkloadQueue::count(QueueId queue, std::int64_t change) {
  for (QueueId at = queue;; at = world_.workloads().queues().parent(at)) {
    left_below_[at.index()] += change;
    if (at == QueueTree::kRoot) return;
  }
}

void WorkloadQueue::begin_pass() {
  const std::size_t queues = world_.workloads().queues().size();
  left_.assign(queues, {});
  left_below_.assign(queues, 0);
  damaged_.clear();
  for (const WorkloadId id : active_) {
    if (turn(id) == Turn::kDamaged) {
      damaged_.push_back(id);
      continue;
    }
    const QueueId queue = world_.workloads()[id].queue();
    left_[queue.index()].push_back(id);
    count(queue, 1);
  }
  for (std::size_t i = 0; i < queues; ++i) {
    const bool priorities = by_priority(QueueId{i});
    std::ranges::sort(left_[i], [&](WorkloadId a, WorkloadId b) { return comes_before(b, a, priorities); });
  }
  std::ranges::sort(damaged_, [&](WorkloadId a, WorkloadId b) { return comes_before(b, a, true); });
}

std::vector<WorkloadId> WorkloadQueue::in_queue(QueueId queue) const {
  std::vector<WorkloadId> result;
  for (const WorkloadId id : active_) {
    if (world_.workloads()[id].queue() == queue) result.push_back(id);
  }
  std::ranges::sort(result, [&](WorkloadId a, WorkloadId b) { return comes_before(a, b, by_priority(queue)); });
  return result;
}

// The next at or below a queue.
std::optional<WorkloadId> WorkloadQueue::pick(QueueId queue) const {
  if (left_below_[queue.index()] == 0) return std::nullopt;
  const QueueTree& tree = world_.workloads().queues();
  std::optional<WorkloadId> best;
  QueueId best_child;
  for (const QueueId child : tree.children(queue)) {
    const std::optional<WorkloadId> here = pick(child);
    if (!here) continue;
    const std::strong_ordering order = best ? fairness_.compare(child, best_child) : std::strong_ordering::less;
    if (best && (order > 0 || (order == 0 && !comes_before(*here, *best, true)))) continue;
    best = here;
    best_child = child;
  }
  const std::vector<WorkloadId>& own = left_[queue.index()];
  if (!own.empty() && (!best || comes_before(own.back(), *best, true))) return own.back();
  return best;
}

std::optional<WorkloadId> WorkloadQueue::head() const {
  const std::optional<WorkloadId> next = pick(QueueTree::kRoot);
  if (damaged_.empty()) return next;
  const WorkloadId damaged = damaged_.back();
  if (!next) return damaged;
  const std::int32_t priority = world_.workloads()[*next].input.priority;
  return priority > world_.workloads()[damaged].input.priority ? *next : damaged;
}

void WorkloadQueue::pop(WorkloadId id) {
  if (!damaged_.empty() && damaged_.back() == id) {
    damaged_.pop_back();
    return;
  }
  const QueueId queue = world_.workloads()[id].queue();
  left_[queue.index()].pop_back();
  count(queue, -1);
}

void WorkloadQueue::block(QueueId queue) {
  count(queue, -static_cast<std::int64_t>(left_[queue.index()].size()));
  left_[queue.index()].clear();
}

void WorkloadQueue::push(WorkloadId id) {
  set_turn(id, turn_of(world_, world_.workloads()[id]));
  if (turn(id) == Turn::kNone) return;
  const QueueId queue = world_.workloads()[id].queue();
  std::vector<WorkloadId>& own = left_[queue.index()];
  const bool priorities = by_priority(queue);
  own.insert(
      std::ranges::lower_bound(own, id, [&](WorkloadId a, WorkloadId b) { return comes_before(b, a, priorities); }),
      id);
  count(queue, 1);
}

}  // namespace berth::engine
