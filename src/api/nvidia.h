// resource.nvidia.com/v1beta1: what claims tell NVIDIA's two drivers (gpu.nvidia.com, compute-domain.nvidia.com) in
// their opaque configuration, and the ComputeDomain, a set of nodes that share memory over NVLink.
// Source: the API types of the driver, 0.5.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "api/meta.h"
#include "api/quantity.h"
#include "api/resource.h"
#include "base/result.h"

namespace berth::api {

inline constexpr std::string_view kNvidiaGpuDriver = "gpu.nvidia.com";
inline constexpr std::string_view kNvidiaComputeDomainDriver = "compute-domain.nvidia.com";

// --- Opaque configuration -------------------------------------------------------------------------------------------

enum class SharingStrategy : std::uint8_t { kTimeSlicing, kMps };
enum class TimeSliceInterval : std::uint8_t { kDefault, kShort, kMedium, kLong };

struct PinnedMemoryLimit {
  std::string device;  // index or UUID
  Quantity limit;      // bytes, at least 1 MiB
  bool operator==(const PinnedMemoryLimit&) const = default;
};

struct MpsConfig {
  std::optional<std::int32_t> default_active_thread_percentage;  // 0..100
  std::optional<Quantity> default_pinned_device_memory_limit;    // bytes
  std::vector<PinnedMemoryLimit> per_device_pinned_memory_limits;
  bool multi_user = false;
  bool operator==(const MpsConfig&) const = default;
};

// How the users of one claim share its devices. Neither way keeps their memory or their faults apart.
struct DeviceSharing {
  SharingStrategy strategy = SharingStrategy::kTimeSlicing;
  TimeSliceInterval interval = TimeSliceInterval::kDefault;  // of kTimeSlicing
  std::optional<MpsConfig> mps;                              // of kMps
  bool operator==(const DeviceSharing&) const = default;
};

struct GpuConfig {
  std::optional<DeviceSharing> sharing;  // none: the driver's default, time-slicing of the default interval
  bool operator==(const GpuConfig&) const = default;
};

struct MigDeviceConfig {
  std::optional<DeviceSharing> sharing;
  bool operator==(const MigDeviceConfig&) const = default;
};

enum class IommuBackendPolicy : std::uint8_t { kLegacyOnly, kPreferIommuFd };

struct VfioDeviceConfig {
  IommuBackendPolicy backend_policy = IommuBackendPolicy::kLegacyOnly;
  bool enable_api_device = false;
  bool operator==(const VfioDeviceConfig&) const = default;
};

enum class ChannelAllocationMode : std::uint8_t { kSingle, kAll };

struct ComputeDomainChannelConfig {
  std::string domain_id;  // uid of the ComputeDomain
  ChannelAllocationMode allocation_mode = ChannelAllocationMode::kSingle;
  bool operator==(const ComputeDomainChannelConfig&) const = default;
};

struct ComputeDomainDaemonConfig {
  std::string domain_id;
  bool operator==(const ComputeDomainDaemonConfig&) const = default;
};

using NvidiaConfig =
    std::variant<GpuConfig, MigDeviceConfig, VfioDeviceConfig, ComputeDomainChannelConfig, ComputeDomainDaemonConfig>;

// Reads the parameters of a configuration for one of the two drivers. Errors: kUnsupported for a kind that the driver
// does not have, kInvalid for what it would refuse; the place has the field within the parameters.
[[nodiscard]] Result<NvidiaConfig> parse_nvidia_config(const OpaqueConfig& config);

// --- ComputeDomain --------------------------------------------------------------------------------------------------

struct ComputeDomainNode {
  std::string name;
  std::string ip_address;
  std::string clique_id;  // "" where the node has no NVLink fabric
  std::int32_t index = 0;
  bool ready = false;
  bool operator==(const ComputeDomainNode&) const = default;
};

struct ComputeDomain {
  ObjectMeta metadata;
  std::int32_t num_nodes = 0;       // deprecated; 0: no number is waited for
  std::string claim_template_name;  // made by the domain's controller; pods name it
  ChannelAllocationMode allocation_mode = ChannelAllocationMode::kSingle;
  bool ready = false;  // status.status
  std::vector<ComputeDomainNode> nodes;
  bool operator==(const ComputeDomain&) const = default;
};

}  // namespace berth::api
