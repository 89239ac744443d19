#include "reference/filters.h"

#include <algorithm>

#include "reference/selectors.h"
#include "reference/volumes.h"

namespace berth::reference {

// A node whose Ready condition is not True counts as tainted, whether its taint is there or not.
bool is_ready_for(const api::PodSpec& pod, const api::Node& node) {
  return std::ranges::none_of(node.conditions, [&pod](const api::Condition& condition) {
    if (condition.type != "Ready" || condition.status == "True") return false;
    const std::string key = condition.status == "False" ? "not-ready" : "unreachable";
    return !tolerates(pod.tolerations, {"node.kubernetes.io/" + key, "", api::TaintEffect::kNoSchedule});
  });
}

Verdict filter(const Question& question, std::size_t node, api::Plugin plugin) {
  switch (plugin) {
    case api::Plugin::kNodeName:
      return filter_node_name(question, node);
    case api::Plugin::kNodeUnschedulable:
      return question.exclusions ? filter_node_unschedulable(question, node) : Verdict{};
    case api::Plugin::kTaintToleration:
      return question.exclusions ? filter_taint_toleration(question, node) : Verdict{};
    case api::Plugin::kNodeAffinity:
      return filter_node_affinity(question, node);
    case api::Plugin::kNodePorts:
      return filter_node_ports(question, node);
    case api::Plugin::kNodeResourcesFit:
      return filter_node_resources_fit(question, node);
    case api::Plugin::kVolumeRestrictions:
      return filter_volume_restrictions(question, node);
    case api::Plugin::kVolumeBinding:
      return filter_volume_binding(question, node);
    case api::Plugin::kVolumeZone:
      return filter_volume_zone(question, node);
    case api::Plugin::kPodTopologySpread:
      return question.rules_among_pods ? filter_pod_topology_spread(question, node) : Verdict{};
    case api::Plugin::kInterPodAffinity:
      return question.rules_among_pods ? filter_inter_pod_affinity(question, node) : Verdict{};
    case api::Plugin::kNodeDeclaredFeatures:
      return filter_node_declared_features(question, node);
    case api::Plugin::kSchedulingGates:
    case api::Plugin::kPrioritySort:
    case api::Plugin::kNodeVolumeLimits:
    case api::Plugin::kDynamicResources:
    case api::Plugin::kDefaultPreemption:
    case api::Plugin::kNodeResourcesBalancedAllocation:
    case api::Plugin::kImageLocality:
    case api::Plugin::kDefaultBinder:
    case api::Plugin::kCardPacking:
    case api::Plugin::kRoomValue:
      return {};
  }
  return {};
}

namespace {

// The snapshot with those pods on the node whose promise counts; nothing if there are none.
std::optional<Snapshot> with_promised(const Question& question, std::size_t node) {
  std::optional<Snapshot> result;
  for (const api::Pod* pod : question.snapshot.promised) {
    const bool counts = pod->metadata.name != question.pod.metadata.name ||
                        pod->metadata.namespace_ != question.pod.metadata.namespace_;
    if (!counts || pod->status.nominated_node_name != question.snapshot.nodes[node].node->metadata.name ||
        pod->spec.priority.value_or(0) < question.pod.spec.priority.value_or(0)) {
      continue;
    }
    if (!result) result = question.snapshot;
    put(result->nodes[node], *pod);
  }
  if (result) result->promised.clear();
  return result;
}

}  // namespace

Verdict first_failure(const Question& question, std::size_t node) {
  if (question.exclusions && question.exclude_not_ready &&
      !is_ready_for(question.pod.spec, *question.snapshot.nodes[node].node))
    return {Cause::kNotReady, true};
  for (const api::Plugin plugin : question.profile.filters) {
    if (const Verdict verdict = filter(question, node, plugin); !verdict.passes()) return verdict;
  }
  if (const auto fuller = with_promised(question, node)) {
    const Question again{*fuller,
                         question.pod,
                         question.profile,
                         question.exclude_not_ready,
                         question.rules_among_pods,
                         question.exclusions};
    if (!first_failure(again, node).passes()) return {Cause::kReserved, false};
  }
  return {};
}

std::optional<Hold> hold(const Objects& objects, const api::Pod& pod, const api::SchedulerProfile& profile) {
  if (profile.scheduling_gates && !pod.spec.scheduling_gates.empty()) {
    return Hold{HoldCause::kSchedulingGate, pod.spec.scheduling_gates.front()};
  }
  const bool asks_for_volumes =
      std::ranges::any_of(profile.filters, [](api::Plugin plugin) { return plugin == api::Plugin::kVolumeBinding; });
  if (!asks_for_volumes) return std::nullopt;
  for (const auto& [name, claim] : used_claims(objects, pod)) {
    if (claim == nullptr || claim->metadata.deletion_timestamp) return Hold{HoldCause::kMissingClaim, name};
    if (claim->phase == "Lost") return Hold{HoldCause::kLostClaim, name};
    if (!is_bound(*claim) && !waits_for_consumer(objects, *claim)) return Hold{HoldCause::kUnboundClaim, name};
  }
  return std::nullopt;
}

}  // namespace berth::reference
