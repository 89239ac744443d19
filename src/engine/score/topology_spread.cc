#include "engine/score/topology_spread.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/mutant.h"

namespace berth::engine {
namespace {

using Rule = TopologyPlan::SoftSpread;

// Per constraint log(number of domains + 2), the domains being those of the feasible nodes.
std::vector<double> topology_weights(const Question& question, std::span<const NodeId> feasible,
                                     const std::vector<std::uint8_t>& ignored) {
  const Topology& topology = question.world.topology();
  const auto counted = static_cast<std::size_t>(std::ranges::count(ignored, std::uint8_t{0}));
  std::vector<double> weights;
  for (const Rule& rule : question.plan.soft_spread) {
    std::size_t size = counted;
    if (!rule.hostname) {
      const DomainTable& table = topology.table(rule.table);
      std::vector<std::uint8_t> seen(table.domains.size() + 1, 0);  // the last is the missing label's
      for (std::size_t i = 0; i < feasible.size(); ++i) {
        if (ignored[i] != 0) continue;
        const std::uint32_t domain = table.domain(feasible[i]);
        seen[domain == DomainTable::kNone ? table.domains.size() : domain] = 1;
      }
      size = static_cast<std::size_t>(std::ranges::count(seen, std::uint8_t{1}));
    }
    weights.push_back(spread_weight(size));
  }
  return weights;
}

}  // namespace

double spread_weight(std::size_t domains) { return std::log(static_cast<double>(domains + 2)); }

bool lacks_a_spread_key(const Question& question, NodeId node) {
  if (!question.plan.soft_needs_all_keys || mutant("Rule.SpreadNeedsAllKeys")) return false;
  return std::ranges::any_of(question.plan.soft_spread, [&](const Rule& rule) {
    return question.world.topology().table(rule.table).domain(node) == DomainTable::kNone;
  });
}

std::int64_t raw_spread(const Question& question, NodeId node, std::span<const double> weights) {
  const Topology& topology = question.world.topology();
  double score = 0;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const Rule& rule = question.plan.soft_spread[i];
    if (topology.table(rule.table).domain(node) == DomainTable::kNone) continue;
    const double count = topology.counter(rule.counter).count(node);
    score += count * weights[i] + static_cast<double>(rule.max_skew - 1);
  }
  return static_cast<std::int64_t>(std::round(score));
}

ScoreColumn score_topology_spread(const Question& question, std::span<const NodeId> feasible) {
  std::vector<std::uint8_t> ignored(feasible.size());
  for (std::size_t i = 0; i < feasible.size(); ++i) ignored[i] = lacks_a_spread_key(question, feasible[i]) ? 1 : 0;
  const std::vector<double> weights = topology_weights(question, feasible, ignored);

  ScoreColumn column;
  column.raw.assign(feasible.size(), 0);
  column.normalized.assign(feasible.size(), 0);
  SpreadRange range;
  for (std::size_t i = 0; i < feasible.size(); ++i) {
    if (ignored[i] != 0) continue;
    column.raw[i] = raw_spread(question, feasible[i], weights);
    range.include(column.raw[i]);
  }
  for (std::size_t i = 0; i < feasible.size(); ++i) {
    if (ignored[i] == 0) column.normalized[i] = range.normalized(column.raw[i]);
  }
  return column;
}

}  // namespace berth::engine
