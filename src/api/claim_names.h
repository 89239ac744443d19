// Which ResourceClaim serves an entry of pod.spec.resourceClaims, for everybody who follows that reference.
#pragma once

#include <cstdint>
#include <string_view>

#include "api/core.h"
#include "api/resource.h"
#include "api/scheduling.h"

namespace berth::api {

struct ClaimName {
  enum class State : std::uint8_t {
    kNamed,      // `name`, in the pod's namespace; whether there is such a claim is another question
    kNotMade,    // the claim is to be made from the template
    kNotNeeded,  // pod.status says that no claim is needed
  };
  State state = State::kNamed;
  std::string_view name;  // in the pod, valid as long as it
  bool must_own = false;  // made from a template: it counts only if is_for_pod() or is_for_group()
};

// O(entries of pod.status.resourceClaimStatuses).
[[nodiscard]] ClaimName claim_name(const Pod& pod, const PodResourceClaim& entry);

// True if the pod controls the claim. Names decide where one side has no uid.
[[nodiscard]] bool is_for_pod(const Pod& pod, const ResourceClaim& claim);

// True if the pod's PodGroup controls the claim: it was made for all its pods.
[[nodiscard]] bool is_for_group(const Pod& pod, const ResourceClaim& claim);

// True if the group lists what the entry of a pod says, by name and by what it refers to: then the claim is the
// group's.
[[nodiscard]] bool is_of_group(const PodGroup& group, const PodResourceClaim& entry);

// True if status.reservedFor has the pod or its PodGroup; by uid, and by name where one side has none.
[[nodiscard]] bool is_reserved_for(const Pod& pod, const ResourceClaim& claim);

// True if the entry names this pod, or its PodGroup.
[[nodiscard]] bool means(const ClaimConsumer& consumer, const Pod& pod);

}  // namespace berth::api
