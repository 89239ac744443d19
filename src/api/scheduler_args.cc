#include "api/scheduler_args.h"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "api/config_fields.h"
#include "api/scheduler_args_readers.h"
#include "api/scheduler_plugins.h"

namespace berth::api {

namespace {

Result<void> read_preemption_args(ConfigFields& fields, SchedulerProfile& /*profile*/) {
  BERTH_TRY(const auto percentage, fields.integer("minCandidateNodesPercentage", 0, 100));
  BERTH_TRY(const auto absolute, fields.integer("minCandidateNodesAbsolute", 0, kMaxInt32));
  if (percentage.value_or(10) == 0 && absolute.value_or(100) == 0) {
    return fields.error("minCandidateNodesPercentage", "This and minCandidateNodesAbsolute cannot both be 0.");
  }
  return {};  // every node is a candidate here, which no minimum can forbid
}

Result<void> read_dynamic_resources_args(ConfigFields& fields, SchedulerProfile& /*profile*/) {
  BERTH_TRY([[maybe_unused]] const auto filter_timeout, fields.text("filterTimeout"));
  BERTH_TRY([[maybe_unused]] const auto binding_timeout, fields.text("bindingTimeout"));
  return {};
}

struct ArgsReader {
  Plugin plugin;
  Result<void> (*read)(ConfigFields&, SchedulerProfile&);
};

constexpr std::array kReaders = std::to_array<ArgsReader>({
    {Plugin::kNodeResourcesFit, read_fit_args},
    {Plugin::kNodeResourcesBalancedAllocation, read_balanced_allocation_args},
    {Plugin::kDefaultPreemption, read_preemption_args},
    {Plugin::kInterPodAffinity, read_inter_pod_affinity_args},
    {Plugin::kPodTopologySpread, read_topology_spread_args},
    {Plugin::kNodeAffinity, read_node_affinity_args},
    {Plugin::kVolumeBinding, read_volume_binding_args},
    {Plugin::kDynamicResources, read_dynamic_resources_args},
});

std::vector<std::string> configurable_names() {
  std::vector<std::string> names;
  for (const ArgsReader& reader : kReaders) names.emplace_back(name_of(reader.plugin));
  return names;
}

// apiVersion and kind may be written, and have to be right then.
Result<void> check_type(ConfigFields& fields, std::string_view plugin) {
  BERTH_TRY(const auto kind, fields.text("kind"));
  BERTH_TRY(const auto version, fields.text("apiVersion"));
  const std::string wanted = std::string(plugin) + "Args";
  if (kind && *kind != wanted) {
    return fields.error("kind", "The arguments of " + std::string(plugin) + " are of kind " + wanted + ", not " +
                                    std::string(*kind) + ".");
  }
  if (version && *version != "kubescheduler.config.k8s.io/v1") {
    return fields.error("apiVersion", "This must be kubescheduler.config.k8s.io/v1.");
  }
  return {};
}

Result<void> read_args(ConfigFields& entry, std::string_view name, const text::Value* args, SchedulerProfile& profile) {
  const PluginInfo* info = find_plugin(name);
  const auto reader = info == nullptr ? kReaders.end() : std::ranges::find(kReaders, info->plugin, &ArgsReader::plugin);
  if (reader == kReaders.end()) {
    const std::string problem = info == nullptr ? "There is no plugin \"" + std::string(name) + "\" to configure."
                                                : "The plugin " + std::string(name) + " takes no arguments.";
    return entry.error("name", problem + suggestion(name, configurable_names()) + " Correct or remove the entry.",
                       ErrorCode::kNotFound);
  }
  if (args == nullptr) return {};
  ConfigFields fields(*args, entry.path("args"), entry.file());
  BERTH_TRY_VOID(check_type(fields, name));
  BERTH_TRY_VOID(reader->read(fields, profile));
  return fields.finish();
}

}  // namespace

Result<void> read_plugin_config(const text::Value& value, const std::string& path, std::string_view file,
                                SchedulerProfile& profile) {
  std::vector<std::string_view> seen;
  for (std::size_t i = 0; i < value.size(); ++i) {
    ConfigFields entry(value.items()[i], path + "[" + std::to_string(i) + "]", file);
    BERTH_TRY_VOID(entry.check());
    BERTH_TRY(const auto name, entry.text("name"));
    BERTH_TRY(const text::Value* args, entry.object("args"));
    BERTH_TRY_VOID(entry.finish());
    if (!name || name->empty()) return entry.error("name", "Name the plugin that is configured.");
    if (std::ranges::find(seen, *name) != seen.end()) {
      return entry.error("name", "The plugin " + std::string(*name) + " is configured twice. Join the entries.");
    }
    seen.push_back(*name);
    BERTH_TRY_VOID(read_args(entry, *name, args, profile));
  }
  return {};
}

}  // namespace berth::api
