// The feature gates that change what the allocator does. Which are on in which release of Kubernetes is the dialect's
// knowledge; here all that a 1.37 scheduler has on by default are true.
#pragma once

namespace berth::engine::devices {

struct Features {
  bool admin_access = true;               // DRAAdminAccess
  bool prioritized_list = true;           // DRAPrioritizedList
  bool partitionable_devices = true;      // DRAPartitionableDevices
  bool device_taints = true;              // DRADeviceTaints
  bool binding_conditions = true;         // DRADeviceBindingConditions and DRAResourceClaimDeviceStatus
  bool consumable_capacity = true;        // DRAConsumableCapacity
  bool fractional_capacity_range = true;  // DRAFractionalCapacityRange
  bool list_type_attributes = false;      // DRAListTypeAttributes
  // Groups are not judged: with the gate on all devices are taken to be compatible, with it off slices that have any
  // are left out, as upstream does.
  bool compatibility_groups = false;  // DRADeviceCompatibilityGroups
  // Devices of slices with skipNodeOperations may be had. Of upstream's allocators only the one for alpha features
  // looks, and refuses them unless DRAOptionalNodeOperations is on.
  bool skipped_operations = true;
  // distinctAttribute, by the allocators of Kubernetes before 1.36 that do not know it; strict mode follows them.
  bool distinct_attribute = true;
  bool operator==(const Features&) const = default;
};

}  // namespace berth::engine::devices
