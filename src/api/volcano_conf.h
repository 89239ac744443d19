// volcano-scheduler.conf: which actions Volcano's scheduler runs and which plugins vote, in tiers, with their
// arguments. Read from the file itself or from the ConfigMap that carries it. Source: Volcano's pkg/scheduler/conf of
// 2026-08.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace berth::api::volcano {

struct SchedulerConf {
  using Arguments = std::map<std::string, std::string, std::less<>>;  // scalars as they are written
  struct Plugin {
    std::string name;
    std::map<std::string, bool, std::less<>> switches;  // enablePreemptable, ...; those not named are on
    Arguments arguments;
    bool operator==(const Plugin&) const = default;
  };
  struct ActionArguments {
    std::string action;
    Arguments arguments;
    bool operator==(const ActionArguments&) const = default;
  };

  std::vector<std::string> actions;
  std::vector<std::vector<Plugin>> tiers;
  std::vector<ActionArguments> configurations;
  std::vector<Error> remarks;  // what has no effect in Berth, and why

  [[nodiscard]] bool runs(std::string_view action) const;
  // The plugin, with the first tier that has it; null if none does.
  [[nodiscard]] const Plugin* plugin(std::string_view name) const;
  // A plugin's switch: true if the plugin is there and does not turn it off.
  [[nodiscard]] bool votes(std::string_view plugin, std::string_view switch_name) const;
};

}  // namespace berth::api::volcano
