// Feature gates of Dynamic Resource Allocation and their defaults per Kubernetes version.
//
// With a gate off the API server drops the fields that need it from new objects, and the scheduler does not use them.
// Gates that are on and locked in every version known here have no entry.
// Source: the feature gate tables of Kubernetes 1.34 to 1.37.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace berth::api {

enum class KubernetesVersion : std::uint8_t { k134, k135, k136, k137 };
inline constexpr KubernetesVersion kNewestKubernetes = KubernetesVersion::k137;

// "1.37".
[[nodiscard]] std::string_view name_of(KubernetesVersion version);
// Error: kInvalid, naming the versions there are.
[[nodiscard]] Result<KubernetesVersion> parse_kubernetes_version(std::string_view text);

enum class Gate : std::uint8_t {
  kAdminAccess,                // DRAAdminAccess
  kPrioritizedList,            // DRAPrioritizedList: firstAvailable
  kDeviceStatus,               // DRAResourceClaimDeviceStatus: status.devices
  kExtendedResource,           // DRAExtendedResource
  kDeviceTaints,               // DRADeviceTaints
  kDeviceTaintRules,           // DRADeviceTaintRules
  kPartitionableDevices,       // DRAPartitionableDevices: counters, node selection per device
  kConsumableCapacity,         // DRAConsumableCapacity: shares, distinctAttribute
  kDeviceBindingConditions,    // DRADeviceBindingConditions
  kSchedulerFilterTimeout,     // DRASchedulerFilterTimeout
  kListTypeAttributes,         // DRAListTypeAttributes
  kNodeAllocatableResources,   // DRANodeAllocatableResources
  kWorkloadResourceClaims,     // DRAWorkloadResourceClaims
  kDerivedAttributes,          // DRADerivedAttributes
  kDeviceCompatibilityGroups,  // DRADeviceCompatibilityGroups
  kOptionalNodeOperations,     // DRAOptionalNodeOperations
  kFractionalCapacityRange,    // DRAFractionalCapacityRange
  kPartitionableDevicesType,   // DRAPartitionableDevicesType: partitionTypeAttribute
};
inline constexpr std::uint8_t kGates = 18;

class FeatureGates {
 public:
  // The defaults of the newest version.
  FeatureGates() : FeatureGates(kNewestKubernetes) {}
  explicit FeatureGates(KubernetesVersion version);

  [[nodiscard]] bool on(Gate gate) const { return (bits_ >> static_cast<std::uint8_t>(gate) & 1U) != 0; }
  void set(Gate gate, bool on);
  // "DRADeviceTaints=true,DRAAdminAccess=false" on top of what is set. Error: kInvalid for what is no gate, with the
  // nearest names, or is neither true nor false; nothing is changed then.
  [[nodiscard]] Result<void> apply(std::string_view text);

  bool operator==(const FeatureGates&) const = default;

 private:
  std::uint32_t bits_ = 0;
};

// "DRAAdminAccess".
[[nodiscard]] std::string_view name_of(Gate gate);
[[nodiscard]] std::optional<Gate> parse_gate(std::string_view name);

}  // namespace berth::api
