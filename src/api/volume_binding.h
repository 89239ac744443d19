// Binding: a claim and a volume that name each other.
#pragma once

#include "api/storage.h"

namespace berth::api {

// As the volume binder leaves them, its annotation included.
void bind(PersistentVolumeClaim& claim, PersistentVolume& volume);

// The volume's claimRef names this claim: the uid counts where the reference has one, so that what a deleted claim held
// does not go to the next one of its name. Named is not yet bound.
[[nodiscard]] bool names(const PersistentVolume& volume, const PersistentVolumeClaim& claim);

}  // namespace berth::api
