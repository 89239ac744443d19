// Which class of reason keeps a shape from running, and the full record of it.
//
// The classes are exact and follow from three suppositions that are asked of every node: as it is, with every pod gone
// (emptied), and with cordons, taints and not-ready marks lifted as well.
//
//   emptied cluster takes it:     some node lacks nothing but a spread or affinity rule  -> TopologyNoFit
//                                 only amounts are short, and they suffice in sum        -> Fragmented
//                                 otherwise                                              -> Busy
//   emptied cluster does not:     it would without the rules among pods                  -> TopologyNoFit
//                                 it would with cordons and taints lifted                -> NodeExcluded
//                                 otherwise                                              -> NeverFits
#pragma once

#include "engine/fit/question.h"
#include "engine/reason/reason.h"

namespace berth::engine {

// The class alone. O(nodes). kNone if the shape fits somewhere now.
[[nodiscard]] ReasonClass classify(const Question& question);

// The record. O(nodes + pods on the best node).
[[nodiscard]] Reason explain_shape(const Question& question);

}  // namespace berth::engine
