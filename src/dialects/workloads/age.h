// How old groups are.
#pragma once

#include <algorithm>
#include <vector>

#include "api/core.h"

namespace berth::dialects::workloads {

// A group that nobody has given a time yet is as old as the first of its pods; a pod without a time was made now.
[[nodiscard]] inline api::Time first_creation(const std::vector<const api::Pod*>& pods, api::Time now) {
  api::Time first = now;
  for (const api::Pod* pod : pods) first = std::min(first, pod->metadata.creation_timestamp.value_or(now));
  return first;
}

}  // namespace berth::dialects::workloads
