#include "api/scheduler_config.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "api/config_fields.h"
#include "api/decode_volcano_conf.h"
#include "api/scheduler_args.h"
#include "api/scheduler_plugin_sets.h"
#include "api/scheduler_plugins.h"
#include "text/yaml_reader.h"

namespace berth::api {
namespace {

constexpr std::string_view kGroup = "kubescheduler.config.k8s.io/";

// What belongs to a running scheduler's process and decides nothing about placement.
constexpr std::string_view kProcessFields[] = {
    "leaderElection",        "clientConnection",   "enableProfiling",   "enableContentionProfiling",
    "delayCacheUntilActive", "healthzBindAddress", "metricsBindAddress"};

Result<void> check_type(ConfigFields& fields) {
  BERTH_TRY(const auto kind, fields.text("kind"));
  BERTH_TRY(const auto version, fields.text("apiVersion"));
  if (!kind || *kind != "KubeSchedulerConfiguration") {
    return fields.error("kind", "The kind must be KubeSchedulerConfiguration. Pass a scheduler configuration file.");
  }
  if (version && (*version == std::string(kGroup) + "v1" || *version == std::string(kGroup) + "v1beta3")) return {};
  const std::string said = version ? "\"" + std::string(*version) + "\"" : "absent";
  return fields.error("apiVersion",
                      "The apiVersion is " + said + "; write " + std::string(kGroup) +
                          "v1. Versions before v1beta3 order plugins by other rules.",
                      ErrorCode::kUnsupported);
}

// percentageOfNodesToScore saves kube-scheduler time on large clusters. Every node is looked at here, whatever it says.
Result<void> check_percentage(ConfigFields& fields) {
  BERTH_TRY([[maybe_unused]] const auto percentage, fields.integer("percentageOfNodesToScore", 0, 100));
  return {};
}

Result<void> check_process_fields(ConfigFields& fields) {
  constexpr std::int64_t kMaxInt32 = std::numeric_limits<std::int32_t>::max();
  constexpr std::int64_t kMaxInt64 = std::numeric_limits<std::int64_t>::max();
  for (const std::string_view name : kProcessFields) fields.ignore(name);
  BERTH_TRY([[maybe_unused]] const auto parallelism, fields.integer("parallelism", 1, kMaxInt32));
  BERTH_TRY(const auto initial, fields.integer("podInitialBackoffSeconds", 1, kMaxInt64));
  BERTH_TRY(const auto most, fields.integer("podMaxBackoffSeconds", 1, kMaxInt64));
  if (most.value_or(10) < initial.value_or(1)) {
    return fields.error("podMaxBackoffSeconds", "This must be at least podInitialBackoffSeconds.");
  }
  BERTH_TRY_VOID(check_percentage(fields));
  BERTH_TRY(const text::Value* extenders, fields.array("extenders"));
  if (extenders != nullptr && extenders->size() > 0) {
    return fields.error("extenders",
                        "Extenders are called over HTTP and cannot be asked here. Remove them to see what the "
                        "scheduler would do on its own.",
                        ErrorCode::kUnsupported);
  }
  return {};
}

Result<SchedulerProfile> read_profile(const text::Value& value, const std::string& path, std::string_view file,
                                      bool only) {
  SchedulerProfile profile;
  ConfigFields fields(value, path, file);
  BERTH_TRY_VOID(fields.check());
  BERTH_TRY(const auto name, fields.text("schedulerName"));
  BERTH_TRY(const text::Value* plugins, fields.object("plugins"));
  BERTH_TRY(const text::Value* plugin_config, fields.array("pluginConfig"));
  BERTH_TRY_VOID(check_percentage(fields));
  BERTH_TRY_VOID(fields.finish());
  if (name ? name->empty() : !only) {
    return fields.error("schedulerName", "Name the profile; with more than one profile each needs a name.");
  }
  if (name) profile.scheduler_name = *name;
  BERTH_TRY_VOID(read_plugins(plugins, fields.path("plugins"), file, profile));
  if (plugin_config != nullptr) {
    BERTH_TRY_VOID(read_plugin_config(*plugin_config, fields.path("pluginConfig"), file, profile));
  }
  return profile;
}

}  // namespace

SchedulerProfile kube_default_profile() {
  SchedulerProfile profile;
  for (const PluginInfo& info : plugin_table()) {
    if (!info.by_default) continue;
    if (info.filters) profile.filters.push_back(info.plugin);
    if (info.scores) profile.scores.push_back({info.plugin, std::max(info.weight, 1)});
  }
  return profile;
}

SchedulerProfile berth_default_profile() {
  constexpr std::int32_t kRoomWeight = 10;
  // One alternative more or less is an eighth of 100, and weighs more than the best packing.
  constexpr std::int32_t kAlternativesWeight = 100;
  SchedulerProfile profile = kube_default_profile();
  for (SchedulerProfile::Score& score : profile.scores) {
    if (score.plugin == Plugin::kDynamicResources) score.weight = kAlternativesWeight;
  }
  profile.scores.push_back({Plugin::kRoomValue, kRoomWeight});
  return profile;
}

Result<SchedulerConfiguration> parse_scheduler_configuration(std::string_view yaml, std::string_view file) {
  auto document = text::parse_yaml(yaml, {.split_lists = false});
  if (!document) {
    Error error = std::move(document).error();
    error.place.file = file;
    return std::unexpected(std::move(error));
  }
  if (is_volcano_conf(document->root())) return read_volcano_conf(document->root(), file);
  ConfigFields fields(document->root(), "", file);
  BERTH_TRY_VOID(fields.check());
  BERTH_TRY_VOID(check_type(fields));
  BERTH_TRY_VOID(check_process_fields(fields));
  BERTH_TRY(const text::Value* profiles, fields.array("profiles"));
  BERTH_TRY_VOID(fields.finish());
  SchedulerConfiguration configuration;
  if (profiles == nullptr || profiles->size() == 0) {
    configuration.profiles.push_back(kube_default_profile());
    return configuration;
  }
  for (std::size_t i = 0; i < profiles->size(); ++i) {
    BERTH_TRY(auto profile,
              read_profile(profiles->items()[i], fields.path("profiles", i), file, profiles->size() == 1));
    const auto same =
        std::ranges::find(configuration.profiles, profile.scheduler_name, &SchedulerProfile::scheduler_name);
    if (same != configuration.profiles.end()) {
      return fields.error("profiles", "Two profiles are named " + profile.scheduler_name + ". Rename one of them.");
    }
    configuration.profiles.push_back(std::move(profile));
  }
  return configuration;
}

}  // namespace berth::api
