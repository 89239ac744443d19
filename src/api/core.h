// core/v1: Pod, Node, Namespace, Service and the parts of a pod that scheduling reads.
// Source: the Kubernetes API reference, v1.37. Fields that no decision reads are dropped on reading; environment
// values and secrets always are.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "api/meta.h"
#include "api/quantity.h"
#include "base/shared.h"

namespace berth::api {

// --- Node selection -------------------------------------------------------------------------------------------------

// One term: all its requirements must hold. A term with no requirement at all matches no node.
struct NodeSelectorTerm {
  std::vector<SelectorRequirement> match_expressions;  // on labels
  std::vector<SelectorRequirement> match_fields;       // on metadata.name
  bool operator==(const NodeSelectorTerm&) const = default;
};

// Terms are alternatives.
struct NodeSelector {
  std::vector<NodeSelectorTerm> terms;
  bool operator==(const NodeSelector&) const = default;
};

struct PreferredSchedulingTerm {
  std::int32_t weight = 0;  // 1..100
  NodeSelectorTerm preference;
  bool operator==(const PreferredSchedulingTerm&) const = default;
};

struct NodeAffinity {
  std::optional<NodeSelector> required;
  std::vector<PreferredSchedulingTerm> preferred;
  bool operator==(const NodeAffinity&) const = default;
};

struct PodAffinityTerm {
  std::optional<LabelSelector> label_selector;      // none selects no pod
  std::vector<std::string> namespaces;              // none and no namespace_selector: the pod's own namespace
  std::optional<LabelSelector> namespace_selector;  // empty: all namespaces
  std::string topology_key;
  std::vector<std::string> match_label_keys;
  std::vector<std::string> mismatch_label_keys;
  bool operator==(const PodAffinityTerm&) const = default;
};

struct WeightedPodAffinityTerm {
  std::int32_t weight = 0;  // 1..100
  PodAffinityTerm term;
  bool operator==(const WeightedPodAffinityTerm&) const = default;
};

struct PodAffinity {
  std::vector<PodAffinityTerm> required;
  std::vector<WeightedPodAffinityTerm> preferred;
  bool operator==(const PodAffinity&) const = default;
};

struct Affinity {
  std::optional<NodeAffinity> node;
  std::optional<PodAffinity> pod;
  std::optional<PodAffinity> pod_anti;
  bool operator==(const Affinity&) const = default;
};

enum class TaintEffect : std::uint8_t { kNoSchedule, kPreferNoSchedule, kNoExecute };

struct Taint {
  std::string key;
  std::string value;
  TaintEffect effect = TaintEffect::kNoSchedule;
  bool operator==(const Taint&) const = default;
};

// Lt and Gt are alpha in 1.35 and later (TaintTolerationComparisonOperators).
enum class TolerationOperator : std::uint8_t { kEqual, kExists, kLessThan, kGreaterThan };

struct Toleration {
  std::string key;  // empty with Exists: tolerates every taint
  TolerationOperator op = TolerationOperator::kEqual;
  std::string value;
  std::optional<TaintEffect> effect;  // none: all effects
  std::optional<std::int64_t> toleration_seconds;
  bool operator==(const Toleration&) const = default;
};

enum class UnsatisfiableAction : std::uint8_t { kDoNotSchedule, kScheduleAnyway };
enum class InclusionPolicy : std::uint8_t { kHonor, kIgnore };

struct TopologySpreadConstraint {
  std::int32_t max_skew = 1;
  std::string topology_key;
  UnsatisfiableAction when_unsatisfiable = UnsatisfiableAction::kDoNotSchedule;
  std::optional<LabelSelector> label_selector;  // none selects no pod
  std::optional<std::int32_t> min_domains;
  InclusionPolicy node_affinity_policy = InclusionPolicy::kHonor;
  InclusionPolicy node_taints_policy = InclusionPolicy::kIgnore;
  std::vector<std::string> match_label_keys;
  bool operator==(const TopologySpreadConstraint&) const = default;
};

// --- Pod ------------------------------------------------------------------------------------------------------------

enum class Protocol : std::uint8_t { kTcp, kUdp, kSctp };

struct ContainerPort {
  std::int32_t container_port = 0;
  std::int32_t host_port = 0;  // 0: none. With hostNetwork the decoder sets it to container_port, as the API does
  std::string host_ip;         // "" means 0.0.0.0
  Protocol protocol = Protocol::kTcp;
  bool operator==(const ContainerPort&) const = default;
};

struct ResourceClaimReference {
  std::string name;     // of an entry in pod.spec.resourceClaims
  std::string request;  // empty: all requests of the claim
  bool operator==(const ResourceClaimReference&) const = default;
};

struct ResourceRequirements {
  ResourceList requests;  // defaulted from limits, as the API server does
  ResourceList limits;
  std::vector<ResourceClaimReference> claims;
  bool operator==(const ResourceRequirements&) const = default;
};

struct Container {
  std::string name;
  std::string image;
  ResourceRequirements resources;
  std::vector<ContainerPort> ports;
  bool restart_always = false;  // an init container with restartPolicy Always is a sidecar
  bool restarts_all = false;    // one of its restartPolicyRules has the action RestartAllContainers
  bool operator==(const Container&) const = default;
};

struct PersistentVolumeClaim;  // api/storage.h

struct Volume {
  std::string name;
  std::string persistent_volume_claim;           // claim name; empty if the volume is of another type
  bool ephemeral = false;                        // generic ephemeral volume: its claim is named POD-VOLUME
  Shared<PersistentVolumeClaim> claim_template;  // what that claim is made from; never set: the input does not say
  std::string image;                             // an image mounted as a volume; empty if the volume is of another type
  bool read_only = false;
  bool operator==(const Volume&) const = default;
};

struct PodResourceClaim {
  std::string name;
  std::string resource_claim_name;  // one of the two is set
  std::string resource_claim_template_name;
  bool operator==(const PodResourceClaim&) const = default;
};

enum class PreemptionPolicy : std::uint8_t { kPreemptLowerPriority, kNever };
enum class RestartPolicy : std::uint8_t { kAlways, kOnFailure, kNever };

// How a pod names its group: schedulingGroup, or in scheduling.k8s.io/v1alpha1 workloadRef.
struct PodSchedulingGroup {
  std::string pod_group_name;
  std::string workload_name;  // of workloadRef, with the two below
  std::string workload_group;
  std::string workload_instance;  // podGroupReplicaKey
  bool operator==(const PodSchedulingGroup&) const = default;
};

struct PodSpec {
  std::vector<Container> init_containers;
  std::vector<Container> containers;
  ResourceList overhead;
  std::optional<ResourceRequirements> resources;  // pod-level resources
  std::string node_name;
  StringMap node_selector;
  Affinity affinity;
  std::vector<Toleration> tolerations;
  std::vector<TopologySpreadConstraint> topology_spread_constraints;
  std::vector<std::string> scheduling_gates;
  std::vector<Volume> volumes;
  std::vector<PodResourceClaim> resource_claims;
  std::string scheduler_name;  // "default-scheduler" once decoded
  std::string runtime_class_name;
  std::string priority_class_name;
  std::optional<std::int32_t> priority;  // resolved from the class by the priority admission rule where absent
  std::optional<PreemptionPolicy> preemption_policy;
  Shared<PodSchedulingGroup> scheduling_group;  // one for all pods of a template
  RestartPolicy restart_policy = RestartPolicy::kAlways;
  bool host_network = false;
  bool host_users = true;  // false: a user namespace of its own
  bool operator==(const PodSpec&) const = default;
};

enum class PodPhase : std::uint8_t { kPending, kRunning, kSucceeded, kFailed, kUnknown };

struct Condition {
  std::string type;
  std::string status;  // "True", "False", "Unknown"
  std::string reason;
  std::string message;
  std::optional<Time> last_transition_time;
  bool operator==(const Condition&) const = default;
};

// A container as the kubelet reports it: how often it was started again, how it ended, and the resources that it was
// granted, which in-place resize makes differ from the spec.
struct ContainerStatus {
  std::string name;
  ResourceList allocated_resources;
  std::optional<ResourceRequirements> resources;
  std::int32_t restart_count = 0;
  std::optional<std::int32_t> exit_code;  // state.terminated
  bool operator==(const ContainerStatus&) const = default;
};

// Which claim an entry of pod.spec.resourceClaims is served by.
struct PodResourceClaimStatus {
  std::string name;
  std::optional<std::string> resource_claim_name;  // none: no claim is needed, the entry is skipped
  bool operator==(const PodResourceClaimStatus&) const = default;
};

// Which request of a claim serves an extended resource of a container.
struct ContainerExtendedResourceRequest {
  std::string container_name;
  std::string resource_name;
  std::string request_name;
  bool operator==(const ContainerExtendedResourceRequest&) const = default;
};

// The claim that the scheduler made for the extended resources of a pod that devices serve.
struct PodExtendedResourceClaimStatus {
  std::string resource_claim_name;
  std::vector<ContainerExtendedResourceRequest> request_mappings;
  bool operator==(const PodExtendedResourceClaimStatus&) const = default;
};

struct PodStatus {
  PodPhase phase = PodPhase::kPending;
  std::string nominated_node_name;
  std::optional<Time> start_time;
  std::vector<Condition> conditions;
  std::vector<ContainerStatus> init_container_statuses;
  std::vector<ContainerStatus> container_statuses;
  // At pod level, as for containers.
  ResourceList allocated_resources;
  std::optional<ResourceRequirements> resources;
  std::vector<PodResourceClaimStatus> resource_claim_statuses;
  std::optional<PodExtendedResourceClaimStatus> extended_resource_claim_status;
  bool operator==(const PodStatus&) const = default;
};

struct Pod {
  ObjectMeta metadata;
  PodSpec spec;
  PodStatus status;
  bool operator==(const Pod&) const = default;
};

struct PodTemplate {
  ObjectMeta metadata;
  PodSpec spec;
  bool operator==(const PodTemplate&) const = default;
};

// --- Node, Namespace, Service
// -----------------------------------------------------------------------------------------

struct ContainerImage {
  std::vector<std::string> names;
  std::int64_t size_bytes = 0;
  bool operator==(const ContainerImage&) const = default;
};

struct Node {
  ObjectMeta metadata;
  bool unschedulable = false;  // spec.unschedulable: cordoned
  std::vector<Taint> taints;
  ResourceList capacity;
  ResourceList allocatable;  // capacity where absent, as the API server defaults it
  std::vector<Condition> conditions;
  std::vector<ContainerImage> images;
  std::vector<std::string> declared_features;  // what its kubelet says that it can do, each by its name
  bool operator==(const Node&) const = default;
};

struct Namespace {
  ObjectMeta metadata;
  bool operator==(const Namespace&) const = default;
};

// Read for the default spread constraints: pods of one service spread.
struct Service {
  ObjectMeta metadata;
  StringMap selector;  // empty selects nothing
  bool operator==(const Service&) const = default;
};

}  // namespace berth::api
