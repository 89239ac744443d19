#include "api/scheduler_plugins.h"

#include <algorithm>
#include <array>

namespace berth::api {
namespace {

constexpr bool kFilters = true;
constexpr bool kScores = true;

constexpr std::array kPlugins = std::to_array<PluginInfo>({
    {Plugin::kSchedulingGates, "SchedulingGates"},
    {Plugin::kPrioritySort, "PrioritySort"},
    {Plugin::kNodeName, "NodeName", kFilters},
    {Plugin::kNodeUnschedulable, "NodeUnschedulable", kFilters},
    {Plugin::kTaintToleration, "TaintToleration", kFilters, kScores, true, 3},
    {Plugin::kNodeAffinity, "NodeAffinity", kFilters, kScores, true, 2},
    {Plugin::kNodePorts, "NodePorts", kFilters},
    {Plugin::kNodeResourcesFit, "NodeResourcesFit", kFilters, kScores, true, 1},
    {Plugin::kVolumeRestrictions, "VolumeRestrictions", kFilters},
    {Plugin::kNodeVolumeLimits, "NodeVolumeLimits", kFilters},
    {Plugin::kVolumeBinding, "VolumeBinding", kFilters, kScores},
    {Plugin::kVolumeZone, "VolumeZone", kFilters},
    {Plugin::kPodTopologySpread, "PodTopologySpread", kFilters, kScores, true, 2},
    {Plugin::kInterPodAffinity, "InterPodAffinity", kFilters, kScores, true, 2},
    {Plugin::kDynamicResources, "DynamicResources", kFilters, kScores, true, 2},
    {Plugin::kDefaultPreemption, "DefaultPreemption"},
    {Plugin::kNodeResourcesBalancedAllocation, "NodeResourcesBalancedAllocation", false, kScores, true, 1},
    {Plugin::kImageLocality, "ImageLocality", false, kScores, true, 1},
    {Plugin::kDefaultBinder, "DefaultBinder"},
    {Plugin::kNodeDeclaredFeatures, "NodeDeclaredFeatures", kFilters},
    {Plugin::kCardPacking, "CardPacking", false, kScores, false},
    {Plugin::kRoomValue, "RoomValue", false, kScores, false},
});
static_assert(kPlugins.size() == kPluginCount);

constexpr std::array<std::string_view, 4> kSilent = {"GangScheduling", "DeferredPodScheduling",
                                                     "TopologyPlacementGenerator", "PodGroupPodsCount"};

}  // namespace

std::span<const PluginInfo> plugin_table() { return kPlugins; }

const PluginInfo& info_of(Plugin plugin) { return *std::ranges::find(kPlugins, plugin, &PluginInfo::plugin); }

const PluginInfo* find_plugin(std::string_view name) {
  const auto* const found = std::ranges::find(kPlugins, name, &PluginInfo::name);
  return found == kPlugins.end() ? nullptr : found;
}

std::span<const std::string_view> silent_plugins() { return kSilent; }

std::vector<std::string> plugin_names() {
  std::vector<std::string> names;
  for (const PluginInfo& info : kPlugins) names.emplace_back(info.name);
  names.insert(names.end(), kSilent.begin(), kSilent.end());
  return names;
}

std::string_view name_of(Plugin plugin) { return info_of(plugin).name; }

}  // namespace berth::api
