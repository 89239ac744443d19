// The table of scheduler plugins: names, default weights, what each takes part in.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "api/scheduler_config.h"

namespace berth::api {

struct PluginInfo {
  Plugin plugin;
  std::string_view name;
  bool filters = false;     // has a part in Filter
  bool scores = false;      // has a part in Score
  bool by_default = true;   // in upstream's default MultiPoint list
  std::int32_t weight = 0;  // in that list; 0: none given, which counts as 1
};

// In upstream's default MultiPoint order, Berth's own last.
[[nodiscard]] std::span<const PluginInfo> plugin_table();

[[nodiscard]] const PluginInfo& info_of(Plugin plugin);
// Null if no plugin that Berth runs has this name.
[[nodiscard]] const PluginInfo* find_plugin(std::string_view name);

// In-tree plugins whose work Berth does elsewhere or which decide nothing about a single pod's node. They may be named
// in a configuration, and naming them changes nothing.
[[nodiscard]] std::span<const std::string_view> silent_plugins();

// All names above, for suggestions.
[[nodiscard]] std::vector<std::string> plugin_names();

}  // namespace berth::api
