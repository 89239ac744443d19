#include "engine/cycle/workload_queue.h"

#include <algorithm>
#include <limits>
#include <map>
#include <utility>

#include "base/mutant.h"
#include "engine/topology/topology.h"
#include "engine/world/age.h"

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
  if (is_damaged(workload)) return Turn::kDamaged;
  if (is_satisfied(workload)) return wants ? Turn::kGrow : Turn::kNone;
  return wants ? Turn::kStart : Turn::kNone;
}

void WorkloadQueue::set_turn(WorkloadId id, Turn turn, bool in_line) {
  if (entries_.size() <= id.index()) entries_.resize(world_.workloads().size());
  Entry& entry = entries_[id.index()];
  if (entry.turn != Turn::kNone && in_line) take_from_line(id);
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
  if (turn != Turn::kNone && in_line) put_in_line(id);
}

std::vector<WorkloadQueue::Waiting>::iterator WorkloadQueue::place_of(std::vector<Waiting>& waiting, const Key& key,
                                                                      bool by_priority) const {
  return std::ranges::lower_bound(
      waiting, key, [&](const Key& a, const Key& b) { return comes_before(b, a, by_priority); }, &Waiting::key);
}

bool WorkloadQueue::line_by_priority(std::size_t line) const { return line == 0 || by_priority(QueueId{line - 1}); }

Share WorkloadQueue::share_of(const Workload& workload) const {
  std::map<ResourceId, Amount> held;
  for (const Group& group : workload.groups) {
    for (const PodId pod : group.members) {
      if (world_.pod(pod).state != PodState::kPlaced) continue;
      for (const ResourceAmount& each : world_.shape_of(pod).charge) held[each.resource] += each.amount;
    }
  }
  Share result;
  for (const auto& [resource, amount] : held) {
    const Amount whole = world_.workloads().ledger().hardware(resource);
    if (whole > 0 && resource != kPods) result = std::max(result, Share{amount, whole});
  }
  return result;
}

WorkloadQueue::Key WorkloadQueue::key_of(const Workload& workload, Turn turn) const {
  Key key{.priority = workload.input.priority,
          .turn = turn,
          .deadline = workload.input.deadline.value_or(std::numeric_limits<Time>::max()),
          .share = {},
          .created = workload.input.created,
          .tie = workload.tie,
          .name = workload.input.name};
  if (turn == Turn::kGrow && world_.workloads().queues().input(workload.queue()).shares_growth)
    key.share = share_of(workload);
  return key;
}

bool WorkloadQueue::hardware_changed() {
  const QueueTree& tree = world_.workloads().queues();
  if (std::ranges::none_of(tree.top_down(), [&](QueueId queue) { return tree.input(queue).shares_growth; }))
    return false;
  const Ledger& ledger = world_.workloads().ledger();
  std::vector<Amount> hardware;
  for (std::size_t i = 0; i < ledger.resource_count(); ++i) hardware.push_back(ledger.hardware(ResourceId{i}));
  return std::exchange(hardware_, hardware) != hardware;
}

void WorkloadQueue::put_in_line(WorkloadId id) {
  const Workload& workload = world_.workloads()[id];
  Entry& entry = entries_[id.index()];
  entry.line = entry.turn == Turn::kDamaged ? 0 : workload.queue().index() + 1;
  entry.key = key_of(workload, entry.turn);
  if (lines_.size() <= entry.line) lines_.resize(entry.line + 1);
  Line& line = lines_[entry.line];
  const auto place = place_of(line.all, entry.key, line_by_priority(entry.line));
  if (static_cast<std::size_t>(place - line.all.begin()) < line.left) ++line.left;
  line.all.insert(place, {entry.key, id});
  if (entry.line > 0) touch(QueueId{entry.line - 1});
}

void WorkloadQueue::take_from_line(WorkloadId id) {
  const Entry& entry = entries_[id.index()];
  Line& line = lines_[entry.line];
  auto place = place_of(line.all, entry.key, line_by_priority(entry.line));
  // Of equal keys there are several only where names were taken back.
  while (place->id != id) ++place;
  std::erase_if(line.again, [&](const Waiting& w) { return w.id == id; });
  if (static_cast<std::size_t>(place - line.all.begin()) < line.left) --line.left;
  line.all.erase(place);
  if (entry.line > 0) touch(QueueId{entry.line - 1});
}

// The order policy of a queue may be another.
void WorkloadQueue::sort_again() {
  rules_ = world_.rule_changes();
  lines_.assign(world_.workloads().queues().size() + 1, {});
  for (const WorkloadId id : active_) {
    const Workload& workload = world_.workloads()[id];
    Entry& entry = entries_[id.index()];
    entry.line = entry.turn == Turn::kDamaged ? 0 : workload.queue().index() + 1;
    entry.key = key_of(workload, entry.turn);
    lines_[entry.line].all.push_back({entry.key, id});
  }
  for (std::size_t i = 0; i < lines_.size(); ++i) {
    std::ranges::sort(
        lines_[i].all, [&](const Key& a, const Key& b) { return comes_before(b, a, line_by_priority(i)); },
        &Waiting::key);
  }
}

