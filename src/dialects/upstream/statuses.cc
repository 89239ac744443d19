// Conditions of PodGroups and CompositePodGroups.
//
// PodGroupInitiallyScheduled (PodGroupScheduled in v1alpha2) becomes True when the group first runs with its minimum
// and stays so, whatever happens later; before that it is False with reason Unschedulable. DisruptionTarget says that
// the group lost its places to another one.
#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <boost/unordered/unordered_flat_map.hpp>

#include "api/full_name.h"
#include "dialects/upstream/pod_groups.h"
#include "dialects/workloads/standing.h"

namespace berth::dialects::upstream {
namespace {

using workloads::ObjectCondition;
using workloads::Standing;
using workloads::Standings;

constexpr std::string_view kCompositeInitiallyScheduled = "CompositePodGroupInitiallyScheduled";

std::string_view scheduled_type(const api::PodGroup& group) {
  return group.version == api::SchedulingVersion::kV1alpha2 ? api::kPodGroupScheduled
                                                            : api::kPodGroupInitiallyScheduled;
}
std::string_view scheduled_type(const api::CompositePodGroup& /*group*/) { return kCompositeInitiallyScheduled; }

const api::Condition* find(const std::vector<api::Condition>& conditions, std::string_view type) {
  const auto found = std::ranges::find(conditions, type, &api::Condition::type);
  return found == conditions.end() ? nullptr : &*found;
}

// The time of a condition changes with its status only.
void set(std::vector<api::Condition>& conditions, api::Condition condition) {
  const auto found = std::ranges::find(conditions, condition.type, &api::Condition::type);
  if (found == conditions.end()) {
    conditions.push_back(std::move(condition));
    return;
  }
  if (found->status == condition.status) condition.last_transition_time = found->last_transition_time;
  *found = std::move(condition);
}

// Of several workloads (a basic group has one per pod) the group is scheduled if any is, and waits for what the first
// waits for.
struct Together {
  bool whole = false;
  std::string message;
};

template <class T>
void write_scheduled(T& group, const Together& together, api::Time now) {
  const std::string_view type = scheduled_type(group);
  const api::Condition* before = find(group.conditions, type);
  if (before != nullptr && before->status == "True") return;
  if (together.whole) {
    set(group.conditions,
        {std::string(type), "True", "Scheduled", "as many as have to run at once have their nodes", now});
  } else if (!together.message.empty()) {
    set(group.conditions, {std::string(type), "False", "Unschedulable", together.message, now});
  }
}

template <class T>
void add(const std::vector<api::Read<T>>& objects, std::string_view kind, std::vector<ObjectCondition>& out) {
  std::vector<const api::ObjectMeta*> order;
  boost::unordered_flat_map<const api::ObjectMeta*, const T*> by_metadata;
  for (const auto& read : objects) {
    if (read.object.conditions.empty()) continue;
    order.push_back(&read.object.metadata);
    by_metadata.emplace(&read.object.metadata, &read.object);
  }
  std::ranges::sort(order, {}, [](const api::ObjectMeta* each) { return std::pair(each->namespace_, each->name); });
  for (const api::ObjectMeta* each : order)
    for (const api::Condition& condition : by_metadata.at(each)->conditions)
      out.push_back({fmt::format("{}/{}", kind, each->name), each->namespace_, condition});
}

}  // namespace

void PodGroups::write_statuses(const Standings& standings, api::ObjectSet& objects) const {
  boost::unordered_flat_map<engine::NameId, const Standing*, std::hash<engine::NameId>> by_name;
  for (const Standing& each : standings.workloads) by_name.emplace(each.workload, &each);
  const auto together = [&](const std::vector<engine::NameId>& names) {
    Together result;
    for (const engine::NameId name : names) {
      const auto found = by_name.find(name);
      if (found == by_name.end()) continue;
      result.whole = result.whole || found->second->whole;
      if (result.message.empty()) result.message = found->second->message;
    }
    return result;
  };
  for (auto& read : objects.pod_groups) {
    const auto found = groups_.find(api::full_name(read.object.metadata));
    if (found != groups_.end()) write_scheduled(read.object, together(workloads_of(found->second)), standings.now);
  }
  for (auto& read : objects.composite_pod_groups) {
    const auto found = composites_.find(api::full_name(read.object.metadata));
    if (found != composites_.end() && !found->second.workload.is_none())
      write_scheduled(read.object, together({found->second.workload}), standings.now);
  }
}

void PodGroups::write_preemption(engine::NameId workload, api::Time now, api::ObjectSet& objects) const {
  const api::Condition condition{std::string(api::kDisruptionTarget), "True", "PreemptionByScheduler",
                                 "its places went to a group or pod of higher rank", now};
  for (auto& read : objects.pod_groups) {
    const auto found = groups_.find(api::full_name(read.object.metadata));
    if (found != groups_.end() && found->second.workload == workload) set(read.object.conditions, condition);
  }
  for (auto& read : objects.composite_pod_groups) {
    const auto found = composites_.find(api::full_name(read.object.metadata));
    if (found != composites_.end() && found->second.workload == workload) set(read.object.conditions, condition);
  }
}

void PodGroups::add_conditions(const api::ObjectSet& objects, std::vector<ObjectCondition>& out) const {
  add(objects.composite_pod_groups, "CompositePodGroup", out);
  add(objects.pod_groups, "PodGroup", out);
}

// One, or of a basic group one for each pod.
std::vector<engine::NameId> PodGroups::workloads_of(const Group& group) const {
  if (!group.workload.is_none()) return {group.workload};
  std::vector<engine::NameId> result;
  const api::ObjectMeta& metadata = group.read->object.metadata;
  for (const api::Pod* pod : group.pods.alive)
    result.push_back(names_.names.intern(pod_workload(*pod, api::full_name(metadata))));
  return result;
}

}  // namespace berth::dialects::upstream
