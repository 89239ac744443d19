// For volcano_conf.cc: which switches and arguments of Volcano's plugins have an effect in Berth, and what values
// they can have. Source: Volcano's pkg/scheduler/plugins of 2026-08 (behaviour, not code).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/volcano_conf.h"

namespace berth::api {

// What a user should know of one switch or argument.
struct ConfFinding {
  std::string field;    // "enablePreemptable", "arguments.binpack.weight"
  std::string message;  // a sentence that says what to do, or what is done instead
  bool wrong = false;   // no value at all, rather than one without effect
};

// In the order of the fields. Of a plugin that has no effect as a whole nothing is said here.
[[nodiscard]] std::vector<ConfFinding> look_at_plugin(const volcano::SchedulerConf::Plugin& plugin);

// Of plugins that hold whether or not a conf names them: those that it does not name.
[[nodiscard]] std::vector<std::string> unnamed_but_on(const volcano::SchedulerConf& conf);

// The weight that an argument gives, from 0 to 100; `otherwise` if it is not there, 0 without the plugin.
[[nodiscard]] std::int32_t conf_weight(const volcano::SchedulerConf::Plugin* plugin, std::string_view key,
                                       std::int32_t otherwise);

}  // namespace berth::api
