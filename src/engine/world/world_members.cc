// Workloads, queues, topologies, namespaces and budgets as events tell of them, and who belongs to what.
#include "engine/world/world.h"

#include <algorithm>

#include "engine/topology/topology.h"

namespace berth::engine {

void World::charge_queues(const Pod& pod, int sign) {
  if (!pod.workload.is_none()) {
    workloads_.placed(pod.workload, pod.group, shape(pod.shape).charge, sign);
  } else if (workloads_.queues().has_queues()) {
    workloads_.placed_unowned(shape(pod.shape).charge, sign);
  }
}

// Without queues nobody asks for the sum over bare pods, so it is made when the first queue comes.
void World::charge_bare_pods(int sign) {
  for (const Pod& pod : pods_) {
    if (pod.state == PodState::kPlaced && pod.workload.is_none()) {
      workloads_.placed_unowned(shape(pod.shape).charge, sign);
    }
  }
}

void World::leave_workload(PodId pod_id) {
  Pod& pod = pods_[pod_id.index()];
  if (pod.workload.is_none()) return;
  workloads_.leave(pod.workload, pod.group, pod_id);
  pod.workload = WorkloadId::none();
  pod.group = kNoGroup;
}

// The pod holds no place.
void World::join_workload(PodId pod_id, NameId workload, NameId group) {
  Pod& pod = pods_[pod_id.index()];
  const WorkloadId id = workload.is_none() ? WorkloadId::none() : workloads_.intern(workload);
  if (id == pod.workload && (id.is_none() || group == pod.group_name)) {
    if (!id.is_none()) workloads_.touch(id);
    return;
  }
  leave_workload(pod_id);
  if (workload.is_none()) return;
  pod.workload = workloads_.intern(workload);
  pod.group_name = group;
  pod.group = workloads_.join(pod.workload, group, pod_id);
}

void World::join_again(WorkloadId id, const std::vector<PodId>& members) {
  for (const PodId member : members) {
    Pod& pod = pods_[member.index()];
    pod.group = workloads_.join(id, pod.group_name, member);
    if (pod.state == PodState::kPlaced) charge_queues(pod, 1);
  }
}

void World::set_workload(const WorkloadInput& input) {
  const WorkloadId old = workloads_.find(input.name);
  if (!old.is_none() && workloads_[old].known && workloads_[old].input == input) return;
  remove_workload(input.name);
  const std::vector<PodId> members = workloads_.set(input);
  const WorkloadId id = workloads_.find(input.name);
  // While it was not known its members were charged to the root.
  for (const PodId member : members) {
    if (pods_[member.index()].state == PodState::kPlaced) workloads_.placed_unowned(shape_of(member).charge, -1);
  }
  join_again(id, members);
}

void World::remove_workload(NameId name) {
  const WorkloadId id = workloads_.find(name);
  if (id.is_none() || !workloads_[id].known) return;
  const Workload& workload = workloads_[id];
  const auto give_back = [&](PodId member) {
    if (pods_[member.index()].state == PodState::kPlaced) charge_queues(pods_[member.index()], -1);
  };
  std::ranges::for_each(workload.strays, give_back);
  for (const Group& group : workload.groups) std::ranges::for_each(std::vector<PodId>(group.members), give_back);
  join_again(id, workloads_.forget(name));
}

void World::set_queue(const QueueInput& input) {
  const bool first = !workloads_.queues().has_queues();
  if (!workloads_.set_queue(input)) return;
  if (first) charge_bare_pods(1);
  ++rule_changes_;
}

void World::remove_queue(NameId name) {
  if (!workloads_.remove_queue(name)) return;
  if (!workloads_.queues().has_queues()) charge_bare_pods(-1);
  ++rule_changes_;
}

void World::set_topology(const TopologyInput& input) {
  const auto [entry, added] = topologies_.try_emplace(input.name, input);
  if (!added && entry->second == input) return;
  entry->second = input;
  ranks_stale_ = true;
  ++rule_changes_;
}

void World::remove_topology(NameId name) {
  if (topologies_.erase(name) == 0) return;
  ranks_stale_ = true;
  ++rule_changes_;
}

const TopologyInput* World::topology_levels(NameId name) const {
  const auto found = topologies_.find(name);
  return found == topologies_.end() ? nullptr : &found->second;
}

PodTurn World::turn_of(PodId id) const {
  const Pod& of = pod(id);
  return {shape(of.shape).input.priority, of.created, of.tie, of.name};
}

std::vector<PodId> World::wanting(const Group& leaf) const {
  std::vector<PodId> result;
  for (const PodId member : leaf.members) {
    if (pod(member).state == PodState::kPending && shape_of(member).profile != nullptr) result.push_back(member);
  }
  std::ranges::sort(result, [&](PodId a, PodId b) { return before(a, b); });
  return result;
}

void World::set_namespace(NamespaceId id, const Labels& labels) {
  const auto [entry, added] = namespaces_.try_emplace(id, labels);
  if (!added && entry->second == labels) return;
  entry->second = labels;
  topology_->namespaces_changed();
}

void World::set_budget(const BudgetInput& input) {
  budgets_.set(input);
  ++rule_changes_;
}

void World::remove_budget(NameId name) {
  budgets_.remove(name);
  ++rule_changes_;
}

}  // namespace berth::engine
