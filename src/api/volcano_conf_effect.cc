#include "api/volcano_conf_effect.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>

#include "api/config_fields.h"
#include "api/duration.h"
#include "base/whole_number.h"

namespace berth::api {
namespace {

using volcano::SchedulerConf;

constexpr std::int32_t kMostWeight = 100;

// Plugins of which at least one argument or switch counts, or that do what they do whatever the arguments say.
struct Effect {
  std::string_view plugin;
  std::string_view instead;  // why other arguments have no effect
};
constexpr std::array<Effect, 12> kEffects = {{
    {"priority", ""},
    {"gang", "a gang at its minimum goes whole or not at all, and surplus pods go first"},
    {"drf", ""},
    {"predicates", "all filters of Kubernetes hold"},
    {"proportion", ""},
    {"capacity", "what is deserved is taken back along the whole path of queues"},
    {"nodeorder", ""},
    {"binpack", ""},
    {"sla", ""},
    {"nodegroup", "the affinities of queues hold as they are written"},
    {"resourcequota", ""},
    {"network-topology-aware", "the tightest domain that holds the whole group is taken"},
}};

constexpr std::array<std::string_view, 8> kNodeOrderWeights = {
    "leastrequested.weight",  "mostrequested.weight",     "balancedresource.weight", "nodeaffinity.weight",
    "tainttoleration.weight", "podtopologyspread.weight", "podaffinity.weight",      "imagelocality.weight",
};
constexpr std::array<std::string_view, 3> kBinpackWeights = {"binpack.weight", "binpack.cpu", "binpack.memory"};
constexpr std::string_view kBinpackResources = "binpack.resources";
constexpr std::string_view kWaitingTime = "sla-waiting-time";

std::span<const std::string_view> weights_of(std::string_view plugin) {
  if (plugin == "nodeorder") return kNodeOrderWeights;
  if (plugin == "binpack") return kBinpackWeights;
  return {};
}

bool is_weight(std::string_view plugin, std::string_view key) {
  if (plugin == "binpack" && key.starts_with(kBinpackResources) && key != kBinpackResources) return true;
  const auto weights = weights_of(plugin);
  return std::ranges::find(weights, key) != weights.end();
}

std::vector<std::string> arguments_of(std::string_view plugin) {
  std::vector<std::string> result;
  for (const std::string_view each : weights_of(plugin)) result.emplace_back(each);
  if (plugin == "binpack") result.emplace_back(kBinpackResources);
  if (plugin == "sla") result.emplace_back(kWaitingTime);
  return result;
}

// Turned off it changes what Berth does.
bool counts(std::string_view plugin, std::string_view name) {
  return name == "enableJobOrder" && (plugin == "priority" || plugin == "drf" || plugin == "sla");
}

std::string shown(std::string_view value) { return "\"" + std::string(value.substr(0, 40)) + "\""; }

std::optional<ConfFinding> look_at_argument(const Effect& effect, const std::string& key, const std::string& value) {
  const std::string field = "arguments." + key;
  if (is_weight(effect.plugin, key)) {
    const auto weight = whole_number<std::int64_t>(value, 0);
    if (!weight)
      return ConfFinding{field, "A weight is a whole number from 0 to 100, not " + shown(value) + ". Correct it.",
                         true};
    if (*weight > kMostWeight) return ConfFinding{field, "Weights above 100 count as 100."};
    return std::nullopt;
  }
  const std::vector<std::string> known = arguments_of(effect.plugin);
  if (std::ranges::find(known, key) == known.end()) {
    const std::string why = effect.instead.empty() ? "" : ": " + std::string(effect.instead);
    return ConfFinding{field, "It has no effect" + why + "." + suggestion(key, known)};
  }
  if (key == kWaitingTime && !parse_duration_seconds(value))
    return ConfFinding{field, "A waiting time is a duration such as 1h30m, not " + shown(value) + ". Correct it.",
                       true};
  return std::nullopt;
}

}  // namespace

std::vector<ConfFinding> look_at_plugin(const SchedulerConf::Plugin& plugin) {
  std::vector<ConfFinding> result;
  const auto* const effect = std::ranges::find(kEffects, plugin.name, &Effect::plugin);
  if (effect == kEffects.end()) return result;
  for (const auto& [name, on] : plugin.switches) {
    if (counts(plugin.name, name)) continue;
    if (plugin.name == "gang" && name == "enablePreemptable") {
      result.push_back({name, "It has no effect: " + std::string(effect->instead) + "."});
    } else if (!on) {
      result.push_back({name, "Turning it off has no effect: what the plugin decides here is decided all the same."});
    }
  }
  for (const auto& [key, value] : plugin.arguments)
    if (auto finding = look_at_argument(*effect, key, value)) result.push_back(*std::move(finding));
  return result;
}

std::vector<std::string> unnamed_but_on(const SchedulerConf& conf) {
  std::vector<std::string> result;
  if (conf.plugin("gang") == nullptr)
    result.emplace_back("The plugin gang is not named. Groups start whole or not at all nevertheless.");
  if (conf.plugin("predicates") == nullptr)
    result.emplace_back("The plugin predicates is not named. All filters of Kubernetes hold nevertheless.");
  return result;
}

std::int32_t conf_weight(const SchedulerConf::Plugin* plugin, std::string_view key, std::int32_t otherwise) {
  if (plugin == nullptr) return 0;
  const auto found = plugin->arguments.find(key);
  if (found == plugin->arguments.end()) return otherwise;
  const std::int64_t weight = whole_number<std::int64_t>(found->second, 0).value_or(otherwise);
  return static_cast<std::int32_t>(std::min<std::int64_t>(weight, kMostWeight));
}

}  // namespace berth::api
