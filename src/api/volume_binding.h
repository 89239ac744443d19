// Binding: a claim and a volume that name each other.
#pragma once

#include <string>
#include <vector>

#include "api/objects.h"

namespace berth::api {

// As the volume binder leaves them, its annotation included.
void bind(PersistentVolumeClaim& claim, PersistentVolume& volume);

// The claim behind a pod's volume, in the pod's namespace: the one it names, or of a generic ephemeral volume
// "POD-VOLUME". Empty: there is none.
[[nodiscard]] std::string claim_behind(const Pod& pod, const Volume& volume);

// The class of claims that name none. Of several defaults the API server takes the newest, by name among equals. Null:
// there is none.
[[nodiscard]] const StorageClass* default_class(const std::vector<Read<StorageClass>>& classes);

// What a volume has, or a claim asks for. Zero: it does not say.
[[nodiscard]] Quantity storage_of(const ResourceList& list);

// The volume's claimRef names this claim: the uid counts where the reference has one, so that what a deleted claim held
// does not go to the next one of its name. Named is not yet bound.
[[nodiscard]] bool names(const PersistentVolume& volume, const PersistentVolumeClaim& claim);

}  // namespace berth::api
