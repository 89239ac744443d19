#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "api/by_name.h"
#include "api/full_name.h"
#include "api/owner.h"
#include "controllers/reconcile.h"
#include "controllers/workshop.h"

namespace berth::controllers {
namespace {

// How many pods controllers want.
class Wanted {
 public:
  explicit Wanted(const api::ObjectSet& objects)
      : replica_sets_(objects.replica_sets),
        deployments_(objects.deployments),
        controllers_(objects.replication_controllers),
        jobs_(objects.jobs) {}

  // None where the controller is not among the objects or counts otherwise.
  std::optional<std::int64_t> by(const api::OwnerReference& owner, std::string_view space) {
    if (is_volcanos(owner.api_version)) return std::nullopt;
    if (owner.kind == "ReplicaSet") {
      const auto* set = replica_sets_.find(space, owner.name);
      if (set == nullptr) return std::nullopt;
      const api::OwnerReference* above = api::controller_of(set->metadata);
      const auto* deployment = above == nullptr ? nullptr : deployments_.find(space, above->name);
      return deployment == nullptr ? set->replicas : std::min(set->replicas, deployment->replicas);
    }
    if (owner.kind == "ReplicationController")
      if (const auto* set = controllers_.find(space, owner.name)) return set->replicas;
    if (owner.kind == "Job")
      if (const auto* job = jobs_.find(space, owner.name); job != nullptr && job->spec.suspend) return 0;
    return std::nullopt;
  }

 private:
  api::ByName<api::ReplicaSet> replica_sets_;
  api::ByName<api::Deployment> deployments_;
  api::ByName<api::ReplicationController> controllers_;
  api::ByName<api::Job> jobs_;
};

// Controllers that name their pods as they come; all others, StatefulSets and Volcano's Jobs first, give a successor
// the same name.
bool draws_names(const api::OwnerReference& owner) {
  const std::string_view kind = owner.kind;
  if (is_volcanos(owner.api_version)) return false;
  return kind == "ReplicaSet" || kind == "ReplicationController" || kind == "DaemonSet" || kind == "Job";
}

}  // namespace

std::vector<Replacement> replacements(const api::ObjectSet& objects, std::span<const api::Pod* const> evicted,
                                      const Options& options) {
  std::vector<Replacement> out;
  if (evicted.empty()) return out;
  Workshop workshop(objects, options);
  Wanted wanted_pods(objects);
  std::map<std::string, std::int64_t> active;  // by owner, with what comes back
  for (const api::Pod* pod : evicted) {
    const api::OwnerReference* reference = api::controller_of(pod->metadata);
    if (reference == nullptr || pod->metadata.deletion_timestamp) continue;
    api::ObjectMeta owner_metadata;
    owner_metadata.name = reference->name;
    owner_metadata.namespace_ = pod->metadata.namespace_;
    owner_metadata.uid = reference->uid;
    const Owner owner{reference->api_version, reference->kind, &owner_metadata};
    const std::string key =
        owner_key(reference->api_version, reference->kind, owner_metadata.namespace_, owner_metadata.name);
    const auto [count, fresh] = active.try_emplace(key, 0);
    if (fresh)
      count->second = std::ranges::count_if(workshop.owned(owner), [](const api::Pod* own) { return is_active(*own); });
    const auto wanted = wanted_pods.by(*reference, pod->metadata.namespace_);
    if (wanted && count->second >= *wanted) continue;
    ++count->second;
    Replacement back{pod, *pod};
    if (draws_names(*reference))
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
