#include "dialects/upstream/pod_groups.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "api/full_name.h"
#include "api/pod_state.h"
#include "dialects/workloads/age.h"
#include "dialects/workloads/wishes.h"

namespace berth::dialects::upstream {
namespace {

using workloads::Member;
using workloads::Reading;
using workloads::Scene;

std::string group_name(std::string_view key) { return fmt::format("PodGroup {}", key); }
std::string composite_name(std::string_view key) { return fmt::format("CompositePodGroup {}", key); }
std::string workload_name(std::string_view key) { return fmt::format("Workload {}", key); }

// "Workload default/train, group workers, instance 2", of a pod of v1alpha1.
std::string instance_name(const api::Pod& pod) {
  const api::PodSchedulingGroup& group = *pod.spec.scheduling_group;
  std::string name =
      fmt::format("{}, group {}", workload_name(api::full_name(pod.metadata.namespace_, group.workload_name)),
                  group.workload_group);
  if (!group.workload_instance.empty()) name += fmt::format(", instance {}", group.workload_instance);
  return name;
}

bool is_basic(const api::GroupRules& rules) { return !rules.policy.gang_minimum; }

bool goes_whole(const api::GroupRules& rules) { return rules.disruption_mode == api::DisruptionMode::kAll; }

// A basic group whose pods need each other for nothing.
bool each_for_itself(const api::PodGroup& group) {
  return is_basic(group.rules) && group.parent.empty() && group.rules.topology_keys.empty() &&
         !goes_whole(group.rules) && !group.metadata.annotations.contains(workloads::kPreferredTopologyAnnotation) &&
         !group.metadata.annotations.contains(workloads::kSliceTopologyAnnotation);
}

// What counts of the root alone.
void remark_on_child(const api::GroupRules& rules, const Place& place, Reading& out) {
  if (rules.preemption_policy)
    out.remark(ErrorCode::kUnsupported, place, "spec.preemptionPolicy",
               "It has no effect on a child group. Set it on the root of the tree.");
}

template <class T>
std::vector<std::string> sorted_keys(const T& by_name) {
  std::vector<std::string> keys;
  keys.reserve(by_name.size());
  for (const auto& [key, value] : by_name) keys.push_back(key);
  std::ranges::sort(keys);
  return keys;
}

}  // namespace

void PodGroups::read(const Scene& scene, Reading& out) {
  groups_.clear();
  composites_.clear();
  workloads_.clear();
  instance_pods_.clear();
  instances_.clear();
  index(scene);
  look_at_pods(scene);
  for (const std::string& key : sorted_keys(composites_))
    if (composites_[key].read->object.parent.empty()) tell_composite(scene, key, out);
  for (const std::string& key : sorted_keys(groups_)) {
    Group& group = groups_[key];
    if (group.read->object.parent.empty()) tell_group(scene, key, group, out);
  }
  tell_instances(scene, out);
}

void PodGroups::index(const Scene& scene) {
  for (const auto& read : scene.objects.workloads) workloads_.try_emplace(api::full_name(read.object.metadata), &read);
  for (const auto& read : scene.objects.composite_pod_groups)
    composites_.try_emplace(api::full_name(read.object.metadata), Composite{.read = &read});
  for (const auto& read : scene.objects.pod_groups)
    groups_.try_emplace(api::full_name(read.object.metadata), Group{.read = &read});
  for (const std::string& key : sorted_keys(composites_)) {
    const api::CompositePodGroup& composite = composites_[key].read->object;
    if (composite.parent.empty()) continue;
    const auto parent = composites_.find(api::full_name(composite.metadata.namespace_, composite.parent));
    if (parent != composites_.end()) parent->second.composites.push_back(key);
  }
  for (const std::string& key : sorted_keys(groups_)) {
    const api::PodGroup& group = groups_[key].read->object;
    if (group.parent.empty()) continue;
    const auto parent = composites_.find(api::full_name(group.metadata.namespace_, group.parent));
    if (parent != composites_.end()) parent->second.groups.push_back(key);
  }
}

void PodGroups::look_at_pods(const Scene& scene) {
  for (const auto& read : scene.objects.pods) {
    const api::Pod& pod = read.object;
    if (pod.spec.scheduling_group.address() == nullptr || is_finished(pod)) continue;
    const api::PodSchedulingGroup& link = *pod.spec.scheduling_group;
    Pods* pods = nullptr;
    if (!link.pod_group_name.empty()) {
      const auto found = groups_.find(api::full_name(pod.metadata.namespace_, link.pod_group_name));
      if (found != groups_.end()) pods = &found->second.pods;
    } else if (!link.workload_name.empty()) {
      pods = &instance_pods_[instance_name(pod)];
    }
    if (pods == nullptr) continue;
    const kubernetes::Context::Priority own = scene.context.priority(pod.spec);
    if (!pods->highest || own.value > pods->highest->value) pods->highest = Priority{own.value, own.preempts};
    pods->alive.push_back(&pod);
  }
}

PodGroups::Priority PodGroups::priority_of(const Scene& scene, const api::GroupRules& rules, const Place& place,
                                           const std::optional<Priority>& of_pods, Reading& out) const {
  const bool says = rules.priority || !rules.priority_class_name.empty();
  Priority result;
  if (says || !of_pods) {
    const kubernetes::Context::Priority own =
        scene.context.priority(rules.priority_class_name, rules.priority, rules.preemption_policy);
    result = {own.value, own.preempts};
    if (own.class_missing)
      out.remark(ErrorCode::kNotFound, place, "spec.priorityClassName",
                 workloads::missing_class(rules.priority_class_name));
  } else {
    result = *of_pods;
  }
  if (rules.preemption_policy) result.preempts = *rules.preemption_policy != api::PreemptionPolicy::kNever;
  return result;
}

void PodGroups::add_rules(const api::GroupRules& rules, engine::GroupInput& group) const {
  group.goes_whole = goes_whole(rules);
  if (!rules.topology_keys.empty()) group.topology.required = names_.label_keys.intern(rules.topology_keys.front());
}

void PodGroups::tell_group(const Scene& scene, const std::string& key, Group& group, Reading& out) {
  const api::PodGroup& object = group.read->object;
  group.priority = priority_of(scene, object.rules, group.read->place, group.pods.highest, out);
  if (each_for_itself(object)) return tell_each_pod(scene, group, out);
  engine::WorkloadInput workload;
  workload.name = names_.names.intern(group_name(key));
  engine::GroupInput& root = workload.groups.emplace_back();
  root.minimum_pods = object.rules.policy.gang_minimum.value_or(1);
  add_rules(object.rules, root);
  workload.priority = group.priority.value;
  workload.preempts = group.priority.preempts;
  workload.created = object.metadata.creation_timestamp.value_or(scene.now);
  workload.members_return = workloads::members_return(object.metadata, group.pods.alive);
  workloads::add_wishes(object.metadata, group.read->place, workload, root, names_, out);
  group.workload = workload.name;
  out.objects.push_back({"PodGroup/" + object.metadata.name, object.metadata.namespace_, workload.name});
  if (object.made_from)
    out.objects.push_back({"Workload/" + object.made_from->workload_name, object.metadata.namespace_, workload.name});
  out.workloads.push_back(std::move(workload));
}

std::string PodGroups::pod_workload(const api::Pod& pod, const std::string& group) const {
  return fmt::format("{}, pod {}", group_name(group), pod.metadata.name);
}

void PodGroups::tell_each_pod(const Scene& scene, const Group& group, Reading& out) {
  const api::PodGroup& object = group.read->object;
  const std::string key = api::full_name(object.metadata);
  for (const api::Pod* pod : group.pods.alive) {
    engine::WorkloadInput workload;
    workload.name = names_.names.intern(pod_workload(*pod, key));
    engine::GroupInput& root = workload.groups.emplace_back();
    root.minimum_pods = 1;
    workload.priority = group.priority.value;
    workload.preempts = group.priority.preempts;
    workload.created = object.metadata.creation_timestamp.value_or(scene.now);
    workloads::add_wishes(object.metadata, group.read->place, workload, root, names_, out);
    out.objects.push_back({"PodGroup/" + object.metadata.name, object.metadata.namespace_, workload.name});
    if (object.made_from)
      out.objects.push_back({"Workload/" + object.made_from->workload_name, object.metadata.namespace_, workload.name});
    out.workloads.push_back(std::move(workload));
  }
}

std::optional<PodGroups::Priority> PodGroups::highest_below(const std::string& composite) const {
  std::optional<Priority> result;
  const auto consider = [&](const std::optional<Priority>& other) {
    if (other && (!result || other->value > result->value)) result = other;
  };
  const Composite& here = composites_.at(composite);
  for (const std::string& child : here.groups) consider(groups_.at(child).pods.highest);
  for (const std::string& child : here.composites) consider(highest_below(child));
  return result;
}

// Only roots come here, and what hangs below a root is a tree: composites that are each other's parents are below none.
void PodGroups::tell_composite(const Scene& scene, const std::string& key, Reading& out) {
  const Composite& composite = composites_.at(key);
  const api::CompositePodGroup& object = composite.read->object;
  engine::WorkloadInput workload;
  workload.name = names_.names.intern(composite_name(key));
  const Priority priority = priority_of(scene, object.rules, composite.read->place, highest_below(key), out);
  workload.priority = priority.value;
  workload.preempts = priority.preempts;
  workload.created = object.metadata.creation_timestamp.value_or(scene.now);
  workload.members_return = false;
  add_composite(workload, 0, key, out);
  out.workloads.push_back(std::move(workload));
}

void PodGroups::add_composite(engine::WorkloadInput& workload, std::uint32_t parent, const std::string& key,
                              Reading& out) {
  Composite& composite = composites_.at(key);
  composite.workload = workload.name;
  const api::CompositePodGroup& object = composite.read->object;
  workload.members_return = workload.members_return || workloads::members_return(object.metadata, {});
  const auto here = static_cast<std::uint32_t>(workload.groups.size());
  engine::GroupInput group;
  group.name = names_.names.intern(composite_name(object.metadata.name));
  group.parent = parent;
  // A basic one wants one of its children, as a basic group wants one of its pods.
  group.minimum_children = object.rules.policy.gang_minimum.value_or(1);
  add_rules(object.rules, group);
  if (here != 0) remark_on_child(object.rules, composite.read->place, out);
  workloads::add_wishes(object.metadata, composite.read->place, workload, group, names_, out);
  const auto children = static_cast<std::int32_t>(composite.composites.size() + composite.groups.size());
  const std::int32_t missing = std::max(group.minimum_children - children, 0);
  workload.groups.push_back(group);
  out.objects.push_back({"CompositePodGroup/" + object.metadata.name, object.metadata.namespace_, workload.name});
  if (object.made_from)
    out.objects.push_back({"Workload/" + object.made_from->workload_name, object.metadata.namespace_, workload.name});
  for (const std::string& child : composite.composites) add_composite(workload, here, child, out);
  for (const std::string& child : composite.groups) add_child_group(workload, here, child, out);
  if (missing == 0) return;
  // One group without pods stands for all that are missing: with it too few are satisfied, however many it stands for.
  engine::GroupInput absent;
  absent.name = names_.names.intern(
      missing == 1 ? fmt::format("(child {} of {}, not made yet)", children + 1, object.metadata.name)
                   : fmt::format("(children {} to {} of {}, not made yet)", children + 1, children + missing,
                                 object.metadata.name));
  absent.parent = here;
  absent.minimum_pods = missing;
  workload.groups.push_back(absent);
}

void PodGroups::add_child_group(engine::WorkloadInput& workload, std::uint32_t parent, const std::string& key,
                                Reading& out) {
  Group& child = groups_.at(key);
  const api::PodGroup& object = child.read->object;
  engine::GroupInput group;
  group.name = names_.names.intern(object.metadata.name);
  group.parent = parent;
  group.minimum_pods = object.rules.policy.gang_minimum.value_or(1);
  add_rules(object.rules, group);
  workload.members_return = workload.members_return || workloads::members_return(object.metadata, child.pods.alive);
  remark_on_child(object.rules, child.read->place, out);
  workloads::add_wishes(object.metadata, child.read->place, workload, group, names_, out);
  child.workload = workload.name;
  child.leaf = group.name;
  child.priority = {workload.priority, workload.preempts};
  workload.groups.push_back(group);
  out.objects.push_back({"PodGroup/" + object.metadata.name, object.metadata.namespace_, workload.name});
}

// Groups of v1alpha1 are no objects of their own; they are there as soon as a pod names them.
void PodGroups::tell_instances(const Scene& scene, Reading& out) {
  for (const std::string& name : sorted_keys(instance_pods_)) {
    const Pods& pods = instance_pods_[name];
    const api::Pod& first = *pods.alive.front();
    const api::PodSchedulingGroup& link = *first.spec.scheduling_group;
    const auto found = workloads_.find(api::full_name(first.metadata.namespace_, link.workload_name));
    if (found == workloads_.end()) continue;
    const api::Workload& object = found->second->object;
    const auto group = std::ranges::find(object.pod_groups, link.workload_group, &api::PodGroupTemplate::name);
    if (group == object.pod_groups.end()) continue;
    const Priority priority = priority_of(scene, group->rules, found->second->place, pods.highest, out);
    engine::WorkloadInput workload;
    workload.name = names_.names.intern(name);
    engine::GroupInput& root = workload.groups.emplace_back();
    root.minimum_pods = group->rules.policy.gang_minimum.value_or(1);
    add_rules(group->rules, root);
    workload.priority = priority.value;
    workload.preempts = priority.preempts;
    workload.created = workloads::first_creation(pods.alive, scene.now);
    workload.members_return = workloads::members_return(object.metadata, pods.alive);
    workloads::add_wishes(object.metadata, found->second->place, workload, root, names_, out);
    instances_.try_emplace(name, priority);
    out.objects.push_back({"Workload/" + object.metadata.name, object.metadata.namespace_, workload.name});
    out.workloads.push_back(std::move(workload));
  }
}

std::optional<Member> PodGroups::member(const api::Pod& pod) const {
  if (pod.spec.scheduling_group.address() == nullptr) return std::nullopt;
  const api::PodSchedulingGroup& link = *pod.spec.scheduling_group;
  if (!link.pod_group_name.empty()) {
    const std::string key = api::full_name(pod.metadata.namespace_, link.pod_group_name);
    const auto found = groups_.find(key);
    if (found == groups_.end()) return Member{.workload = names_.names.intern(group_name(key))};
    const Group& group = found->second;
    const api::PodGroup& object = group.read->object;
    if (!group.workload.is_none()) return Member{group.workload, group.leaf, group.priority.value};
    if (!object.parent.empty()) {
      const std::string parent = api::full_name(object.metadata.namespace_, object.parent);
      return Member{.workload = names_.names.intern(composite_name(parent))};
    }
    return Member{.workload = names_.names.intern(pod_workload(pod, key)), .priority = group.priority.value};
  }
  if (link.workload_name.empty()) return std::nullopt;
  const std::string name = instance_name(pod);
  if (const auto told = instances_.find(name); told != instances_.end())
    return Member{.workload = names_.names.intern(name), .priority = told->second.value};
  const std::string key = api::full_name(pod.metadata.namespace_, link.workload_name);
  if (!workloads_.contains(key)) return Member{.workload = names_.names.intern(workload_name(key))};
  return Member{.workload = names_.names.intern(name)};
}

void PodGroups::add_lineage(const api::Pod& pod, std::vector<std::string>& out) const {
  if (pod.spec.scheduling_group.address() == nullptr) return;
  const api::PodSchedulingGroup& link = *pod.spec.scheduling_group;
  if (link.pod_group_name.empty()) {
    if (!link.workload_name.empty()) out.push_back("Workload/" + link.workload_name);
    return;
  }
  out.push_back("PodGroup/" + link.pod_group_name);
  const auto found = groups_.find(api::full_name(pod.metadata.namespace_, link.pod_group_name));
  if (found == groups_.end()) return;
  std::string parent = found->second.read->object.parent;
  for (std::size_t depth = 0; !parent.empty() && depth < api::kMaxGroupDepth; ++depth) {
    out.push_back("CompositePodGroup/" + parent);
    const auto above = composites_.find(api::full_name(pod.metadata.namespace_, parent));
    parent = above == composites_.end() ? std::string() : above->second.read->object.parent;
  }
  if (const auto& from = found->second.read->object.made_from) out.push_back("Workload/" + from->workload_name);
}

}  // namespace berth::dialects::upstream
