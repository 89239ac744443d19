// Wake: may a pod that fitted nowhere fit now, after something changed on one node? Asked before a parked shape is
// tried again, which costs far more.
//
// The answer errs to yes. Rules among pods are taken to hold: what they saw is told by Topology::news().
#pragma once

#include <cstddef>
#include <optional>

#include "engine/fit/question.h"

namespace berth::engine {

// True if the node passes all filters but those about other pods, or might once every pod of lower priority left it and
// the shape may preempt. O(filters + pods on the node).
[[nodiscard]] bool may_help(const Question& question, NodeId node);

// How many pods of lower priority have to leave the node, at least, before its amounts suffice, cards taken as a sum: 1
// or more. None: all of them do not help, or there is none. A number is no promise. O(pods on the node x requests).
[[nodiscard]] std::optional<std::size_t> fewest_victims(const Question& question, NodeId node);

}  // namespace berth::engine
