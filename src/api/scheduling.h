// scheduling.k8s.io: Workload, PodGroup and CompositePodGroup, in every version as one set of types.
//
//   v1alpha1 (Kubernetes 1.35)  Workload with groups of pods; a pod names the Workload, its group and an instance of it
//   v1alpha2 (1.36)             Workload with templates, PodGroup; a pod names its PodGroup
//   v1alpha3, v1beta1 (1.37)    the same, and CompositePodGroup in v1alpha3
//
// Source: KEP-4671 (gang scheduling), KEP-5732 (topology), KEP-5710 (disruption), KEP-5547 and KEP-5764 (Job).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/core.h"

namespace berth::api {

enum class SchedulingVersion : std::uint8_t { kV1alpha1, kV1alpha2, kV1alpha3, kV1beta1 };

// Basic, each pod (or child group) for itself, where there is no minimum; else a gang: so many at once or none.
struct SchedulingPolicy {
  std::optional<std::int32_t> gang_minimum;  // minCount of pods, minGroupCount of child groups; positive
  bool operator==(const SchedulingPolicy&) const = default;
};

// What is lost when one of the group is evicted: that one, or all.
enum class DisruptionMode : std::uint8_t { kSingle, kAll };

// What groups, composite groups and their templates have in common.
struct GroupRules {
  SchedulingPolicy policy;
  std::vector<std::string> topology_keys;  // schedulingConstraints.topology: node label keys, at most one
  std::vector<PodResourceClaim> resource_claims;
  std::optional<DisruptionMode> disruption_mode;  // none: single
  std::string priority_class_name;
  std::optional<std::int32_t> priority;
  std::optional<PreemptionPolicy> preemption_policy;
  bool operator==(const GroupRules&) const = default;
};

struct PodGroupTemplate {
  std::string name;
  GroupRules rules;
  bool operator==(const PodGroupTemplate&) const = default;
};

struct CompositePodGroupTemplate {
  std::string name;
  GroupRules rules;  // without claims
  std::vector<PodGroupTemplate> pod_groups;
  std::vector<CompositePodGroupTemplate> composites;
  bool operator==(const CompositePodGroupTemplate&) const = default;
};

struct TypedReference {
  std::string api_group;
  std::string kind;
  std::string name;
  bool operator==(const TypedReference&) const = default;
};

struct Workload {
  ObjectMeta metadata;
  SchedulingVersion version = SchedulingVersion::kV1beta1;
  std::optional<TypedReference> controller;
  std::vector<PodGroupTemplate> pod_groups;  // v1alpha1: the groups themselves
  std::vector<CompositePodGroupTemplate> composites;
  bool operator==(const Workload&) const = default;
};

// The template that a group was made from.
struct TemplateReference {
  std::string workload_name;
  std::string template_name;
  bool operator==(const TemplateReference&) const = default;
};

struct PodGroup {
  ObjectMeta metadata;
  SchedulingVersion version = SchedulingVersion::kV1beta1;
  std::string parent;  // parentCompositePodGroupName; empty: none
  std::optional<TemplateReference> made_from;
  GroupRules rules;
  std::vector<Condition> conditions;                            // status
  std::vector<PodResourceClaimStatus> resource_claim_statuses;  // status
  bool operator==(const PodGroup&) const = default;
};

struct CompositePodGroup {
  ObjectMeta metadata;
  SchedulingVersion version = SchedulingVersion::kV1alpha3;
  std::string parent;
  std::optional<TemplateReference> made_from;
  GroupRules rules;
  std::vector<Condition> conditions;  // status
  bool operator==(const CompositePodGroup&) const = default;
};

// Job.spec.scheduling: the Job controller makes a Workload and a PodGroup of it for the Job's pods.
struct JobScheduling {
  GroupRules rules;  // a gang minimum of 0: as many as run at once
  bool operator==(const JobScheduling&) const = default;
};

// "scheduling.k8s.io/v1beta1".
[[nodiscard]] std::string_view api_version_of(SchedulingVersion version);

inline constexpr std::string_view kPodGroupScheduled = "PodGroupScheduled";                    // v1alpha2
inline constexpr std::string_view kPodGroupInitiallyScheduled = "PodGroupInitiallyScheduled";  // later ones
inline constexpr std::string_view kDisruptionTarget = "DisruptionTarget";
inline constexpr std::size_t kMaxGroupTemplates = 8;
inline constexpr std::size_t kMaxGroupClaims = 4;
inline constexpr std::size_t kMaxGroupDepth = 4;

}  // namespace berth::api