void WorkloadQueue::update(const std::vector<WorkloadId>& changed, bool between_passes) {
  constexpr std::size_t kMany = 64;
  if (entries_.size() < world_.workloads().size()) entries_.resize(world_.workloads().size());
  const bool bulk = between_passes && changed.size() > kMany;
  if (bulk) lines_.clear();
  if (!bulk && rules_ != world_.rule_changes()) sort_again();
  for (const WorkloadId id : changed) {
    set_turn(id, turn_of(world_, world_.workloads()[id]), !bulk);
    touch_shares(id);
  }
  if (bulk) sort_again();
}

WorkloadQueue::Stamp WorkloadQueue::now() const {
  return {.loosened = world_.log().loosened(),
          .ledger = world_.workloads().ledger().loosened(),
          .fairness = fairness_.loosened(),
          .rules = world_.rule_changes(),
          .layout = world_.layout(),
          .news = world_.topology().news(),
          .borrowed = borrowing_.changes()};
}

// Only who has a guarantee, or no queue at all, evicts where others are above theirs.
bool WorkloadQueue::takes_back(WorkloadId id) const {
  const Workload& workload = world_.workloads()[id];
  if (!workload.input.preempts || entries_[id.index()].turn == Turn::kGrow) return false;
  const QueueTree& tree = world_.workloads().queues();
  for (QueueId at = workload.queue(); at != QueueTree::kRoot; at = tree.parent(at)) {
    if (!tree.input(at).quotas.empty()) return true;
  }
  return workload.queue() == QueueTree::kRoot;
}

void WorkloadQueue::park(WorkloadId id) {
  Entry& entry = entries_[id.index()];
  entry.parked = true;
  entry.stamp = now();
  entry.takes_back = takes_back(id);
  entry.has_rules_among_pods = any_member(world_.workloads()[id], [&](PodId pod) {
    return wants_a_node(world_, pod) && world_.topology().plan(world_.pod(pod).shape).has_hard_rules();
  });
}

bool WorkloadQueue::is_parked(WorkloadId id) const {
  const Entry& entry = entries_[id.index()];
  if (!entry.parked) return false;
  Stamp present = now();
  if (!entry.has_rules_among_pods) present.news = entry.stamp.news;
  if (!entry.takes_back) present.borrowed = entry.stamp.borrowed;
  return present == entry.stamp;
}

bool WorkloadQueue::by_priority(QueueId queue) const {
  return world_.workloads().queues().input(queue).order == OrderPolicy::kPriority;
}

bool WorkloadQueue::comes_before(const Key& a, const Key& b, bool by_priority) const {
  if (by_priority && a.priority != b.priority && !mutant("Rule.WorkloadPriority")) return a.priority > b.priority;
  if (a.turn != b.turn && !mutant("Rule.DamagedFirst")) return a.turn < b.turn;
  if (a.deadline != b.deadline && !mutant("Rule.EarlierDeadline")) return a.deadline < b.deadline;
  if (a.share != b.share && !mutant("Rule.GrowthIsShared")) return a.share < b.share;
  return is_older(a, b, world_.names());
}

