#include "api/volcano_conf.h"

#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include "api/config_fields.h"
#include "api/decode_volcano_conf.h"
#include "api/duration.h"
#include "api/revocable_zones.h"
#include "api/volcano_conf_effect.h"
#include "text/yaml_reader.h"

namespace berth::api {
namespace {

using text::Value;
using volcano::SchedulerConf;

constexpr std::string_view kDocument = "volcano-scheduler.conf";

struct Known {
  std::string_view name;
  std::string_view remark;  // what it does not do in Berth; empty: it does what it says
};

constexpr std::array<Known, 8> kActions = {{
    {"enqueue", "admission is placement here, so nothing waits to be enqueued"},
    {"allocate", ""},
    {"backfill", "pods without requests are placed with all others; room that is reserved is backfilled always"},
    {"preempt", ""},
    {"reclaim", ""},
    {"gangpreempt", ""},
    {"gangreclaim", ""},
    {"shuffle", ""},
}};

constexpr std::array<Known, 26> kVolcanoPlugins = {{
    {"priority", ""},
    {"gang", ""},
    {"conformance", "system-critical pods have the highest priorities and so go for nobody, with or without it"},
    {"drf", ""},
    {"predicates", ""},
    {"proportion", ""},
    {"capacity", ""},
    {"nodeorder", ""},
    {"binpack", ""},
    {"overcommit", "nothing is admitted before it is placed, so there is nothing to overcommit"},
    {"sla", ""},
    {"tdm", ""},
    {"numaaware", ""},
    {"numa-aware", ""},
    {"task-topology", "roles are placed together by pod affinity only"},
    {"usage", "measured load is not read; requests decide"},
    {"rescheduling", "nobody is evicted except for a plan that places somebody"},
    {"pdb", "PodDisruptionBudgets are always kept"},
    {"nodegroup", ""},
    {"cdp", "a pod that just started may be evicted; priority protects it"},
    {"resourcequota", ""},
    {"extender", "HTTP extenders are not called"},
    {"deviceshare", "shares of a card by vGPU annotations are not read"},
    {"network-topology-aware", ""},
    {"resource-strategy-fit", "use nodeorder or binpack"},
    {"nodelock", "bindings are written once, by one scheduler"},
}};

constexpr std::array<std::string_view, 4> kFields = {"actions", "tiers", "configurations", "metrics"};

constexpr std::array<std::string_view, 23> kSwitches = {
    "enableJobOrder",        "enableHierarchy",     "enableJobReady",         "enableJobPipelined",
    "enableTaskOrder",       "enablePreemptable",   "enableReclaimable",      "enablePreemptive",
    "enableQueueOrder",      "enabledClusterOrder", "enablePredicate",        "enableBestNode",
    "enableNodeOrder",       "enableTargetJob",     "enableReservedNodes",    "enableJobEnqueued",
    "enabledVictim",         "enableJobStarving",   "enabledOverused",        "enabledAllocatable",
    "enabledHyperNodeOrder", "enabledSubJobReady",  "enabledSubJobPipelined",
};

const Known* find(std::span<const Known> table, std::string_view name) {
  const auto found = std::ranges::find(table, name, &Known::name);
  return found == table.end() ? nullptr : &*found;
}

std::vector<std::string> names_of(std::span<const Known> table) {
  std::vector<std::string> names;
  for (const Known& known : table) names.emplace_back(known.name);
  return names;
}

class Reader {
 public:
  Reader(std::string_view file, SchedulerConf& conf) : file_(file), conf_(conf) {}

  Result<void> read(const Value& root) {
    ConfigFields fields(root, "", file_, kDocument);
    BERTH_TRY_VOID(fields.check());
    BERTH_TRY(const auto actions, fields.text("actions"));
    BERTH_TRY_VOID(read_actions(fields, actions.value_or("enqueue, allocate, backfill")));
    BERTH_TRY(const Value* tiers, fields.array("tiers"));
    BERTH_TRY(const Value* configurations, fields.array("configurations"));
    fields.ignore("metrics");
    BERTH_TRY_VOID(fields.finish());
    for (std::size_t i = 0; tiers != nullptr && i < tiers->size(); ++i)
      BERTH_TRY_VOID(read_tier(tiers->items()[i], fields.path("tiers", i)));
    for (std::size_t i = 0; configurations != nullptr && i < configurations->size(); ++i)
      BERTH_TRY_VOID(read_configuration(configurations->items()[i], fields.path("configurations", i)));
    for (std::string& each : unnamed_but_on(conf_)) remark("tiers", std::move(each));
    remark_on_shuffle();
    return exclusions(fields);
  }

