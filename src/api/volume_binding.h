// Binding: a claim and a volume that name each other.
#pragma once

#include "api/storage.h"

namespace berth::api {

// As the volume binder leaves them, its annotation included.
void bind(PersistentVolumeClaim& claim, PersistentVolume& volume);

}  // namespace berth::api
