// What the pods of a group say of it: how old it is, and whether somebody makes them again.
#pragma once

#include <algorithm>
#include <vector>

#include "api/core.h"
#include "api/owner.h"

namespace berth::dialects::workloads {

// A group that nobody has given a time yet is as old as the first of its pods; a pod without a time was made now.
[[nodiscard]] inline api::Time first_creation(const std::vector<const api::Pod*>& pods, api::Time now) {
  api::Time first = now;
  for (const api::Pod* pod : pods) first = std::min(first, pod->metadata.creation_timestamp.value_or(now));
  return first;
}

// Members that are lost come back if the group or any of its pods has a controller, be it among the objects or not: an
// operator that nobody here knows may make them. Bare pods are made once.
[[nodiscard]] inline bool members_return(const api::ObjectMeta& group, const std::vector<const api::Pod*>& pods) {
  return api::controller_of(group) != nullptr ||
         std::ranges::any_of(pods, [](const api::Pod* pod) { return api::controller_of(pod->metadata) != nullptr; });
}

}  // namespace berth::dialects::workloads
