#include "engine/fit/volume_restrictions.h"

namespace berth::engine {

Verdict check_volume_restrictions(const Question& question, NodeId /*node*/) {
  if (question.emptied) return kPass;
  for (const NameId claim : question.shape.input.exclusive_claims) {
    if (question.world.pods_with_claim(claim) > 0) return {NodeCause::kVolumeRestriction, true};
  }
  return kPass;
}

}  // namespace berth::engine
