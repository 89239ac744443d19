// VolumeRestrictions: a ReadWriteOncePod claim serves one pod in the whole cluster.
#include <algorithm>

#include "reference/filters.h"
#include "reference/volumes.h"

namespace berth::reference {

Verdict filter_volume_restrictions(const Question& question, std::size_t) {
  const Objects& objects = *question.snapshot.objects;
  for (const std::string& name : named_claims(question.pod)) {
    const auto* claim = find_claim(objects, question.pod.metadata.namespace_, name);
    if (claim == nullptr) return {Cause::kVolumeRestriction, true};
    if (std::ranges::find(claim->access_modes, api::AccessMode::kReadWriteOncePod) == claim->access_modes.end())
      continue;
    for (const NodeState& state : question.snapshot.nodes) {
      for (const PlacedPod& placed : state.pods) {
        if (placed.pod->metadata.namespace_ != question.pod.metadata.namespace_) continue;
        const auto used = named_claims(*placed.pod);
        if (std::ranges::find(used, name) != used.end()) return {Cause::kVolumeRestriction, false};
      }
    }
  }
  return {};
}

}  // namespace berth::reference
