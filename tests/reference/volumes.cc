#include "reference/volumes.h"

namespace berth::reference {

std::vector<std::string> named_claims(const api::Pod& pod) {
  std::vector<std::string> names;
  for (const api::Volume& volume : pod.spec.volumes) {
    if (!volume.ephemeral && !volume.persistent_volume_claim.empty()) names.push_back(volume.persistent_volume_claim);
  }
  return names;
}

std::vector<std::string> all_claims(const api::Pod& pod) {
  std::vector<std::string> names;
  for (const api::Volume& volume : pod.spec.volumes) {
    if (volume.ephemeral) {
      names.push_back(pod.metadata.name + "-" + volume.name);
    } else if (!volume.persistent_volume_claim.empty()) {
      names.push_back(volume.persistent_volume_claim);
    }
  }
  return names;
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
  if (!claim.storage_class_name || claim.storage_class_name->empty()) return nullptr;
  for (const auto& candidate : objects.storage_classes) {
    if (candidate.metadata.name == *claim.storage_class_name) return &candidate;
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
