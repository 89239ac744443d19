// InterPodAffinity, the score: the sum of weights of preferred terms that find a pod in the node's domain. Counted are
// the pod's own preferred terms, the preferred terms of running pods that match this pod, and, with the profile's
// hardPodAffinityWeight, their required affinity terms. Over the feasible nodes the range becomes 0..100.
//
// Source: core/v1 WeightedPodAffinityTerm; kube-scheduler's plugin InterPodAffinity.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/fit/question.h"
#include "engine/score/topology_spread.h"

namespace berth::engine {

// Could any node get another score than any other? If not, the score is skipped.
[[nodiscard]] bool has_inter_pod_affinity_score(const Question& question);

// The counters that count anything now, with their weights.
[[nodiscard]] std::vector<TopologyPlan::Weighted> live_affinity_counters(const Question& question);

[[nodiscard]] constexpr std::int64_t normalize_inter_pod_affinity(std::int64_t raw, std::int64_t least,
                                                                  std::int64_t most) {
  if (most == least) return 0;
  return static_cast<std::int64_t>(100.0 * (static_cast<double>(raw - least) / static_cast<double>(most - least)));
}

// O(nodes * counters that count something).
[[nodiscard]] ScoreColumn score_inter_pod_affinity(const Question& question, std::span<const NodeId> feasible);

}  // namespace berth::engine
