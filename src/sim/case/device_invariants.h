// What must hold of devices at every moment of a case, checked on the objects alone: no device in two claims, no
// counter and no capacity below zero.
#pragma once

#include <optional>
#include <string>

#include "api/objects.h"

namespace berth::sim {

// The first violation as a sentence, or none. Allocations with adminAccess count nothing. O(claims + slices x devices
// of pools that have counters or shares in use).
[[nodiscard]] std::optional<std::string> devices_are_real(const api::ObjectSet& objects);

}  // namespace berth::sim
