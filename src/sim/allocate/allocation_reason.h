// Why claims get no devices on a node: the class, and a sentence with the numbers.
#pragma once

#include <string>
#include <vector>

#include "engine/devices/allocator.h"
#include "sim/allocate/allocate.h"
#include "sim/allocate/device_world.h"

namespace berth::sim {

// The class alone; asks the allocator a second time, about the node as if nothing were in use.
[[nodiscard]] AllocationClass class_of(const DeviceWorld& world, const engine::devices::NodeDevices& node,
                                       const engine::devices::Answer& answer, const std::vector<RequestCount>& counts);

// An error where the objects are broken, a no where devices are short.
[[nodiscard]] AllocationOutcome outcome_of(AllocationClass reason);

[[nodiscard]] AllocationReason reason_of(const DeviceWorld& world, const engine::devices::NodeDevices& node,
                                         const engine::devices::Answer& answer, AllocationClass reason,
                                         std::vector<RequestCount> counts);

// What failed on devices, as sentences; what failed alike on several is one.
[[nodiscard]] std::vector<std::string> fault_texts(const DeviceWorld& world,
                                                   const std::vector<engine::devices::Failure>& failures);

// Names in the pending claims' selectors and constraints that no device publishes, with what is published instead.
[[nodiscard]] std::vector<std::string> hints(const DeviceWorld& world);

}  // namespace berth::sim
