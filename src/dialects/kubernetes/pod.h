// A Pod in engine terms: its shape, where it is in its life, and why it may not even be asked about.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "api/scheduler_config.h"
#include "dialects/dra/device_dialect.h"
#include "dialects/kubernetes/context.h"
#include "engine/input.h"
#include "engine/names.h"

namespace berth::dialects::kubernetes {

// How long the pod says it will run, in whole seconds.
inline constexpr std::string_view kRunsForAnnotation = "berth/runs-for";
// None where it says nothing, or no number of seconds.
[[nodiscard]] std::optional<std::int64_t> declared_run_time(const api::StringMap& annotations);

// A pod without creationTimestamp is made now. A pod that is held stays whole, so that it can be explained.
struct PodRules {
  api::Time now = 0;
  bool excerpt = true;  // see VolumeRules
};

// `profile` is the profile that schedulerName names, or null: then the pod belongs to somebody else. It is load where
// it runs, and held where it waits.
[[nodiscard]] engine::PodInput pod_input(const api::Pod& pod, const api::SchedulerProfile* profile,
                                         const Context& context, const PodRules& rules, dra::DeviceDialect& devices,
                                         engine::Names& names);

// "nginx" means "nginx:latest" to the scheduler.
[[nodiscard]] std::string normalized_image(std::string_view image);

}  // namespace berth::dialects::kubernetes
