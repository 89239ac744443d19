// kubescheduler.config.k8s.io/v1 KubeSchedulerConfiguration, resolved: per profile the plugins that run, in order, with
// weights and arguments. Source: reference/dra.md 5.5; the Kubernetes scheduler configuration reference.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "api/core.h"
#include "api/volcano_conf.h"
#include "base/result.h"

namespace berth::api {

// Every in-tree filter and score plugin Berth knows. The order in which they run is that of plugin_table().
enum class Plugin : std::uint8_t {
  kSchedulingGates,
  kPrioritySort,
  kNodeUnschedulable,
  kNodeName,
  kTaintToleration,
  kNodeAffinity,
  kNodePorts,
  kNodeResourcesFit,
  kVolumeRestrictions,
  kNodeVolumeLimits,
  kVolumeBinding,
  kVolumeZone,
  kPodTopologySpread,
  kInterPodAffinity,
  kDynamicResources,
  kDefaultPreemption,
  kNodeResourcesBalancedAllocation,
  kImageLocality,
  kDefaultBinder,
  kNodeDeclaredFeatures,
  // Berth's own; upstream has no plugins of these names.
  kCardPacking,
  kRoomValue,
};
inline constexpr std::size_t kPluginCount = 22;

struct ResourceWeight {
  std::string name;
  std::int64_t weight = 1;  // 1..100
  bool operator==(const ResourceWeight&) const = default;
};

enum class ScoringStrategy : std::uint8_t { kLeastAllocated, kMostAllocated, kRequestedToCapacityRatio };

struct UtilizationShapePoint {
  std::int32_t utilization = 0;  // 0..100
  std::int32_t score = 0;        // 0..10
  bool operator==(const UtilizationShapePoint&) const = default;
};

struct NodeResourcesFitArgs {
  std::vector<std::string> ignored_resources;
  std::vector<std::string> ignored_resource_groups;
  ScoringStrategy strategy = ScoringStrategy::kLeastAllocated;
  std::vector<ResourceWeight> resources = {{"cpu", 1}, {"memory", 1}};
  std::vector<UtilizationShapePoint> shape;  // RequestedToCapacityRatio only
  bool operator==(const NodeResourcesFitArgs&) const = default;
};

struct PodTopologySpreadArgs {
  enum class Defaulting : std::uint8_t { kSystem, kList };
  Defaulting defaulting = Defaulting::kSystem;
  std::vector<TopologySpreadConstraint> default_constraints;
  bool operator==(const PodTopologySpreadArgs&) const = default;
};

struct InterPodAffinityArgs {
  std::int32_t hard_pod_affinity_weight = 1;
  bool ignore_preferred_terms_of_existing_pods = false;
  bool operator==(const InterPodAffinityArgs&) const = default;
};

struct SchedulerProfile {
  std::string scheduler_name = "default-scheduler";
  std::vector<Plugin> filters;  // enabled, in order
  struct Score {
    Plugin plugin;
    std::int32_t weight = 1;
    bool operator==(const Score&) const = default;
  };
  std::vector<Score> scores;  // enabled, in order
  bool scheduling_gates = true;
  bool preemption = true;  // DefaultPreemption enabled
  NodeResourcesFitArgs node_resources_fit;
  std::vector<ResourceWeight> balanced_resources = {{"cpu", 1}, {"memory", 1}};
  PodTopologySpreadArgs pod_topology_spread;
  InterPodAffinityArgs inter_pod_affinity;
  std::vector<UtilizationShapePoint> volume_binding_shape = {{0, 10}, {100, 0}};
  std::optional<NodeAffinity> added_affinity;
  bool operator==(const SchedulerProfile&) const = default;
};

struct SchedulerConfiguration {
  std::vector<SchedulerProfile> profiles;
  std::optional<volcano::SchedulerConf> volcano = {};  // how Volcano's queues and groups are treated; none: Berth's way
};

// The upstream v1.37 default profile.
[[nodiscard]] SchedulerProfile kube_default_profile();
// Berth's own default: upstream's with RoomValue added, at a weight at which a node affinity or a taint that somebody
// wrote down with care is worth two or three GPUs:
//   - a pod that asks for cards goes where it takes least from those to come (docs/berth-policy.md); the scores that
//     spread load and the default topology spread do not pull its siblings apart;
//   - a pod that asks for none goes where there are no cards, as long as there is room.
[[nodiscard]] SchedulerProfile berth_default_profile();

[[nodiscard]] std::string_view name_of(Plugin plugin);

// Reads the document: a KubeSchedulerConfiguration, a volcano-scheduler.conf, or a ConfigMap with one. An unknown
// plugin, argument or field is an error that names it and lists near ones.
[[nodiscard]] Result<SchedulerConfiguration> parse_scheduler_configuration(std::string_view yaml,
                                                                           std::string_view file);

}  // namespace berth::api
