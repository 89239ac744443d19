// Volcano's PodGroup controller: pods that it schedules and that name no group get one, per controller or per pod.
#include <algorithm>
#include <limits>
#include <string>
#include <string_view>
#include <utility>

#include <boost/unordered/unordered_flat_map.hpp>
#include <boost/unordered/unordered_flat_set.hpp>

#include "api/full_name.h"
#include "api/owner.h"
#include "base/whole_number.h"
#include "controllers/volcano.h"

namespace berth::controllers {
namespace {

namespace keys = api::volcano::keys;
using api::volcano::GroupOfPod;
using api::volcano::Membership;
using api::volcano::PodGroup;

// The objects that may own pods, and say how many of them start together.
class Owners {
 public:
  explicit Owners(Workshop& workshop) {
    add("ReplicaSet", workshop.objects().replica_sets);
    add("ReplicaSet", workshop.result().replica_sets);
    add("StatefulSet", workshop.objects().stateful_sets);
    add("DaemonSet", workshop.objects().daemon_sets);
    add("Job", workshop.objects().jobs);
    add("Job", workshop.result().jobs);
  }

  [[nodiscard]] const api::ObjectMeta* find(const api::Pod& pod) const {
    const api::OwnerReference* reference = api::controller_of(pod.metadata);
    if (reference == nullptr) return nullptr;
    const auto found = by_name_.find(reference->kind + '/' + api::full_name(pod.metadata.namespace_, reference->name));
    return found == by_name_.end() ? nullptr : found->second;
  }

 private:
  template <class T>
  void add(const std::string& kind, const std::vector<api::Read<T>>& objects) {
    for (const auto& read : objects)
      by_name_.emplace(kind + '/' + api::full_name(read.object.metadata), &read.object.metadata);
  }
  boost::unordered_flat_map<std::string, const api::ObjectMeta*> by_name_;
};

void set_topology(const api::ObjectMeta& from, PodGroup& group) {
  const std::string_view mode = annotation(from, keys::kTopologyMode);
  const std::string_view tier = annotation(from, keys::kTopologyTier);
  if (mode.empty() && tier.empty()) return;
  auto& topology = group.network_topology.emplace();
  if (mode == "soft") topology.mode = api::volcano::TopologyMode::kSoft;
  topology.highest_tier_allowed = whole_number<std::int32_t>(tier, 0);
}

PodGroup make_group(const api::Pod& pod, std::string name, const api::ObjectMeta* owner, Workshop& workshop,
                    const Place& place) {
  PodGroup group;
  group.metadata.name = std::move(name);
  group.metadata.namespace_ = pod.metadata.namespace_;
  if (const api::OwnerReference* reference = api::controller_of(pod.metadata)) {
    group.metadata.owner_references = {*reference};
  } else {
    group.metadata.owner_references = {{"v1", "Pod", pod.metadata.name, pod.metadata.uid, true}};
  }
  for (const std::string_view key : {keys::kPreemptable}) {
    if (const std::string_view value = annotation(pod.metadata, key); !value.empty())
      group.metadata.annotations.emplace(key, value);
  }
  group.min_member = 1;
  if (owner != nullptr) {
    const std::string_view wanted = annotation(*owner, keys::kGroupMinMember);
    const auto least = whole_number<std::int32_t>(wanted, 0);
    if (least) {
      group.min_member = *least;
    } else if (!wanted.empty()) {
      workshop.remark("The annotation " + std::string(keys::kGroupMinMember) + " of " + owner->name + " is \"" +
                          std::string(wanted) + "\", which is no number, so its pods start one by one; write one.",
                      place);
    }
  }
  if (const std::string_view queue = annotation(pod.metadata, keys::kQueueName); !queue.empty()) group.queue = queue;
  group.priority_class_name = pod.spec.priority_class_name;
  set_topology(pod.metadata, group);
  api::volcano::JobSpec one;
  one.min_available = group.min_member;
  one.tasks.emplace_back();
  one.tasks.front().replicas = group.min_member;
  one.tasks.front().pod_template.spec = pod.spec;
  group.min_resources = minimum_resources(one);
  return group;
}

}  // namespace

void reconcile_pod_groups(Workshop& workshop) {
  boost::unordered_flat_set<std::string> there;
  for (const auto* groups :
       {&workshop.objects().volcano_pod_groups, &std::as_const(workshop.result().volcano_pod_groups)})
    for (const auto& read : *groups) there.insert(api::full_name(read.object.metadata));
  std::optional<Owners> owners;
  std::vector<api::Read<PodGroup>> made;
  const auto visit = [&](const api::Read<api::Pod>& read) {
    if (is_finished(read.object)) return;
    GroupOfPod group = api::volcano::group_of(read.object);
    if (group.membership != Membership::kGenerated) return;
    if (!there.insert(api::full_name(read.object.metadata.namespace_, group.name)).second) return;
    if (!owners) owners.emplace(workshop);
    made.push_back(
        {make_group(read.object, std::move(group.name), owners->find(read.object), workshop, read.place), read.place});
  };
  for (const auto& read : workshop.objects().pods) visit(read);
  for (const auto& read : workshop.result().pods) visit(read);
  auto& groups = workshop.result().volcano_pod_groups;
  groups.insert(groups.end(), std::make_move_iterator(made.begin()), std::make_move_iterator(made.end()));
}

}  // namespace berth::controllers
