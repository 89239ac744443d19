// For scheduler_args.cc: the readers of the arguments of one plugin each.
#pragma once

#include <cstdint>
#include <limits>

#include "api/config_fields.h"
#include "api/scheduler_config.h"
#include "base/result.h"

namespace berth::api {

inline constexpr std::int64_t kMaxInt32 = std::numeric_limits<std::int32_t>::max();
inline constexpr std::int64_t kMaxInt64 = std::numeric_limits<std::int64_t>::max();

[[nodiscard]] Result<void> read_fit_args(ConfigFields& fields, SchedulerProfile& profile);
[[nodiscard]] Result<void> read_balanced_allocation_args(ConfigFields& fields, SchedulerProfile& profile);
[[nodiscard]] Result<void> read_volume_binding_args(ConfigFields& fields, SchedulerProfile& profile);
[[nodiscard]] Result<void> read_inter_pod_affinity_args(ConfigFields& fields, SchedulerProfile& profile);
[[nodiscard]] Result<void> read_node_affinity_args(ConfigFields& fields, SchedulerProfile& profile);
[[nodiscard]] Result<void> read_topology_spread_args(ConfigFields& fields, SchedulerProfile& profile);

}  // namespace berth::api
