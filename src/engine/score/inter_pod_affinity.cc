#include "engine/score/inter_pod_affinity.h"

#include <algorithm>

#include "base/mutant.h"

namespace berth::engine {

std::vector<TopologyPlan::Weighted> live_affinity_counters(const Question& question) {
  const TopologyPlan& plan = question.plan;
  const Profile& profile = *question.shape.profile;
  const Topology& topology = question.world.topology();
  std::vector<TopologyPlan::Weighted> result;
  const auto add = [&](CounterId counter, std::int64_t weight) {
    if (topology.counter(counter).total() != 0) result.push_back({counter, weight});
  };
  // A pod without preferences may be told not to look at those of others; that leaves out the hard weight as well.
  if (profile.ignore_preferred_terms_of_existing_pods && plan.preferred.empty() &&
      !mutant("Rule.IgnorePreferredOfExisting"))
    return result;
  for (const auto& own : plan.preferred) add(own.counter, own.weight);
  if (!mutant("Rule.PreferredTermsOfOthers"))
    for (const auto& other : plan.existing_preferred) add(other.counter, other.weight);
  if (profile.hard_pod_affinity_weight > 0 && !mutant("Rule.HardAffinityWeight")) {
    for (const CounterId counter : plan.existing_hard) add(counter, profile.hard_pod_affinity_weight);
  }
  return result;
}

bool has_inter_pod_affinity_score(const Question& question) {
  const TopologyPlan& plan = question.plan;
  if (plan.preferred.empty() && plan.existing_preferred.empty() && plan.existing_hard.empty()) return false;
  return !live_affinity_counters(question).empty();
}

ScoreColumn score_inter_pod_affinity(const Question& question, std::span<const NodeId> feasible) {
  const Topology& topology = question.world.topology();
  ScoreColumn column;
  column.raw.assign(feasible.size(), 0);
  column.normalized.assign(feasible.size(), 0);
  for (const auto& [id, weight] : live_affinity_counters(question)) {
    const Counter& counter = topology.counter(id);
    for (std::size_t i = 0; i < feasible.size(); ++i) column.raw[i] += weight * counter.count(feasible[i]);
  }
  if (feasible.empty()) return column;
  const auto [least, most] = std::ranges::minmax(column.raw);
  for (std::size_t i = 0; i < feasible.size(); ++i) {
    column.normalized[i] = normalize_inter_pod_affinity(column.raw[i], least, most);
  }
  return column;
}

}  // namespace berth::engine
