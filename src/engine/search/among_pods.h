// The best node where scores among pods count (ScheduleAnyway spread, preferred inter-pod affinity), without looking at
// every feasible node.
//
// Such a score is the same for all nodes of one domain. Where the keys have few domains each (zone, region), nodes fall
// into few classes, and in each class the index names the best by the rest of the scores. Where every node is a domain
// (hostname), the nodes that have pods to count are looked at one by one, and the others are alike; when most nodes
// have some, those with equally many are alike. What the scores are normalised over (the smallest and the largest, and
// how many domains are feasible) follows from classes and such nodes.
#pragma once

#include <optional>
#include <span>

#include "engine/fit/question.h"
#include "engine/search/choice.h"
#include "engine/search/index.h"

namespace berth::engine {

// The same as scoring every feasible node would find; ties go to the lowest rank. Nothing where that is not slower:
// keys with many domains, or too many different counts of pods on too many nodes. O(classes * best of the index + nodes
// that are looked at one by one + nodes / 64 * classes).
[[nodiscard]] std::optional<Choice> best_among_pods(const Question& question, const Index& index,
                                                    std::span<const Mask> masks);

}  // namespace berth::engine
