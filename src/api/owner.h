// Who made an object and looks after it.
#pragma once

#include <algorithm>

#include "api/core.h"

namespace berth::api {

// metadata.ownerReferences with controller: true, or null.
[[nodiscard]] inline const OwnerReference* controller_of(const ObjectMeta& metadata) {
  const auto found = std::ranges::find_if(metadata.owner_references, &OwnerReference::controller);
  return found == metadata.owner_references.end() ? nullptr : &*found;
}

}  // namespace berth::api
