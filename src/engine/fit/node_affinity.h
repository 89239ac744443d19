// NodeAffinity: nodeSelector, required node affinity and the profile's addedAffinity must all match the node's labels
// (and name).
//
// Source: core/v1 PodSpec.nodeSelector and NodeAffinity, NodeAffinityArgs.addedAffinity; component-helpers
// nodeaffinity. O(requirements * log labels of the node).
#pragma once

#include "engine/fit/question.h"

namespace berth::engine {

[[nodiscard]] Verdict check_node_affinity(const Question& question, NodeId node);

}  // namespace berth::engine
