#include "sim/lineage.h"

#include <algorithm>

#include "api/owner.h"

namespace berth::sim {
namespace {

std::string key(std::string_view reference, std::string_view namespace_) {
  std::string out(reference);
  out += '\n';
  out += namespace_;
  return out;
}

}  // namespace

Lineage::Lineage(const api::ObjectSet& objects) {
  const auto read = [this](std::string_view kind, const auto& controllers) {
    for (const auto& controller : controllers) {
      const api::ObjectMeta& metadata = controller.object.metadata;
      if (const api::OwnerReference* owner = api::controller_of(metadata))
        owner_of_.emplace(key(std::string(kind) + '/' + metadata.name, metadata.namespace_),
                          owner->kind + '/' + owner->name);
    }
  };
  read("ReplicaSet", objects.replica_sets);
  read("ReplicationController", objects.replication_controllers);
  read("StatefulSet", objects.stateful_sets);
  read("DaemonSet", objects.daemon_sets);
  read("Job", objects.jobs);
  read("Job", objects.volcano_jobs);
}

std::vector<std::string> Lineage::of(const api::ObjectMeta& pod) const {
  std::vector<std::string> out = {"Pod/" + pod.name};
  if (const api::OwnerReference* owner = api::controller_of(pod)) out.push_back(owner->kind + '/' + owner->name);
  while (out.size() > 1 && out.size() < 8) {
    const auto found = owner_of_.find(key(out.back(), pod.namespace_));
    if (found == owner_of_.end()) break;
    out.push_back(found->second);
  }
  return out;
}

}  // namespace berth::sim
