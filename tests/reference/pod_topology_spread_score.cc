// PodTopologySpread, the score: fewer matching pods in the node's domains is better, small topologies weigh less.
#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "reference/default_spread.h"
#include "reference/scores.h"
#include "reference/spread.h"

namespace berth::reference {
namespace {

constexpr std::string_view kHostname = "kubernetes.io/hostname";

std::string value_or_empty(const api::Node& node, const std::string& key) {
  const auto found = node.metadata.labels.find(key);
  return found == node.metadata.labels.end() ? "" : found->second;
}

struct Topology {
  double weight = 0;
  std::set<std::string> values;  // among the feasible nodes that are not ignored; unused for the host name
};

class SpreadScore {
 public:
  SpreadScore(const Question& question, const SpreadRules& rules, const std::vector<std::size_t>& feasible)
      : question_(question), rules_(rules) {
    std::size_t considered = 0;
    topologies_.resize(rules.constraints.size());
    for (const std::size_t node : feasible) {
      if (is_ignored(node)) continue;
      ++considered;
      for (std::size_t i = 0; i < topologies_.size(); ++i) {
        topologies_[i].values.insert(value_or_empty(node_at(node), rules.constraints[i].topology_key));
      }
    }
    for (std::size_t i = 0; i < topologies_.size(); ++i) {
      const bool by_host = rules.constraints[i].topology_key == kHostname;
      const std::size_t size = by_host ? considered : topologies_[i].values.size();
      topologies_[i].weight = std::log(static_cast<double>(size + 2));
    }
  }

  [[nodiscard]] bool is_ignored(std::size_t node) const {
    return rules_.require_all_keys && !has_all_keys(node_at(node), rules_.constraints);
  }

  [[nodiscard]] std::int64_t raw(std::size_t node) const {
    if (is_ignored(node)) return 0;
    double sum = 0;
    for (std::size_t i = 0; i < topologies_.size(); ++i) {
      const auto& constraint = rules_.constraints[i];
      if (!node_at(node).metadata.labels.contains(constraint.topology_key)) continue;
      sum += static_cast<double>(count(node, constraint)) * topologies_[i].weight +
             static_cast<double>(constraint.max_skew - 1);
    }
    return static_cast<std::int64_t>(std::round(sum));
  }

 private:
  [[nodiscard]] const api::Node& node_at(std::size_t node) const { return *question_.snapshot.nodes[node].node; }

  [[nodiscard]] std::int64_t count(std::size_t node, const api::TopologySpreadConstraint& constraint) const {
    const std::string& space = question_.pod.metadata.namespace_;
    if (constraint.topology_key == kHostname) return matching_pods(question_.snapshot.nodes[node], constraint, space);
    std::int64_t sum = 0;
    for (std::size_t other = 0; other < question_.snapshot.nodes.size(); ++other) {
      if (is_ignored(other) || !takes_part(node_at(other), constraint, question_.pod)) continue;
      if (value_or_empty(node_at(other), constraint.topology_key) !=
          value_or_empty(node_at(node), constraint.topology_key)) {
        continue;
      }
      sum += matching_pods(question_.snapshot.nodes[other], constraint, space);
    }
    return sum;
  }

  const Question& question_;
  const SpreadRules& rules_;
  std::vector<Topology> topologies_;
};

}  // namespace

ScoreColumn score_pod_topology_spread(const Question& question, const std::vector<std::size_t>& feasible) {
  const SpreadRules rules = spread_rules(*question.snapshot.objects, question.pod, question.profile,
                                         api::UnsatisfiableAction::kScheduleAnyway);
  const SpreadScore score(question, rules, feasible);
  ScoreColumn column;
  column.skipped = rules.constraints.empty();
  std::int64_t least = std::numeric_limits<std::int64_t>::max();
  std::int64_t most = 0;
  for (const std::size_t node : feasible) {
    column.raw.push_back(score.raw(node));
    if (score.is_ignored(node)) continue;
    least = std::min(least, column.raw.back());
    most = std::max(most, column.raw.back());
  }
  for (std::size_t i = 0; i < feasible.size(); ++i) {
    if (score.is_ignored(feasible[i])) {
      column.normalized.push_back(0);
    } else {
      column.normalized.push_back(most == 0 ? 100 : 100 * (most + least - column.raw[i]) / most);
    }
  }
  return column;
}

}  // namespace berth::reference
