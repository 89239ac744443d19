#include "api/scheduler_plugin_sets.h"

#include <algorithm>
#include <array>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "api/config_fields.h"
#include "api/scheduler_plugins.h"

namespace berth::api {
namespace {

struct Enabled {
  std::string_view name;
  const PluginInfo* info = nullptr;  // null for the silent ones
  std::int32_t weight = 0;           // 0: not given
};

struct PluginSet {
  std::vector<Enabled> enabled;
  std::vector<std::string_view> disabled;
  [[nodiscard]] bool disables(std::string_view name) const {
    return std::ranges::find(disabled, name) != disabled.end();
  }
  [[nodiscard]] bool disables_all() const { return disables("*"); }
  [[nodiscard]] const Enabled* find(std::string_view name) const {
    const auto found = std::ranges::find(enabled, name, &Enabled::name);
    return found == enabled.end() ? nullptr : &*found;
  }
};

enum class Point : std::uint8_t { kMultiPoint, kPreEnqueue, kQueueSort, kFilter, kPostFilter, kScore, kBind, kOther };

struct PointName {
  std::string_view name;
  Point point = Point::kOther;
};

constexpr std::array kPoints = std::to_array<PointName>({
    {"multiPoint", Point::kMultiPoint},
    {"preEnqueue", Point::kPreEnqueue},
    {"filter", Point::kFilter},
    {"postFilter", Point::kPostFilter},
    {"score", Point::kScore},
    {"queueSort", Point::kQueueSort},
    {"preFilter"},
    {"preScore"},
    {"reserve"},
    {"permit"},
    {"preBind"},
    {"bind", Point::kBind},
    {"postBind"},
    {"placementGenerate"},
    {"placementScore"},
    {"podGroupPostFilter"},
});

constexpr std::array<std::string_view, 4> kRemoved = {"AzureDiskLimits", "CinderLimits", "EBSLimits", "GCEPDLimits"};

bool takes_part(const PluginInfo* info, Point point) {
  if (info == nullptr) return point == Point::kMultiPoint || point == Point::kOther;
  switch (point) {
    case Point::kMultiPoint:
    case Point::kOther:
      return true;
    case Point::kPreEnqueue:
      return info->plugin == Plugin::kSchedulingGates || info->plugin == Plugin::kDefaultPreemption ||
             info->plugin == Plugin::kDynamicResources;
    case Point::kQueueSort:
      return info->plugin == Plugin::kPrioritySort;
    case Point::kBind:
      return info->plugin == Plugin::kDefaultBinder;
    case Point::kFilter:
      return info->filters;
    case Point::kPostFilter:
      return info->plugin == Plugin::kDefaultPreemption || info->plugin == Plugin::kDynamicResources;
    case Point::kScore:
      return info->scores;
  }
  return false;
}

Result<void> check_name(const ConfigFields& entry, std::string_view name) {
  const auto silent = silent_plugins();
  if (find_plugin(name) != nullptr || std::ranges::find(silent, name) != silent.end()) return {};
  if (std::ranges::find(kRemoved, name) != kRemoved.end()) {
    return entry.error("name", "The plugin " + std::string(name) +
                                   " was removed from kube-scheduler; NodeVolumeLimits took its place.");
  }
  return entry.error("name",
                     "There is no plugin \"" + std::string(name) + "\" here." + suggestion(name, plugin_names()) +
                         " Plugins from outside Kubernetes cannot be loaded; remove it.",
                     ErrorCode::kNotFound);
}

Result<Enabled> read_enabled(const text::Value& value, std::string path, std::string_view file,
                             const PointName& point) {
  ConfigFields entry(value, std::move(path), file);
  BERTH_TRY_VOID(entry.check());
  BERTH_TRY(const auto name, entry.text("name"));
  BERTH_TRY(const auto weight, entry.integer("weight", 0, std::numeric_limits<std::int32_t>::max()));
  BERTH_TRY_VOID(entry.finish());
  if (!name || name->empty()) return entry.error("name", "Name the plugin to enable.");
  BERTH_TRY_VOID(check_name(entry, *name));
  const PluginInfo* info = find_plugin(*name);
  if (!takes_part(info, point.point)) {
    return entry.error("name", "The plugin " + std::string(*name) + " has no part in " + std::string(point.name) +
                                   ". Enable it at multiPoint or remove it here.");
  }
  return Enabled{*name, info, static_cast<std::int32_t>(weight.value_or(0))};
}

Result<PluginSet> read_set(const text::Value& value, const std::string& path, std::string_view file,
                           const PointName& point) {
  PluginSet set;
  ConfigFields fields(value, path, file);
  BERTH_TRY_VOID(fields.check());
  BERTH_TRY(const text::Value* enabled, fields.array("enabled"));
  BERTH_TRY(const text::Value* disabled, fields.array("disabled"));
  BERTH_TRY_VOID(fields.finish());
  if (enabled != nullptr) {
    for (std::size_t i = 0; i < enabled->size(); ++i) {
      BERTH_TRY(Enabled one, read_enabled(enabled->items()[i], fields.path("enabled", i), file, point));
      if (set.find(one.name) != nullptr) {
        return fields.error("enabled", "The plugin " + std::string(one.name) + " is enabled twice. Remove one entry.");
      }
      set.enabled.push_back(one);
    }
  }
  if (disabled != nullptr) {
    for (std::size_t i = 0; i < disabled->size(); ++i) {
      ConfigFields entry(disabled->items()[i], fields.path("disabled", i), file);
      BERTH_TRY_VOID(entry.check());
      BERTH_TRY(const auto name, entry.text("name"));
      entry.ignore("weight");
      BERTH_TRY_VOID(entry.finish());
      if (!name || name->empty()) return entry.error("name", "Name the plugin to disable, or * for all.");
      if (*name != "*") BERTH_TRY_VOID(check_name(entry, *name));
      set.disabled.push_back(*name);
    }
  }
  return set;
}

PluginSet default_set() {
  PluginSet set;
  for (const PluginInfo& info : plugin_table()) {
    if (info.by_default) set.enabled.push_back({info.name, &info, info.weight});
  }
  return set;
}

PluginSet merged_with_defaults(const PluginSet& custom) {
  PluginSet result;
  if (!custom.disables_all()) {
    for (const Enabled& one : default_set().enabled) {
      if (custom.disables(one.name)) continue;
      const Enabled* replacement = custom.find(one.name);
      result.enabled.push_back(replacement == nullptr ? one : *replacement);
    }
  }
  for (const Enabled& one : custom.enabled) {
    if (result.find(one.name) == nullptr) result.enabled.push_back(one);
  }
  return result;
}

// The plugins that run at one point, in order.
std::vector<Enabled> expand(const PluginSet& multi, const PluginSet& own, Point point) {
  if (own.disables_all()) return own.enabled;
  std::vector<Enabled> overriding;
  std::vector<Enabled> inherited;
  std::vector<Enabled> rest;
  const auto inherits = [&](const Enabled& one) { return takes_part(one.info, point) && !own.disables(one.name); };
  for (const Enabled& one : own.enabled) {
    const Enabled* shared = multi.find(one.name);
    (shared != nullptr && inherits(*shared) ? overriding : rest).push_back(one);
  }
  for (const Enabled& one : multi.enabled) {
    if (inherits(one) && own.find(one.name) == nullptr) inherited.push_back(one);
  }
  overriding.insert(overriding.end(), inherited.begin(), inherited.end());
  for (const Enabled& one : rest) {
    if (std::ranges::find(overriding, one.name, &Enabled::name) == overriding.end()) overriding.push_back(one);
  }
  return overriding;
}

bool runs(const std::vector<Enabled>& enabled, Plugin plugin) {
  return std::ranges::any_of(
      enabled, [plugin](const Enabled& one) { return one.info != nullptr && one.info->plugin == plugin; });
}

// A profile needs a plugin that sorts the queue and one that binds; kube-scheduler starts with none without.
Result<void> check_complete(const ConfigFields& plugins, const std::vector<Enabled>& sorting,
                            const std::vector<Enabled>& binding) {
  if (!runs(sorting, Plugin::kPrioritySort)) {
    return plugins.error("",
                         "No plugin sorts the queue of this profile, which kube-scheduler refuses. Enable PrioritySort "
                         "at multiPoint or queueSort.");
  }
  if (runs(binding, Plugin::kDefaultBinder)) return {};
  return plugins.error("",
                       "No plugin binds the pods of this profile, which kube-scheduler refuses. Enable DefaultBinder "
                       "at multiPoint or bind.");
}

// RoomValue and CardPacking are one score each of two kinds. What RoomValue counts has many digits: other scores count
// as so many times theirs, and sums have to stay exact.
Result<void> check_room_value(const ConfigFields& plugins, const SchedulerProfile& profile) {
  constexpr std::int32_t kMostWeight = 100;
  const auto scores = [&](Plugin plugin) {
    return std::ranges::find(profile.scores, plugin, &SchedulerProfile::Score::plugin) != profile.scores.end();
  };
  if (!scores(Plugin::kRoomValue)) return {};
  if (scores(Plugin::kCardPacking)) {
    return plugins.error("",
                         "RoomValue and CardPacking are both enabled, and each decides where pods with cards go. "
                         "Enable one of them.");
  }
  for (const SchedulerProfile::Score& score : profile.scores) {
    if (score.weight <= kMostWeight) continue;
    return plugins.error("", "The weight of " + std::string(name_of(score.plugin)) + " is " +
                                 std::to_string(score.weight) + ", and with RoomValue weights are at most " +
                                 std::to_string(kMostWeight) + ". Scale the weights of this profile down.");
  }
  return {};
}

}  // namespace

Result<void> read_plugins(const text::Value* plugins, std::string_view path, std::string_view file,
                          SchedulerProfile& profile) {
  std::array<PluginSet, static_cast<std::size_t>(Point::kOther) + 1> sets;
  if (plugins != nullptr) {
    ConfigFields fields(*plugins, std::string(path), file);
    BERTH_TRY_VOID(fields.check());
    for (const PointName& point : kPoints) {
      BERTH_TRY(const text::Value* value, fields.object(point.name));
      if (value == nullptr) continue;
      BERTH_TRY(PluginSet set, read_set(*value, fields.path(point.name), file, point));
      sets[static_cast<std::size_t>(point.point)] = std::move(set);
    }
    BERTH_TRY_VOID(fields.finish());
  }
  const PluginSet multi = merged_with_defaults(sets[static_cast<std::size_t>(Point::kMultiPoint)]);
  const auto at = [&](Point point) { return expand(multi, sets[static_cast<std::size_t>(point)], point); };
  if (plugins != nullptr) {
    const ConfigFields fields(*plugins, std::string(path), file);
    BERTH_TRY_VOID(check_complete(fields, at(Point::kQueueSort), at(Point::kBind)));
  }
  profile.filters.clear();
  for (const Enabled& one : at(Point::kFilter)) profile.filters.push_back(one.info->plugin);
  profile.scores.clear();
  for (const Enabled& one : at(Point::kScore)) {
    profile.scores.push_back({one.info->plugin, one.weight == 0 ? 1 : one.weight});
  }
  if (plugins != nullptr) {
    BERTH_TRY_VOID(check_room_value(ConfigFields(*plugins, std::string(path), file), profile));
  }
  profile.scheduling_gates = runs(at(Point::kPreEnqueue), Plugin::kSchedulingGates);
  profile.preemption = runs(at(Point::kPostFilter), Plugin::kDefaultPreemption);
  return {};
}

}  // namespace berth::api