bool WorkloadQueue::comes_before(WorkloadId a, WorkloadId b, bool by_priority) const {
  return comes_before(entries_[a.index()].key, entries_[b.index()].key, by_priority);
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

void WorkloadQueue::touch(QueueId queue) {
  if (queue.index() >= standings_.size() || std::exchange(standings_[queue.index()].touched, true)) return;
  touched_.push_back(queue);
}

// What it holds may be another, and with it the share of each queue that it is charged to.
void WorkloadQueue::touch_shares(WorkloadId id) {
  for (const QueueId queue : world_.workloads()[id].queues) touch(queue);
}

void WorkloadQueue::begin_pass() {
  const QueueTree& tree = world_.workloads().queues();
  if (hardware_changed() || rules_ != world_.rule_changes()) sort_again();
  if (lines_.size() < tree.size() + 1) lines_.resize(tree.size() + 1);
  borrowing_.look(tree, world_.workloads().ledger());
  standings_.assign(tree.size(), {});
  for (const QueueId queue : tree.top_down()) {
    const std::vector<QueueId>& children = tree.children(queue);
    standings_[queue.index()].children = Tournament(children.size());
    for (std::size_t i = 0; i < children.size(); ++i) standings_[children[i].index()].place = i;
  }
  touched_.clear();
  for (std::size_t i = 0; i < lines_.size(); ++i) {
    Line& line = lines_[i];
    line.left = line.all.size();
    line.again.clear();
    if (i > 0 && line.left > 0) touch(QueueId{i - 1});
  }
}

WorkloadQueue::Standing WorkloadQueue::standing(WorkloadId id) const {
  const QueueId queue = world_.workloads()[id].queue();
  Standing result;
  if (queue.index() + 1 >= lines_.size()) return result;
  const std::vector<Waiting>& line = lines_[queue.index() + 1].all;
  const bool priorities = by_priority(queue);
  result.length = line.size();
  const bool wants = id.index() < entries_.size() && turn(id) != Turn::kNone;
  const Key key = wants ? entries_[id.index()].key : Key{};
  if (wants) {
    // The next one is the last.
    const auto behind = std::ranges::lower_bound(
        line, key, [&](const Key& a, const Key& b) { return comes_before(b, a, priorities); }, &Waiting::key);
    result.position = static_cast<std::size_t>(line.end() - behind);
    if (turn(id) == Turn::kDamaged) ++result.position;
  }
  for (const Waiting& damaged : lines_.front().all) {
    if (world_.workloads()[damaged.id].queue() != queue) continue;
    ++result.length;
    if (wants && damaged.id != id && comes_before(damaged.key, key, priorities)) ++result.position;
  }
  return result;
}

std::optional<WorkloadId> WorkloadQueue::next_at(QueueId queue) const {
  const std::optional<WorkloadId> own = next(lines_[queue.index() + 1], by_priority(queue));
  const std::size_t winner = standings_[queue.index()].children.winner();
  if (winner == Tournament::kNobody) return own;
  const std::optional<WorkloadId> below = standings_[world_.workloads().queues().children(queue)[winner].index()].first;
  return own && comes_before(*own, *below, true) ? own : below;
}

void WorkloadQueue::settle(QueueId queue) {
  const QueueTree& tree = world_.workloads().queues();
  for (QueueId at = queue;; at = tree.parent(at)) {
    Standings& here = standings_[at.index()];
    here.first = next_at(at);
    if (at == QueueTree::kRoot) return;
    const std::vector<QueueId>& siblings = tree.children(tree.parent(at));
    standings_[tree.parent(at).index()].children.replay(
        here.place, here.first.has_value(), [&](std::size_t a, std::size_t b) {
          const std::strong_ordering order = fairness_.compare(siblings[a], siblings[b]);
          if (order != 0) return order < 0;
          return comes_before(*standings_[siblings[a].index()].first, *standings_[siblings[b].index()].first, true);
        });
  }
}

std::optional<WorkloadId> WorkloadQueue::next(const Line& line, bool by_priority) const {
  if (line.left == 0 && line.again.empty()) return std::nullopt;
  if (line.again.empty()) return line.all[line.left - 1].id;
  if (line.left == 0) return line.again.back().id;
  const Waiting& first = line.all[line.left - 1];
  const Waiting& again = line.again.back();
  return comes_before(again.key, first.key, by_priority) ? again.id : first.id;
}

std::optional<WorkloadId> WorkloadQueue::head() {
  for (const QueueId queue : touched_) {
    settle(queue);
    standings_[queue.index()].touched = false;
  }
  touched_.clear();
  const std::optional<WorkloadId> first = standings_[QueueTree::kRoot.index()].first;
  const std::optional<WorkloadId> damaged = next(lines_.front(), true);
  if (!damaged || !first) return damaged ? damaged : first;
  const std::int32_t priority = world_.workloads()[*first].input.priority;
  return priority > world_.workloads()[*damaged].input.priority ? first : damaged;
}

void WorkloadQueue::pop(WorkloadId id) {
  const std::size_t number = entries_[id.index()].line;
  Line& line = lines_[number];
  if (!line.again.empty() && line.again.back().id == id) {
    line.again.pop_back();
  } else {
    --line.left;
  }
  if (number > 0) touch(QueueId{number - 1});
}

void WorkloadQueue::block(QueueId queue) {
  Line& line = lines_[queue.index() + 1];
  line.left = 0;
  line.again.clear();
  touch(queue);
}

void WorkloadQueue::push(WorkloadId id) {
  set_turn(id, turn_of(world_, world_.workloads()[id]));
  touch_shares(id);
  if (turn(id) == Turn::kNone) return;
  const Entry& entry = entries_[id.index()];
  Line& line = lines_[entry.line];
  const bool priorities = line_by_priority(entry.line);
  // Where it belongs among those left it has its turn with them; before all of them it comes at once.
  if (static_cast<std::size_t>(place_of(line.all, entry.key, priorities) - line.all.begin()) < line.left) return;
  line.again.insert(place_of(line.again, entry.key, priorities), {entry.key, id});
}

}  // namespace berth::engine
