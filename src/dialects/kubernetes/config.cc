#include "dialects/kubernetes/config.h"

#include <algorithm>
#include <optional>

#include "dialects/kubernetes/selectors.h"
#include "engine/score/card_packing.h"

namespace berth::dialects::kubernetes {
namespace {

std::optional<engine::Filter> filter_of(api::Plugin plugin) {
  switch (plugin) {
    case api::Plugin::kNodeUnschedulable:
      return engine::Filter::kNodeUnschedulable;
    case api::Plugin::kNodeName:
      return engine::Filter::kNodeName;
    case api::Plugin::kTaintToleration:
      return engine::Filter::kTaintToleration;
    case api::Plugin::kNodeAffinity:
      return engine::Filter::kNodeAffinity;
    case api::Plugin::kNodePorts:
      return engine::Filter::kNodePorts;
    case api::Plugin::kNodeResourcesFit:
      return engine::Filter::kNodeResourcesFit;
    case api::Plugin::kVolumeRestrictions:
      return engine::Filter::kVolumeRestrictions;
    // Both are answered by a pod's volume selectors.
    case api::Plugin::kVolumeBinding:
    case api::Plugin::kVolumeZone:
      return engine::Filter::kVolumeBinding;
    case api::Plugin::kPodTopologySpread:
      return engine::Filter::kPodTopologySpread;
    case api::Plugin::kInterPodAffinity:
      return engine::Filter::kInterPodAffinity;
    case api::Plugin::kDynamicResources:
      return engine::Filter::kDynamicResources;
    case api::Plugin::kNodeDeclaredFeatures:
      return engine::Filter::kNodeDeclaredFeatures;
    case api::Plugin::kSchedulingGates:
    case api::Plugin::kPrioritySort:
    case api::Plugin::kNodeVolumeLimits:
    case api::Plugin::kDefaultPreemption:
    case api::Plugin::kNodeResourcesBalancedAllocation:
    case api::Plugin::kImageLocality:
    case api::Plugin::kDefaultBinder:
    case api::Plugin::kCardPacking:
    case api::Plugin::kRoomValue:
      return std::nullopt;
  }
  return std::nullopt;
}

std::optional<engine::Score> score_of(api::Plugin plugin) {
  switch (plugin) {
    case api::Plugin::kTaintToleration:
      return engine::Score::kTaintToleration;
    case api::Plugin::kNodeAffinity:
      return engine::Score::kNodeAffinity;
    case api::Plugin::kNodeResourcesFit:
      return engine::Score::kNodeResourcesFit;
    case api::Plugin::kPodTopologySpread:
      return engine::Score::kPodTopologySpread;
    case api::Plugin::kInterPodAffinity:
      return engine::Score::kInterPodAffinity;
    case api::Plugin::kNodeResourcesBalancedAllocation:
      return engine::Score::kBalancedAllocation;
    case api::Plugin::kImageLocality:
      return engine::Score::kImageLocality;
    case api::Plugin::kCardPacking:
    case api::Plugin::kRoomValue:
      return engine::Score::kPlacementPolicy;
    case api::Plugin::kVolumeBinding:
      return engine::Score::kVolumeBinding;
    case api::Plugin::kDynamicResources:
      return engine::Score::kDynamicResources;
    case api::Plugin::kSchedulingGates:
    case api::Plugin::kPrioritySort:
    case api::Plugin::kNodeUnschedulable:
    case api::Plugin::kNodeName:
    case api::Plugin::kNodePorts:
    case api::Plugin::kVolumeRestrictions:
    case api::Plugin::kNodeVolumeLimits:
    case api::Plugin::kVolumeZone:
    case api::Plugin::kDefaultPreemption:
    case api::Plugin::kDefaultBinder:
    case api::Plugin::kNodeDeclaredFeatures:
      return std::nullopt;
  }
  return std::nullopt;
}

engine::Profile::Strategy strategy_of(api::ScoringStrategy strategy) {
  switch (strategy) {
    case api::ScoringStrategy::kLeastAllocated:
      return engine::Profile::Strategy::kLeastAllocated;
    case api::ScoringStrategy::kMostAllocated:
      return engine::Profile::Strategy::kMostAllocated;
    case api::ScoringStrategy::kRequestedToCapacityRatio:
      return engine::Profile::Strategy::kRequestedToCapacityRatio;
  }
  return engine::Profile::Strategy::kLeastAllocated;
}

std::vector<engine::WeightedResource> weighted(const std::vector<api::ResourceWeight>& from, engine::Names& names) {
  std::vector<engine::WeightedResource> result;
  for (const auto& [name, weight] : from) result.push_back({names.resources.intern(name), weight});
  return result;
}

std::vector<engine::Profile::ShapePoint> shape_of(const std::vector<api::UtilizationShapePoint>& from) {
  std::vector<engine::Profile::ShapePoint> result;
  for (const auto& [utilization, score] : from) result.push_back({utilization, score});
  return result;
}

engine::Profile profile_of(const api::SchedulerProfile& from, engine::Names& names) {
  engine::Profile profile;
  profile.id = names.profiles.intern(from.scheduler_name);
  for (const api::Plugin plugin : from.filters) {
    const auto filter = filter_of(plugin);
    if (filter && std::ranges::find(profile.filters, *filter) == profile.filters.end()) {
      profile.filters.push_back(*filter);
    }
  }
  for (const auto& [plugin, weight] : from.scores) {
    if (const auto score = score_of(plugin)) profile.scores.push_back({*score, weight});
    if (plugin == api::Plugin::kCardPacking) profile.placement_policy = &engine::card_packing();
    if (plugin == api::Plugin::kRoomValue) profile.values_room = true;
  }
  profile.preemption = from.preemption;
  profile.strategy = strategy_of(from.node_resources_fit.strategy);
  profile.fit_resources = weighted(from.node_resources_fit.resources, names);
  profile.ratio_shape = shape_of(from.node_resources_fit.shape);
  profile.volume_shape = shape_of(from.volume_binding_shape);
  profile.balanced_resources = weighted(from.balanced_resources, names);
  profile.hard_pod_affinity_weight = from.inter_pod_affinity.hard_pod_affinity_weight;
  profile.ignore_preferred_terms_of_existing_pods = from.inter_pod_affinity.ignore_preferred_terms_of_existing_pods;
  return profile;
}

}  // namespace

engine::Config engine_config(const api::SchedulerConfiguration& configuration, engine::Names& names) {
  engine::Config config;
  for (const auto& profile : configuration.profiles) config.profiles.push_back(profile_of(profile, names));
  return config;
}

}  // namespace berth::dialects::kubernetes