 private:
  // The action evicts whom plugins name; of those only tdm names anybody here.
  void remark_on_shuffle() {
    if (conf_.runs("shuffle") && conf_.plugin("tdm") == nullptr)
      remark("actions", "The action shuffle has no effect: nobody is evicted except for a plan that places somebody.");
    if (!conf_.runs("shuffle") && conf_.plugin("tdm") != nullptr)
      remark("actions", "Who is in a revocable zone stays there when it closes; the action shuffle evicts them.");
  }

  void remark(const std::string& field, std::string message) {
    Place place;
    place.file = std::string(file_);
    place.field = field;
    conf_.remarks.push_back(Error{ErrorCode::kUnsupported, std::move(message), std::move(place)});
  }

  // What Volcano itself refuses.
  [[nodiscard]] Result<void> exclusions(const ConfigFields& fields) const {
    if (conf_.plugin("proportion") == nullptr) return {};
    if (conf_.plugin("capacity") != nullptr)
      return fields.error("tiers", "The plugins capacity and proportion exclude each other; keep one of them.");
    const SchedulerConf::Plugin* drf = conf_.plugin("drf");
    if (drf == nullptr) return {};
    const auto tree = drf->switches.find("enableHierarchy");
    if (tree != drf->switches.end() && tree->second)
      return fields.error("tiers",
                          "The plugin drf with enableHierarchy and the plugin proportion exclude each other; keep one "
                          "of them, or turn enableHierarchy off.");
    return {};
  }

  Result<void> read_actions(const ConfigFields& fields, std::string_view text) {
    while (!text.empty()) {
      const std::size_t end = std::min(text.find(','), text.size());
      std::string_view name = text.substr(0, end);
      text.remove_prefix(std::min(end + 1, text.size()));
      while (name.starts_with(' ')) name.remove_prefix(1);
      while (name.ends_with(' ') || name.ends_with('\n')) name.remove_suffix(1);
      if (name.empty()) continue;
      const Known* known = find(kActions, name);
      if (known == nullptr) {
        return fields.error("actions",
                            "There is no action \"" + std::string(name) + "\"." + suggestion(name, names_of(kActions)));
      }
      if (!known->remark.empty())
        remark("actions", "The action " + std::string(name) + " has no effect: " + std::string(known->remark) + ".");
      conf_.actions.emplace_back(name);
    }
    return {};
  }

  Result<void> read_tier(const Value& value, const std::string& path) {
    ConfigFields fields(value, path, file_, kDocument);
    BERTH_TRY_VOID(fields.check());
    BERTH_TRY(const Value* plugins, fields.array("plugins"));
    BERTH_TRY_VOID(fields.finish());
    if (plugins == nullptr) return fields.error("", "The tier has no plugins; name some, or take it out.");
    auto& tier = conf_.tiers.emplace_back();
    for (std::size_t i = 0; i < plugins->size(); ++i)
      BERTH_TRY_VOID(read_plugin(plugins->items()[i], fields.path("plugins", i), tier));
    return {};
  }

  Result<void> read_plugin(const Value& value, const std::string& path, std::vector<SchedulerConf::Plugin>& tier) {
    ConfigFields fields(value, path, file_, kDocument);
    BERTH_TRY_VOID(fields.check());
    BERTH_TRY(const auto name, fields.text("name"));
    if (!name) return fields.error("", "The plugin has no name; add one.");
    const Known* known = find(kVolcanoPlugins, *name);
    if (known == nullptr)
      return fields.error(
          "name", "There is no plugin \"" + std::string(*name) + "\"." + suggestion(*name, names_of(kVolcanoPlugins)));
    if (conf_.plugin(*name) != nullptr)
      return fields.error("name", "The plugin " + std::string(*name) + " is there twice; keep one.");
    SchedulerConf::Plugin plugin;
    plugin.name = *name;
    for (const std::string_view each : kSwitches) {
      BERTH_TRY(const auto on, fields.boolean(each));
      if (on) plugin.switches.emplace(each, *on);
    }
    for (const std::string_view each : {"enabledSubJobOrder", "enabledHyperNodeGradient"}) {
      BERTH_TRY(const auto on, fields.boolean(each));
      if (on) plugin.switches.emplace(each, *on);
    }
    BERTH_TRY(const Value* arguments, fields.object("arguments"));
    BERTH_TRY_VOID(fields.finish());
    if (arguments != nullptr) plugin.arguments = read_arguments(*arguments);
    BERTH_TRY_VOID(check_arguments(fields, plugin));
    if (!known->remark.empty())
      remark(path, "The plugin " + plugin.name + " has no effect: " + std::string(known->remark) + ".");
    for (ConfFinding& finding : look_at_plugin(plugin)) {
      if (finding.wrong) return fields.error(finding.field, std::move(finding.message));
      remark(path + "." + finding.field, std::move(finding.message));
    }
    tier.push_back(std::move(plugin));
    return {};
  }

