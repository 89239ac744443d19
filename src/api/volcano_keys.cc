#include "api/volcano_keys.h"

#include <algorithm>

namespace berth::api::volcano {

GroupOfPod group_of(const Pod& pod) {
  const StringMap& annotations = pod.metadata.annotations;
  if (const auto named = annotations.find(keys::kGroupName); named != annotations.end() && !named->second.empty())
    return {Membership::kNamed, named->second};
  if (const auto named = annotations.find(keys::kPodGroup); named != annotations.end() && !named->second.empty())
    return {Membership::kMisnamed, named->second};
  if (pod.spec.scheduler_name != kSchedulerName) return {};
  const auto owner = std::ranges::find_if(pod.metadata.owner_references, &OwnerReference::controller);
  if (owner != pod.metadata.owner_references.end())
    return {Membership::kGenerated, "podgroup-" + (owner->uid.empty() ? owner->name : owner->uid)};
  return {Membership::kGenerated, "podgroup-" + (pod.metadata.uid.empty() ? pod.metadata.name : pod.metadata.uid)};
}

}  // namespace berth::api::volcano
