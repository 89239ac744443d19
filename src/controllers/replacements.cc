#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "controllers/reconcile.h"
#include "controllers/workshop.h"

namespace berth::controllers {
namespace {

template <class T>
const T* find_owner(const std::vector<api::Read<T>>& objects, const api::ObjectMeta& pod, std::string_view name) {
  const auto found = std::ranges::find_if(objects, [&](const api::Read<T>& read) {
    return read.object.metadata.name == name && read.object.metadata.namespace_ == pod.namespace_;
  });
  return found == objects.end() ? nullptr : &found->object;
}

// How many pods the controller wants; none where it is not among the objects or counts otherwise.
std::optional<std::int64_t> wanted_by(const api::ObjectSet& objects, const api::ObjectMeta& pod,
                                      const api::OwnerReference& owner) {
  if (owner.kind == "ReplicaSet") {
    const auto* set = find_owner(objects.replica_sets, pod, owner.name);
    if (set == nullptr) return std::nullopt;
    const api::OwnerReference* above = controller_of(set->metadata);
    const auto* deployment = above == nullptr ? nullptr : find_owner(objects.deployments, pod, above->name);
    return deployment == nullptr ? set->replicas : std::min(set->replicas, deployment->replicas);
  }
  if (owner.kind == "ReplicationController")
    if (const auto* set = find_owner(objects.replication_controllers, pod, owner.name)) return set->replicas;
  if (owner.kind == "Job")
    if (const auto* job = find_owner(objects.jobs, pod, owner.name); job != nullptr && job->spec.suspend) return 0;
  return std::nullopt;
}

// Controllers that name their pods as they come; all others, StatefulSets first, give a successor the same name.
bool draws_names(std::string_view kind) {
  return kind == "ReplicaSet" || kind == "ReplicationController" || kind == "DaemonSet" || kind == "Job";
}

}  // namespace

std::vector<Replacement> replacements(const api::ObjectSet& objects, std::span<const api::Pod* const> evicted,
                                      const Options& options) {
  std::vector<Replacement> out;
  Workshop workshop(objects, options);
  std::map<std::string, std::int64_t> active;  // by owner, with what comes back
  for (const api::Pod* pod : evicted) {
    const api::OwnerReference* reference = controller_of(pod->metadata);
    if (reference == nullptr || pod->metadata.deletion_timestamp) continue;
    api::ObjectMeta owner_metadata;
    owner_metadata.name = reference->name;
    owner_metadata.namespace_ = pod->metadata.namespace_;
    owner_metadata.uid = reference->uid;
    const Owner owner{reference->api_version, reference->kind, &owner_metadata};
    const std::string key = reference->kind + '/' + full_name(owner_metadata.namespace_, owner_metadata.name);
    const auto [count, fresh] = active.try_emplace(key, 0);
    if (fresh)
      count->second = std::ranges::count_if(workshop.owned(owner), [](const api::Pod* own) { return is_active(*own); });
    const auto wanted = wanted_by(objects, pod->metadata, *reference);
    if (wanted && count->second >= *wanted) continue;
    ++count->second;
    Replacement back{pod, *pod};
    if (draws_names(reference->kind))
      back.pod.metadata.name = workshop.fresh_name(pod->metadata.namespace_, reference->name);
    back.pod.metadata.uid.clear();
    back.pod.metadata.creation_timestamp = options.now;
    back.pod.spec.node_name.clear();
    back.pod.status = {};
    out.push_back(std::move(back));
  }
  return out;
}

}  // namespace berth::controllers
