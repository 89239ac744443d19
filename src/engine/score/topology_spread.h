// PodTopologySpread, the score (ScheduleAnyway): nodes in domains with fewer matching pods are better. Each constraint
// adds count * log(domains + 2) + (max_skew - 1); the sum is rounded, and over the feasible nodes the smallest becomes
// 100. Nodes that lack a key score 0 (with the system's default constraints they only miss that constraint's part).
// Doubles in upstream's order of operations.
//
// Source: kube-scheduler's plugin PodTopologySpread. O(nodes * constraints) for all feasible nodes.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "engine/fit/question.h"

namespace berth::engine {

struct ScoreColumn {
  std::vector<std::int64_t> raw;
  std::vector<std::int64_t> normalized;
};

// The weight of a rule that has so many domains among the feasible nodes.
[[nodiscard]] double spread_weight(std::size_t domains);

// Does the node lack a key that it needs to take part?
[[nodiscard]] bool lacks_a_spread_key(const Question& question, NodeId node);

// The raw score of a node that takes part; `weights` by rule.
[[nodiscard]] std::int64_t raw_spread(const Question& question, NodeId node, std::span<const double> weights);

// The raw scores of the nodes that take part, to normalise them over.
class SpreadRange {
 public:
  void include(std::int64_t raw) {
    least_ = std::min(least_, raw);
    most_ = std::max(most_, raw);
  }
  [[nodiscard]] std::int64_t normalized(std::int64_t raw) const {
    return most_ == 0 ? 100 : 100 * (most_ + least_ - raw) / most_;
  }

 private:
  std::int64_t least_ = std::numeric_limits<std::int64_t>::max();
  std::int64_t most_ = 0;
};

// The plan has soft_spread. O(nodes * constraints).
[[nodiscard]] ScoreColumn score_topology_spread(const Question& question, std::span<const NodeId> feasible);

}  // namespace berth::engine
