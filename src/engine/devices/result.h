// From a finished trial to allocations.
#pragma once

#include <vector>

#include "engine/devices/allocator.h"
#include "engine/devices/trial.h"

namespace berth::engine::devices {

[[nodiscard]] std::vector<ClaimAllocation> allocations(const Trial& trial);

// What a no is called on this node.
[[nodiscard]] Outcome no_on(const NodeDevices& node);

}  // namespace berth::engine::devices
