#include "api/volume_binding.h"

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

bool names(const PersistentVolume& volume, const PersistentVolumeClaim& claim) {
  return volume.claim_name == claim.metadata.name && volume.claim_namespace == claim.metadata.namespace_ &&
         (volume.claim_uid.empty() || volume.claim_uid == claim.metadata.uid);
}

}  // namespace berth::api
