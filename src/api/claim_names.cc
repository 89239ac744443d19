#include "api/claim_names.h"

#include <algorithm>

namespace berth::api {
namespace {

bool same_object(const std::string& name, const std::string& uid, const ObjectMeta& metadata) {
  return name == metadata.name && (uid.empty() || metadata.uid.empty() || uid == metadata.uid);
}

}  // namespace

ClaimName claim_name(const Pod& pod, const PodResourceClaim& entry) {
  if (!entry.resource_claim_name.empty()) return {ClaimName::State::kNamed, entry.resource_claim_name, false};
  const auto& statuses = pod.status.resource_claim_statuses;
  const auto found = std::ranges::find(statuses, entry.name, &PodResourceClaimStatus::name);
  if (found == statuses.end()) return {ClaimName::State::kNotMade, {}, true};
  if (!found->resource_claim_name) return {ClaimName::State::kNotNeeded, {}, true};
  return {ClaimName::State::kNamed, *found->resource_claim_name, true};
}

bool is_for_pod(const Pod& pod, const ResourceClaim& claim) {
  if (claim.metadata.namespace_ != pod.metadata.namespace_) return false;
  const auto& owners = claim.metadata.owner_references;
  const auto owner = std::ranges::find_if(owners, &OwnerReference::controller);
  if (owner != owners.end()) return owner->kind == "Pod" && same_object(owner->name, owner->uid, pod.metadata);
  // An owner needs a uid, which a pod gets from the API server.
  const auto& annotations = claim.metadata.annotations;
  return pod.metadata.uid.empty() && (annotations.contains(std::string(kPodClaimNameAnnotation)) ||
                                      annotations.contains(std::string(kExtendedResourceClaimAnnotation)));
}

bool is_for_group(const Pod& pod, const ResourceClaim& claim) {
  if (claim.metadata.namespace_ != pod.metadata.namespace_) return false;
  const std::string& group = pod.spec.scheduling_group->pod_group_name;
  return !group.empty() && std::ranges::any_of(claim.metadata.owner_references, [&group](const OwnerReference& owner) {
    return owner.controller && owner.kind == "PodGroup" && owner.name == group &&
           owner.api_version.starts_with("scheduling.k8s.io/");
  });
}

bool is_of_group(const PodGroup& group, const PodResourceClaim& entry) {
  return std::ranges::find(group.rules.resource_claims, entry) != group.rules.resource_claims.end();
}

bool means(const ClaimConsumer& consumer, const Pod& pod) {
  if (consumer.api_group == "scheduling.k8s.io" && consumer.resource == "podgroups")
    return !consumer.name.empty() && consumer.name == pod.spec.scheduling_group->pod_group_name;
  return consumer.api_group.empty() && consumer.resource == "pods" &&
         same_object(consumer.name, consumer.uid, pod.metadata);
}

bool is_reserved_for(const Pod& pod, const ResourceClaim& claim) {
  return std::ranges::any_of(claim.status.reserved_for,
                             [&pod](const ClaimConsumer& consumer) { return means(consumer, pod); });
}

}  // namespace berth::api
