// What each request of the pending claims finds on a node, device by device.
#pragma once

#include <vector>

#include "engine/devices/allocator.h"
#include "sim/allocate/allocate.h"
#include "sim/allocate/device_world.h"

namespace berth::sim {

// A request with alternatives has a count for each. O(alternatives x devices).
[[nodiscard]] std::vector<RequestCount> count_requests(const DeviceWorld& world,
                                                       const engine::devices::NodeDevices& node);

// Devices that are missing in all: of alternatives the one with the fewest counts.
[[nodiscard]] std::int64_t missing(const std::vector<RequestCount>& counts);

// The request with the most missing, of alternatives the nearest; null if none lacks any.
[[nodiscard]] const RequestCount* scarcest(const std::vector<RequestCount>& counts);

}  // namespace berth::sim
