#include "api/volume_binding.h"

namespace berth::api {

void bind(PersistentVolumeClaim& claim, PersistentVolume& volume) {
  volume.claim_namespace = claim.metadata.namespace_;
  volume.claim_name = claim.metadata.name;
  volume.phase = "Bound";
  claim.volume_name = volume.metadata.name;
  claim.phase = "Bound";
  claim.metadata.annotations.insert_or_assign("pv.kubernetes.io/bind-completed", "yes");
}

}  // namespace berth::api
