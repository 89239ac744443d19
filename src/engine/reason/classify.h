// Which class of reason keeps a shape from running, and the full record of it.
//
// The classes are exact: each is what a changed world answers. The first that holds:
//   NodeExcluded   it fits now once cordons, taints and unreadiness are lifted
//   TopologyNoFit  it fits now once the rules among pods (spread, inter-pod affinity) are lifted
//   Fragmented     it fits on the emptied cluster, and there is enough of everything in sum now
//   Busy           it fits on the emptied cluster
//   NodeExcluded   it fits on the emptied cluster once cordons, taints and unreadiness are lifted
//   NeverFits      otherwise
// On the emptied cluster there are no pods, so rules among them are not asked.
#pragma once

#include "engine/fit/question.h"
#include "engine/reason/reason.h"

namespace berth::engine {

// The class alone. O(nodes). kNone if the shape fits somewhere now.
[[nodiscard]] ReasonClass classify(const Question& question);

// The record. O(nodes + pods on the best node).
[[nodiscard]] Reason explain_shape(const Question& question);

}  // namespace berth::engine
