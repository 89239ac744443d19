#include "reference/volumes.h"

namespace berth::reference {
namespace {

bool is_owned_by(const api::PersistentVolumeClaim& claim, const api::Pod& pod) {
  for (const auto& owner : claim.metadata.owner_references) {
    if (owner.controller)
      return owner.kind == "Pod" && owner.name == pod.metadata.name && owner.uid == pod.metadata.uid;
  }
  return false;
}

}  // namespace

std::vector<std::string> named_claims(const api::Pod& pod) {
  std::vector<std::string> names;
  for (const api::Volume& volume : pod.spec.volumes) {
    if (!volume.ephemeral && !volume.persistent_volume_claim.empty()) names.push_back(volume.persistent_volume_claim);
  }
  return names;
}

std::vector<UsedClaim> used_claims(const Objects& objects, const api::Pod& pod) {
  std::vector<UsedClaim> used;
  for (const api::Volume& volume : pod.spec.volumes) {
    if (volume.ephemeral) {
      const std::string name = pod.metadata.name + "-" + volume.name;
      const auto* claim = find_claim(objects, pod.metadata.namespace_, name);
      used.push_back({name, claim != nullptr && is_owned_by(*claim, pod) ? claim : nullptr});
    } else if (!volume.persistent_volume_claim.empty()) {
      const std::string& name = volume.persistent_volume_claim;
      used.push_back({name, find_claim(objects, pod.metadata.namespace_, name)});
    }
  }
  return used;
}

const api::PersistentVolumeClaim* find_claim(const Objects& objects, const std::string& claim_namespace,
                                             const std::string& name) {
  for (const auto& claim : objects.claims) {
    if (claim.metadata.name == name && claim.metadata.namespace_ == claim_namespace) return &claim;
  }
  return nullptr;
}

const api::PersistentVolume* find_volume(const Objects& objects, const std::string& name) {
  for (const auto& volume : objects.volumes) {
    if (volume.metadata.name == name) return &volume;
  }
  return nullptr;
}

const api::StorageClass* class_of(const Objects& objects, const api::PersistentVolumeClaim& claim) {
  for (const auto& candidate : objects.storage_classes) {
    const bool meant =
        claim.storage_class_name ? candidate.metadata.name == *claim.storage_class_name : candidate.is_default;
    if (meant) return &candidate;
  }
  return nullptr;
}

bool is_bound(const api::PersistentVolumeClaim& claim) {
  return !claim.volume_name.empty() && claim.metadata.annotations.contains("pv.kubernetes.io/bind-completed");
}

bool waits_for_consumer(const Objects& objects, const api::PersistentVolumeClaim& claim) {
  if (!claim.volume_name.empty()) return false;
  const api::StorageClass* storage_class = class_of(objects, claim);
  return storage_class != nullptr &&
         storage_class->volume_binding_mode == api::VolumeBindingMode::kWaitForFirstConsumer;
}

}  // namespace berth::reference
