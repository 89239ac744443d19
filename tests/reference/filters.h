// Filters: may this pod run on this node? Each answers from the whole snapshot, from scratch, in its own file.
// Rules: kube-scheduler 1.37 as described in the Kubernetes documentation.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "api/scheduler_config.h"
#include "reference/snapshot.h"

namespace berth::reference {

// The first thing that excludes a node for a pod.
enum class Cause : std::uint8_t {
  kFits,
  kNotReady,
  kUnschedulable,
  kNodeName,
  kTaint,
  kNodeAffinity,
  kHostPort,
  kTooManyPods,
  kTooLarge,
  kInsufficient,
  kCardFragmented,
  kVolumeRestriction,
  kVolumeBinding,
  kFeature,
  kTopologySpread,
  kPodAffinity,
  kPodAntiAffinity,
  kExistingAntiAffinity,
  kReserved,
};

struct Verdict {
  Cause cause = Cause::kFits;
  bool unresolvable = false;  // evicting pods of this node cannot help
  [[nodiscard]] bool passes() const { return cause == Cause::kFits; }
};

struct Question {
  const Snapshot& snapshot;
  const api::Pod& pod;
  const api::SchedulerProfile& profile;
  bool exclude_not_ready = true;  // a node whose Ready condition is not True counts as tainted
  bool rules_among_pods = true;   // PodTopologySpread and InterPodAffinity are asked
  bool exclusions = true;         // cordons, taints and unreadiness are asked
};

[[nodiscard]] Verdict filter_node_name(const Question& question, std::size_t node);
[[nodiscard]] Verdict filter_node_unschedulable(const Question& question, std::size_t node);
[[nodiscard]] Verdict filter_taint_toleration(const Question& question, std::size_t node);
[[nodiscard]] Verdict filter_node_affinity(const Question& question, std::size_t node);
[[nodiscard]] Verdict filter_node_ports(const Question& question, std::size_t node);
[[nodiscard]] Verdict filter_node_resources_fit(const Question& question, std::size_t node);
[[nodiscard]] Verdict filter_volume_restrictions(const Question& question, std::size_t node);
[[nodiscard]] Verdict filter_volume_binding(const Question& question, std::size_t node);
[[nodiscard]] Verdict filter_volume_zone(const Question& question, std::size_t node);
[[nodiscard]] Verdict filter_pod_topology_spread(const Question& question, std::size_t node);
[[nodiscard]] Verdict filter_inter_pod_affinity(const Question& question, std::size_t node);
[[nodiscard]] Verdict filter_node_declared_features(const Question& question, std::size_t node);

// One plugin alone. Plugins that are no filters pass everything.
[[nodiscard]] Verdict filter(const Question& question, std::size_t node, api::Plugin plugin);
// All filters of the profile in order; the first that fails. If none does, they are asked once more with the pods of
// this priority or a higher one that were promised the node.
[[nodiscard]] Verdict first_failure(const Question& question, std::size_t node);

[[nodiscard]] bool is_ready_for(const api::PodSpec& pod, const api::Node& node);

// Why a pod is not asked about at all: a gate, or a claim that is missing, lost or waits for a volume.
enum class HoldCause : std::uint8_t { kSchedulingGate, kMissingClaim, kLostClaim, kUnboundClaim };
struct Hold {
  HoldCause cause;
  std::string subject;
};
[[nodiscard]] std::optional<Hold> hold(const Objects& objects, const api::Pod& pod,
                                       const api::SchedulerProfile& profile);

}  // namespace berth::reference