  Result<void> read_configuration(const Value& value, const std::string& path) {
    ConfigFields fields(value, path, file_, kDocument);
    BERTH_TRY_VOID(fields.check());
    BERTH_TRY(const auto name, fields.text("name"));
    BERTH_TRY(const Value* arguments, fields.object("arguments"));
    BERTH_TRY_VOID(fields.finish());
    if (!name || find(kActions, *name) == nullptr)
      return fields.error("name", "Arguments are for an action." + suggestion(name.value_or(""), names_of(kActions)));
    SchedulerConf::ActionArguments read{std::string(*name), {}};
    if (arguments != nullptr) read.arguments = read_arguments(*arguments);
    for (const auto& [key, argument] : read.arguments)
      remark(path + ".arguments." + key,
             "It has no effect: how far Berth looks for a plan is not limited by arguments.");
    conf_.configurations.push_back(std::move(read));
    return {};
  }

  // Arguments that would mean something else if they were guessed at.
  static Result<void> check_arguments(const ConfigFields& fields, const SchedulerConf::Plugin& plugin) {
    for (const auto& [key, value] : plugin.arguments) {
      const bool duration = plugin.name == "tdm" && key == volcano::kEvictPeriodArgument;
      if (duration && !parse_duration_seconds(value))
        return fields.error("arguments." + key, quoted(value) + " is no duration; write one such as 1h30m.");
      const bool window = plugin.name == "tdm" && key.starts_with(volcano::kRevocableZoneArgument);
      if (window && !volcano::RevocableZones::parse_window(value))
        return fields.error("arguments." + key, quoted(value) + " is no part of a day; write one such as 10:00-21:00.");
      if (plugin.name == "tdm" && !duration && !window)
        return fields.error("arguments." + key,
                            "The plugin tdm has no such argument; write tdm.revocable-zone.ZONE or "
                            "tdm.evict.period.");
    }
    return {};
  }
  static std::string quoted(const std::string& value) { return "\"" + value.substr(0, 40) + "\""; }

  static SchedulerConf::Arguments read_arguments(const Value& value) {
    SchedulerConf::Arguments arguments;
    for (const text::Member& member : value.members()) {
      std::string text(member.value.text());
      if (member.value.is_bool()) text = member.value.is_true() ? "true" : "false";
      arguments.emplace(member.name(), std::move(text));
    }
    return arguments;
  }

