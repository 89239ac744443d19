// Wake: may a pod that fitted nowhere fit now, after something changed on one node? Asked before a parked shape is
// tried again, which costs far more.
//
// The answer errs to yes. Rules among pods are taken to hold: what they saw is told by Topology::news().
#pragma once

#include "engine/fit/question.h"

namespace berth::engine {

// True if the node passes all filters but those about other pods, or might once every pod of lower priority left it and
// the shape may preempt. O(filters + pods on the node).
[[nodiscard]] bool may_help(const Question& question, NodeId node);

// Would the node's amounts suffice if the pods of lower priority left it, cards taken as a sum? True is no promise.
// O(pods on the node).
[[nodiscard]] bool suffices_without_lower(const Question& question, NodeId node);

}  // namespace berth::engine
