// The `pluginConfig` part of a scheduler profile: the plugins' arguments, validated as kube-scheduler validates them.
#pragma once

#include <string>
#include <string_view>

#include "api/scheduler_config.h"
#include "base/result.h"
#include "text/value.h"

namespace berth::api {

// The value is the list of {name, args}.
[[nodiscard]] Result<void> read_plugin_config(const text::Value& value, const std::string& path, std::string_view file,
                                              SchedulerProfile& profile);

}  // namespace berth::api
