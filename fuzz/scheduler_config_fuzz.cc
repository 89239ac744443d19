// Scheduler configurations, volcano-scheduler.conf among them: no crash; what is accepted has profiles with names of
// their own and weights above zero, and the engine's configuration can be made from it; a conf's actions and plugins
// can be asked for by their names, and its remarks are sentences.
#include <cstdint>
#include <set>
#include <string>
#include <string_view>

#include "api/scheduler_config.h"
#include "dialects/kubernetes/config.h"
#include "dialects/volcano/policies.h"
#include "support/require.h"

namespace {

void check_conf(const berth::api::volcano::SchedulerConf& conf) {
  for (const std::string& action : conf.actions) require(!action.empty() && conf.runs(action));
  for (const auto& tier : conf.tiers) {
    for (const auto& plugin : tier) {
      require(conf.plugin(plugin.name) != nullptr);
      for (const auto& [name, on] : conf.plugin(plugin.name)->switches) require(conf.votes(plugin.name, name) == on);
    }
  }
  for (const berth::Error& remark : conf.remarks) require(!remark.message.empty());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto configuration = berth::api::parse_scheduler_configuration(text, "fuzz.yaml");
  if (!configuration) {
    require(!configuration.error().message.empty());
    return 0;
  }
  require(!configuration->profiles.empty());
  std::set<std::string> names;
  for (const auto& profile : configuration->profiles) {
    require(!profile.scheduler_name.empty() && names.insert(profile.scheduler_name).second);
    for (const auto& score : profile.scores) require(score.weight > 0);
  }
  if (configuration->volcano) check_conf(*configuration->volcano);
  static_cast<void>(berth::dialects::volcano::policies_of(configuration->volcano, {}));
  berth::engine::Names interned;
  require(berth::dialects::kubernetes::engine_config(*configuration, interned).profiles.size() == names.size());
  return 0;
}
