#include "api/volume_binding.h"

#include <string_view>
#include <utility>

#include "base/mutant.h"

namespace berth::api {

void bind(PersistentVolumeClaim& claim, PersistentVolume& volume) {
  volume.claim_namespace = claim.metadata.namespace_;
  volume.claim_name = claim.metadata.name;
  volume.claim_uid = claim.metadata.uid;
  volume.phase = "Bound";
  claim.volume_name = volume.metadata.name;
  claim.phase = "Bound";
  claim.metadata.annotations.insert_or_assign("pv.kubernetes.io/bind-completed", "yes");
}

std::string claim_behind(const Pod& pod, const Volume& volume) {
  return volume.ephemeral ? pod.metadata.name + "-" + volume.name : volume.persistent_volume_claim;
}

const StorageClass* default_class(const std::vector<Read<StorageClass>>& classes) {
  const auto age = [](const StorageClass& from) {
    return std::pair(-from.metadata.creation_timestamp.value_or(0), std::string_view(from.metadata.name));
  };
  const StorageClass* found = nullptr;
  for (const auto& read : classes) {
    if (!read.object.is_default) continue;
    if (found == nullptr || (age(read.object) < age(*found) && !mutant("Rule.NewestDefaultClass")))
      found = &read.object;
  }
  return found;
}

Quantity storage_of(const ResourceList& list) {
  const auto found = list.find("storage");
  return found == list.end() ? Quantity() : found->second;
}

bool names(const PersistentVolume& volume, const PersistentVolumeClaim& claim) {
  return volume.claim_name == claim.metadata.name && volume.claim_namespace == claim.metadata.namespace_ &&
         (volume.claim_uid.empty() || volume.claim_uid == claim.metadata.uid);
}

}  // namespace berth::api
