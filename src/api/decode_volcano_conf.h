// For scheduler_config.cc: a volcano-scheduler.conf, and the profile that its node scores ask for.
#pragma once

#include <string_view>

#include "api/scheduler_config.h"
#include "text/value.h"

namespace berth::api {

// Does the document look like a volcano-scheduler.conf, or a ConfigMap with one?
[[nodiscard]] bool is_volcano_conf(const text::Value& root);

// Unknown actions, plugins and switches are errors that name near ones. What Berth does otherwise, or not at all, is
// remarked on in the conf.
[[nodiscard]] Result<SchedulerConfiguration> read_volcano_conf(const text::Value& root, std::string_view file);

}  // namespace berth::api