  std::string_view file_;
  SchedulerConf& conf_;
};

// The scores of nodeorder and binpack are Kubernetes' own under other names.
SchedulerProfile profile_of(SchedulerConf& conf, std::string_view file) {
  SchedulerProfile profile = kube_default_profile();
  const SchedulerConf::Plugin* order = conf.plugin("nodeorder");
  const SchedulerConf::Plugin* pack = conf.plugin("binpack");
  if (order == nullptr && pack == nullptr) return berth_default_profile();
  profile.scores.clear();
  const auto score = [&](Plugin plugin, std::int32_t weight) {
    if (weight > 0) profile.scores.push_back({plugin, weight});
  };
  const std::int32_t least = conf_weight(order, "leastrequested.weight", 1);
  const std::int32_t most = conf_weight(order, "mostrequested.weight", 0) + conf_weight(pack, "binpack.weight", 1);
  // One score of the kind: the heavier wish.
  profile.node_resources_fit.strategy =
      most >= least ? ScoringStrategy::kMostAllocated : ScoringStrategy::kLeastAllocated;
  if (most > 0 && least > 0) {
    Place place;
    place.file = std::string(file);
    conf.remarks.push_back(Error{ErrorCode::kUnsupported,
                                 "Packing (binpack, mostrequested) and spreading (leastrequested) work against each "
                                 "other; the one of the larger weight counts alone. Set one of the weights to 0.",
                                 std::move(place)});
  }
  score(Plugin::kNodeResourcesFit, std::max(most, least));
  score(Plugin::kNodeResourcesBalancedAllocation, conf_weight(order, "balancedresource.weight", 1));
  score(Plugin::kNodeAffinity, conf_weight(order, "nodeaffinity.weight", 2));
  score(Plugin::kTaintToleration, conf_weight(order, "tainttoleration.weight", 3));
  score(Plugin::kPodTopologySpread, conf_weight(order, "podtopologyspread.weight", 2));
  score(Plugin::kInterPodAffinity, conf_weight(order, "podaffinity.weight", 2));
  score(Plugin::kImageLocality, conf_weight(order, "imagelocality.weight", 1));
  if (pack != nullptr) {
    std::vector<ResourceWeight> resources = {{"cpu", std::max(conf_weight(pack, "binpack.cpu", 1), 1)},
                                             {"memory", std::max(conf_weight(pack, "binpack.memory", 1), 1)}};
    if (const auto list = pack->arguments.find("binpack.resources"); list != pack->arguments.end()) {
      std::string_view rest = list->second;
      while (!rest.empty()) {
        const std::size_t end = std::min(rest.find(','), rest.size());
        std::string name(rest.substr(0, end));
        rest.remove_prefix(std::min(end + 1, rest.size()));
        std::erase(name, ' ');
        if (name.empty()) continue;
        const std::int32_t weight = conf_weight(pack, "binpack.resources." + name, 1);
        if (weight > 0) resources.push_back({name, weight});
      }
    }
    profile.node_resources_fit.resources = std::move(resources);
  }
  return profile;
}

// The text of the conf inside a ConfigMap, or null.
const Value* conf_of_map(const Value& root) {
  const Value* kind = root.find("kind");
  const Value* data = root.find("data");
  if (kind == nullptr || kind->text() != "ConfigMap" || data == nullptr || !data->is_object()) return nullptr;
  for (const text::Member& member : data->members())
    if (member.name().ends_with(".conf") && member.value.is_string()) return &member.value;
  return nullptr;
}

}  // namespace

bool volcano::SchedulerConf::runs(std::string_view action) const {
  return std::ranges::find(actions, action) != actions.end();
}

const volcano::SchedulerConf::Plugin* volcano::SchedulerConf::plugin(std::string_view name) const {
  for (const std::vector<Plugin>& tier : tiers) {
    const auto found = std::ranges::find(tier, name, &Plugin::name);
    if (found != tier.end()) return &*found;
  }
  return nullptr;
}

bool volcano::SchedulerConf::votes(std::string_view name, std::string_view switch_name) const {
  const Plugin* found = plugin(name);
  if (found == nullptr) return false;
  const auto off = found->switches.find(switch_name);
  return off == found->switches.end() || off->second;
}

bool is_volcano_conf(const text::Value& root) {
  if (!root.is_object()) return false;
  const bool own = root.find("apiVersion") == nullptr && root.find("kind") == nullptr &&
                   std::ranges::any_of(kFields, [&](std::string_view name) { return root.find(name) != nullptr; });
  return own || conf_of_map(root) != nullptr;
}

Result<SchedulerConfiguration> read_volcano_conf(const text::Value& root, std::string_view file) {
  if (const Value* inside = conf_of_map(root)) {
    auto document = text::parse_yaml(inside->text(), {.split_lists = false});
    if (!document) {
      Error error = std::move(document).error();
      error.place.file = file;
      error.place.field = "data";
      return std::unexpected(std::move(error));
    }
    return read_volcano_conf(document->root(), file);
  }
  SchedulerConfiguration configuration;
  SchedulerConf& conf = configuration.volcano.emplace();
  BERTH_TRY_VOID(Reader(file, conf).read(root));
  configuration.profiles.push_back(profile_of(conf, file));
  return configuration;
}

}  // namespace berth::api
