#include "engine/gang/workloads.h"

#include <algorithm>
#include <utility>

#include "base/mutant.h"
#include "base/tie_order.h"
#include "engine/amounts.h"
#include "engine/world/free_slots.h"

namespace berth::engine {
namespace {

// Pods of the group that count: placed, done, and `extra`.
std::int32_t counted(const Workload& workload, std::uint32_t group, std::span<const std::int32_t> extra) {
  const Group& here = workload.groups[group];
  std::int32_t result = here.placed + here.succeeded;
  if (extra.empty()) return result;
  if (here.is_leaf()) return result + extra[group];
  result = 0;
  for (const std::uint32_t child : here.children) result += counted(workload, child, extra);
  return result;
}

bool satisfied(const Workload& workload, std::uint32_t group, std::span<const std::int32_t> extra) {
  const Group& here = workload.groups[group];
  const GroupInput& input = workload.input.groups[group];
  if (counted(workload, group, extra) < input.minimum_pods) return false;
  if (here.is_leaf()) return true;
  const auto children = static_cast<std::int32_t>(
      std::ranges::count_if(here.children, [&](std::uint32_t child) { return satisfied(workload, child, extra); }));
  return children >= std::min(input.minimum_children, static_cast<std::int32_t>(here.children.size()));
}

std::uint32_t unsatisfied(const Workload& workload, std::uint32_t group, std::span<const std::int32_t> extra) {
  for (const std::uint32_t child : workload.groups[group].children) {
    if (!satisfied(workload, child, extra)) return unsatisfied(workload, child, extra);
  }
  return group;
}

}  // namespace

bool is_satisfied(const Workload& workload, std::span<const std::int32_t> extra) {
  return is_group_satisfied(workload, 0, extra);
}

bool is_group_satisfied(const Workload& workload, std::uint32_t group, std::span<const std::int32_t> extra) {
  return workload.known && satisfied(workload, group, extra);
}

bool is_group_below(const Workload& workload, std::uint32_t group, std::uint32_t above) {
  while (group > above) group = workload.input.groups[group].parent;
  return group == above;
}

bool is_damaged(const Workload& workload) {
  if (!workload.known) return false;
  const std::size_t groups = mutant("Rule.GroupsAreDamagedToo") ? 1 : workload.groups.size();
  for (std::uint32_t group = 0; group < groups; ++group)
    if (workload.groups[group].placed > 0 && !is_group_satisfied(workload, group)) return true;
  return false;
}

std::uint32_t first_unsatisfied(const Workload& workload, std::span<const std::int32_t> extra) {
  return is_satisfied(workload, extra) ? 0 : unsatisfied(workload, 0, extra);
}

Workloads::Workloads(const Names& names, std::uint64_t seed) : names_(names), seed_(seed), queues_(names) {}

WorkloadId Workloads::find(NameId name) const {
  const auto found = ids_.find(name);
  return found == ids_.end() ? WorkloadId::none() : found->second;
}

WorkloadId Workloads::intern(NameId name) {
  const auto [entry, added] = ids_.try_emplace(name, WorkloadId::none());
  if (!added) return entry->second;
  entry->second = take_slot(workloads_, free_);
  Workload& made = workloads_[entry->second.index()];
  made.input.name = name;
  made.tie = tie_rank(seed_, names_.names.text(name));
  return entry->second;
}

std::vector<PodId> Workloads::set(const WorkloadInput& input) {
  const WorkloadId id = intern(input.name);
  Workload& workload = workloads_[id.index()];
  std::vector<PodId> members = std::exchange(workload.strays, {});
  for (Group& group : workload.groups) members.insert(members.end(), group.members.begin(), group.members.end());
  workload.input = input;
  if (mutant("Rule.KeptForPodsToCome")) workload.input.minimum_amounts.clear();
  // A tree has a root, also where nobody described one.
  if (workload.input.groups.empty()) workload.input.groups.resize(1);
  const std::vector<GroupInput>& groups = workload.input.groups;
  workload.known = true;
  workload.groups.assign(groups.size(), {});
  for (std::uint32_t i = 1; i < groups.size(); ++i) workload.groups[groups[i].parent].children.push_back(i);
  for (std::size_t i = 0; i < groups.size(); ++i) {
    for (std::uint32_t at = static_cast<std::uint32_t>(i);; at = groups[at].parent) {
      workload.groups[at].succeeded += groups[i].succeeded;
      if (at == 0) break;
    }
  }
  workload.held.assign(workload.input.minimum_amounts.size(), 0);
  workload.kept = workload.held;
  for (const ResourceAmount& least : workload.input.minimum_amounts) ledger_.know(least.resource);
  workload.queues.clear();
  workload.counted_in.clear();
  const std::size_t queues_before = queues_.size();
  for (const NameId queue : input.queues) workload.queues.push_back(queues_.intern(queue));
  for (const NameId queue : input.counted_in) workload.counted_in.push_back(queues_.intern(queue));
  if (queues_.size() != queues_before) ledger_.rules_changed();
  touch(id);
  return members;
}

std::vector<PodId> Workloads::forget(NameId name) {
  const WorkloadId id = find(name);
  if (id.is_none()) return {};
  Workload& workload = workloads_[id.index()];
  std::vector<PodId> members = std::move(workload.strays);
  for (Group& group : workload.groups) members.insert(members.end(), group.members.begin(), group.members.end());
  workload = Workload{};
  if (members.empty()) {
    ids_.erase(name);
    free_.push_back(id);
  } else {
    workload.input.name = name;
    workload.tie = tie_rank(seed_, names_.names.text(name));
  }
  touch(id);
  return members;
}

bool Workloads::set_queue(const QueueInput& input) {
  if (!queues_.set(input)) return false;
  ledger_.rules_changed();
  return true;
}

bool Workloads::remove_queue(NameId name) {
  if (!queues_.remove(name)) return false;
  ledger_.rules_changed();
  return true;
}

std::uint32_t Workloads::join(WorkloadId id, NameId group, PodId pod) {
  Workload& workload = workloads_[id.index()];
  touch(id);
  for (std::uint32_t i = 0; i < workload.groups.size(); ++i) {
    if (!workload.groups[i].is_leaf()) continue;
    if (!group.is_none() && workload.input.groups[i].name != group) continue;
    workload.groups[i].members.push_back(pod);
    return i;
  }
  workload.strays.push_back(pod);
  return kNoGroup;
}

void Workloads::leave(WorkloadId id, std::uint32_t group, PodId pod) {
  Workload& workload = workloads_[id.index()];
  std::vector<PodId>& members = group == kNoGroup ? workload.strays : workload.groups[group].members;
  const auto found = std::ranges::find(members, pod);
  *found = members.back();
  members.pop_back();
  touch(id);
  if (workload.known || !workload.strays.empty()) return;
  ids_.erase(workload.input.name);
  workload = Workload{};
  free_.push_back(id);
}

void Workloads::placed(WorkloadId id, std::uint32_t group, std::span<const ResourceAmount> charge, int sign) {
  Workload& workload = workloads_[id.index()];
  for (std::uint32_t at = group; at != kNoGroup; at = workload.input.groups[at].parent) {
    workload.groups[at].placed += sign;
    if (at == 0) break;
  }
  if (workload.held.empty()) return this->charge(workload, charge, sign);
  // Charged in one, so that what is kept for a pod and then held by it gives nobody room in between.
  const auto keeps = [&] { return std::ranges::any_of(workload.kept, [](Amount each) { return each > 0; }); };
  const bool kept_before = keeps();
  std::vector<ResourceAmount> changes(charge.begin(), charge.end());
  for (ResourceAmount& change : changes) change.amount *= sign;
  for (std::size_t i = 0; i < workload.held.size(); ++i) {
    const auto [resource, least] = workload.input.minimum_amounts[i];
    workload.held[i] += sign * amount_in(charge, resource);
    const Amount kept = workload.placed() > 0 ? std::max<Amount>(least - workload.held[i], 0) : 0;
    const Amount more = kept - std::exchange(workload.kept[i], kept);
    add_amount(changes, {resource, more});
  }
  if (keeps() != kept_before) {
    const auto place = std::ranges::lower_bound(keepers_, id);
    if (kept_before) {
      keepers_.erase(place);
    } else {
      keepers_.insert(place, id);
    }
  }
  this->charge(workload, changes, 1);
}

void Workloads::charge(const Workload& workload, std::span<const ResourceAmount> amounts, int sign) {
  for (const QueueId queue : workload.counted_in) ledger_.charge(queue, amounts, sign);
  if (workload.queues.empty()) ledger_.charge(QueueTree::kRoot, amounts, sign);
  for (const QueueId queue : workload.queues) ledger_.charge(queue, amounts, sign);
}

}  // namespace berth::engine
