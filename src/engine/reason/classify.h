// Which class of reason keeps a shape from running, and the full record of it.
//
// The classes are exact: each is what a changed world answers. The first that holds:
//   Reserved       it fits now but for pods that were promised the node
//   NodeExcluded   it fits now once cordons, taints and unreadiness are lifted
//   TopologyNoFit  it fits now once the rules among pods (spread, inter-pod affinity) are lifted
//   Fragmented     it fits on the emptied cluster, and there is enough of everything in sum now
//   Busy           it fits on the emptied cluster
//   NodeExcluded   it fits on the emptied cluster once cordons, taints and unreadiness are lifted
//   NeverFits      otherwise
// On the emptied cluster there are no pods, so rules among them are not asked; nor are promises.
#pragma once

#include "engine/fit/question.h"
#include "engine/reason/reason.h"

namespace berth::engine {

// The class alone. O(nodes). kNone if the pod fits somewhere now. The world is as before afterwards; the question is
// about it and names the nodes closed to the pod.
[[nodiscard]] ReasonClass classify(World& world, const Question& question, PodId pod);

// The record. O(nodes + pods on the best node).
[[nodiscard]] Reason explain_pod(World& world, const Question& question, PodId pod);

}  // namespace berth::engine
