#include "engine/cycle/eviction_order.h"

#include <queue>
#include <utility>

#include "base/mutant.h"
#include "base/sort_unique.h"
#include "engine/amounts.h"
#include "engine/world/age.h"

namespace berth::engine {

bool EvictionOrder::Cheaper::operator()(const Ranked& a, const Ranked& b) const {
  if (a.unit.lost != b.unit.lost) return a.unit.lost < b.unit.lost;
  if (a.unit.started != b.unit.started) return a.unit.started > b.unit.started;
  // The last in the order of pods first (World::before).
  if (a.pod_priority != b.pod_priority) return a.pod_priority < b.pod_priority;
  return is_older(b, a, world->names());
}

// --- Following the world --------------------------------------------------------------------------------------------

void EvictionOrder::touch(WorkloadId id) {
  const Workload& workload = world_.workloads()[id];
  if (workload.known) lowest_priority_ = std::min(lowest_priority_, workload.input.priority);
  if (!built_) return;
  constexpr std::size_t kMost = 10'000;
  touched_.push_back(id);
  if (touched_.size() < kMost) return;
  touched_.clear();
  built_ = false;
}

void EvictionOrder::refresh(Time now) {
  const std::vector<WorkloadId> touched = std::exchange(touched_, {});
  if (!built_ || now != now_ || layout_ != world_.layout() || rules_ != world_.rule_changes() ||
      cursor_ < world_.log().begin()) {
    now_ = now;
    rebuild();
    return;
  }
  std::vector<Owner> changed;
  for (const WorkloadId id : touched) changed.push_back({id, PodId::none()});
  for (; cursor_ < world_.log().end(); ++cursor_) {
    if (!world_.log().is_latest(cursor_)) continue;
    const NodeId node = world_.log().at(cursor_);
    const std::vector<Owner>& former = on_node_[node.index()];
    changed.insert(changed.end(), former.begin(), former.end());
    for (const PodId pod : world_.node(node).pods) {
      const WorkloadId workload = world_.pod(pod).workload;
      changed.push_back({workload, workload.is_none() ? pod : PodId::none()});
    }
  }
  sort_unique(changed);
  for (const Owner& owner : changed) {
    drop(owner);
    add(owner);
  }
}

void EvictionOrder::rebuild() {
  built_ = true;
  layout_ = world_.layout();
  rules_ = world_.rule_changes();
  cursor_ = world_.log().end();
  buckets_.clear();
  entries_.clear();
  on_node_.assign(world_.node_slots(), {});
  lines_.assign(world_.workloads().queues().size(), {});
  for (std::size_t i = 0; i < world_.workloads().size(); ++i) add({WorkloadId{i}, PodId::none()});
  for (std::size_t i = 0; i < world_.pod_slots(); ++i) {
    if (world_.pod(PodId{i}).workload.is_none()) add({WorkloadId::none(), PodId{i}});
  }
}

void EvictionOrder::drop(Owner owner) {
  const auto found = entries_.find(owner);
  if (found == entries_.end()) return;
  Entry& entry = found->second;
  for (const Listed& listed : entry.units) {
    const auto bucket = buckets_.find(listed.bucket);
    bucket->second.erase(listed.place);
    if (bucket->second.empty()) buckets_.erase(bucket);
  }
  for (const NodeId node : entry.nodes) std::erase(on_node_[node.index()], owner);
  if (entry.holder != nullptr) {
    Line& line = lines_[entry.holder->queue.index()];
    const std::size_t position = position_of(line, *entry.holder);
    line.holders.erase(line.holders.begin() + static_cast<std::ptrdiff_t>(position));
    line.changed_at(position);
  }
  entries_.erase(found);
}

void EvictionOrder::add(Owner owner) {
  std::vector<EvictionUnit> units;
  std::vector<NodeId> nodes;
  if (owner.workload.is_none()) {
    add_unit(world_, owner.pod, now_, units);
    if (units.empty()) return;
    nodes.push_back(world_.pod(owner.pod).node);
  } else {
    const Workload& workload = world_.workloads()[owner.workload];
    if (!workload.known || workload.placed() == 0) return;
    add_units(world_, owner.workload, now_, units);
    for (const Group& group : workload.groups) {
      for (const PodId pod : group.members) {
        if (world_.pod(pod).state == PodState::kPlaced) nodes.push_back(world_.pod(pod).node);
      }
    }
    sort_unique(nodes);
  }
  Entry& entry = entries_[owner];
  for (const NodeId node : nodes) on_node_[node.index()].push_back(owner);
  entry.nodes = std::move(nodes);
  for (EvictionUnit& unit : units) {
    const BucketKey key{!unit.surplus, unit.priority, unit.queue};
    const Pod& first = world_.pod(unit.pods.front());
    Ranked ranked{.unit = std::move(unit),
                  .pod_priority = world_.shape(first.shape).input.priority,
                  .created = first.created,
                  .tie = first.tie,
                  .name = first.name};
    Bucket& bucket = buckets_.try_emplace(key, Cheaper{&world_}).first->second;
    entry.units.push_back({key, bucket.insert(std::move(ranked)).first});
  }
  if (!owner.workload.is_none()) add_to_line(entry, world_.workloads()[owner.workload]);
}

// --- Who is covered -------------------------------------------------------------------------------------------------

bool EvictionOrder::before(const Turn& a, const Turn& b) const {
  if (a.priority != b.priority) return a.priority > b.priority;
  return is_older(a, b, world_.names());
}

std::size_t EvictionOrder::position_of(const Line& line, const Holder& holder) const {
  return static_cast<std::size_t>(std::ranges::lower_bound(
                                      line.holders, holder.turn,
                                      [&](const Turn& a, const Turn& b) { return before(a, b); },
                                      [](const Holder* each) -> const Turn& { return each->turn; }) -
                                  line.holders.begin());
}

void EvictionOrder::add_to_line(Entry& entry, const Workload& workload) {
  const QueueId queue = workload.queue();
  const bool by_age = world_.workloads().queues().input(queue).order == OrderPolicy::kAge;
  entry.holder = std::make_unique<Holder>();
  Holder& holder = *entry.holder;
  holder.queue = queue;
  holder.turn = {.priority = by_age ? 0 : workload.input.priority,
                 .created = workload.input.created,
                 .tie = workload.tie,
                 .name = workload.input.name};
  for (const Listed& listed : entry.units) {
    const EvictionUnit& unit = listed.place->unit;
    const bool above = unit.surplus && !mutant("Rule.SurplusIsCoveredLast");
    for (const PodId pod : unit.pods)
      for (const ResourceAmount& each : world_.shape_of(pod).charge)
        add_amount(above ? holder.surplus : holder.needed, each);
  }
  if (lines_.size() <= queue.index()) lines_.resize(queue.index() + 1);
  Line& line = lines_[queue.index()];
  const std::size_t position = position_of(line, holder);
  line.holders.insert(line.holders.begin() + static_cast<std::ptrdiff_t>(position), &holder);
  line.changed_at(position);
}

// Who comes after the first above the guarantee decides nothing about who is before it; what is needed to be whole
// comes before all surplus, so that this changes with everybody.
void EvictionOrder::Line::changed_at(std::size_t position) {
  of_surplus.reset();
  if (of_needed && std::ranges::any_of(*of_needed, [&](const Boundary& each) { return each.position >= position; }))
    of_needed.reset();
}

const std::vector<EvictionOrder::Boundary>& EvictionOrder::boundaries(QueueId queue, Line& line, bool surplus) const {
  std::optional<std::vector<Boundary>>& result = surplus ? line.of_surplus : line.of_needed;
  if (result) return *result;
  result.emplace();
  const auto part = surplus ? &Holder::surplus : &Holder::needed;
  for (const QuotaInput& quota : world_.workloads().queues().input(queue).quotas) {
    if (!quota.guarantee) continue;
    Boundary boundary{.resource = quota.resource, .position = line.holders.size()};
    for (const Holder* holder : line.holders) {
      boundary.before += amount_in(holder->needed, quota.resource);
      if (surplus) boundary.before += amount_in(holder->surplus, quota.resource);
    }
    const Amount guarantee = own_guarantee(world_, queue, quota.resource);
    // From the last one on: above the guarantee with it and all before it?
    while (boundary.position > 0 && boundary.before > guarantee) {
      boundary.before -= amount_in(line.holders[--boundary.position]->*part, quota.resource);
    }
    result->push_back(boundary);
  }
  return *result;
}

bool EvictionOrder::is_covered(const EvictionUnit& unit, const std::vector<ResourceAmount>& resources) {
  if (unit.workload.is_none() || unit.queue == QueueTree::kRoot || mutant("Rule.CoveredStays")) return false;
  const auto entry = entries_.find({unit.workload, PodId::none()});
  if (entry == entries_.end() || entry->second.holder == nullptr) return false;
  Line& line = lines_[unit.queue.index()];
  const bool surplus = unit.surplus && !mutant("Rule.SurplusIsCoveredLast");
  const std::size_t position = position_of(line, *entry->second.holder);
  bool held = false;
  for (const ResourceAmount& each : resources) {
    Amount own = 0;
    for (const PodId pod : unit.pods) {
      for (const ResourceAmount& amount : world_.shape_of(pod).charge) {
        if (amount.resource == each.resource) own += amount.amount;
      }
    }
    if (own == 0) continue;
    held = true;
    const std::vector<Boundary>& limits = boundaries(unit.queue, line, surplus);
    const auto limit = std::ranges::find(limits, each.resource, &Boundary::resource);
    if (limit == limits.end() || position > limit->position) return false;
    if (position < limit->position) continue;
    // Of the first above the guarantee, what it needs to be whole may be within it.
    if (surplus || limit->before + own > own_guarantee(world_, unit.queue, each.resource)) return false;
  }
  return held;
}

// --- Telling --------------------------------------------------------------------------------------------------------

void EvictionOrder::for_each(WorkloadId preemptor_id, const std::function<bool(const EvictionUnit&)>& visit) const {
  const Workload& preemptor = world_.workloads()[preemptor_id];
  struct Range {
    Bucket::const_iterator next;
    Bucket::const_iterator end;
  };
  const Cheaper cheaper{&world_};
  const auto dearer = [&](const Range& a, const Range& b) { return cheaper(*b.next, *a.next); };
  for (auto group = buckets_.begin(); group != buckets_.end();) {
    const auto [whole, priority, first_queue] = group->first;
    // The buckets of this kind and priority, merged over the queues.
    std::priority_queue<Range, std::vector<Range>, decltype(dearer)> ranges(dearer);
    for (; group != buckets_.end() && std::get<0>(group->first) == whole && std::get<1>(group->first) == priority;
         ++group) {
      if (!may_evict_from(world_, preemptor, std::get<2>(group->first), priority)) continue;
      ranges.push({group->second.begin(), group->second.end()});
    }
    while (!ranges.empty()) {
      Range range = ranges.top();
      ranges.pop();
      const EvictionUnit& unit = range.next->unit;
      if (++range.next != range.end) ranges.push(range);
      if (unit.workload == preemptor_id || !may_evict(world_, preemptor, unit)) continue;
      if (visit(unit)) return;
    }
  }
}

std::vector<const EvictionUnit*> EvictionOrder::of(WorkloadId id) const {
  std::vector<const EvictionUnit*> result;
  const auto found = entries_.find({id, PodId::none()});
  if (found == entries_.end()) return result;
  const Cheaper cheaper{&world_};
  std::vector<const Listed*> listed;
  for (const Listed& each : found->second.units) listed.push_back(&each);
  std::ranges::sort(listed, [&](const Listed* a, const Listed* b) {
    return a->bucket != b->bucket ? a->bucket < b->bucket : cheaper(*a->place, *b->place);
  });
  for (const Listed* each : listed) result.push_back(&each->place->unit);
  return result;
}

}  // namespace berth::engine
