// InterPodAffinity, the score: the sum of weights of preferred terms that find a pod in the node's domain. Counted are
// the pod's own preferred terms, the preferred terms of running pods that match this pod, and, with the profile's
// hardPodAffinityWeight, their required affinity terms. Over the feasible nodes the range becomes 0..100.
#pragma once

#include <span>

#include "engine/fit/question.h"
#include "engine/score/topology_spread.h"

namespace berth::engine {

// Could any node get another score than any other? If not, the score is skipped.
[[nodiscard]] bool has_inter_pod_affinity_score(const Question& question);

// O(nodes * counters that count something).
[[nodiscard]] ScoreColumn score_inter_pod_affinity(const Question& question, std::span<const NodeId> feasible);

}  // namespace berth::engine
