// PodTopologySpread, the score (ScheduleAnyway): nodes in domains with fewer matching pods are better. Each constraint
// adds count * log(domains + 2) + (max_skew - 1); the sum is rounded, and over the feasible nodes the smallest becomes
// 100. Nodes that lack a key score 0 (with the system's default constraints they only miss that constraint's part).
// Doubles in upstream's order of operations.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/fit/question.h"

namespace berth::engine {

struct ScoreColumn {
  std::vector<std::int64_t> raw;
  std::vector<std::int64_t> normalized;
};

// The plan has soft_spread. O(nodes * constraints).
[[nodiscard]] ScoreColumn score_topology_spread(const Question& question, std::span<const NodeId> feasible);

}  // namespace berth::engine
