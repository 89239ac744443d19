#include "engine/fit/topology_spread.h"

#include "base/mutant.h"

namespace berth::engine {

Verdict check_topology_spread(const Question& question, NodeId node) {
  const Topology& topology = question.world.topology();
  for (const TopologyPlan::HardSpread& rule : question.plan.hard_spread) {
    const Counter& counter = topology.counter(rule.counter);
    const std::uint32_t domain = counter.table().domain(node);
    if (domain == DomainTable::kNone && mutant("Rule.NodeWithoutKey")) continue;
    if (domain == DomainTable::kNone) return {NodeCause::kTopologySpread, false};
    if (question.emptied) continue;  // counts of zero are never skewed
    const std::int64_t after =
        counter.count_in(domain) + (rule.self && !mutant("Rule.SpreadCountsThePodItself") ? 1 : 0);
    if (after - counter.minimum(mutant("Rule.SpreadMinDomains") ? 1 : rule.min_domains) > rule.max_skew)
      return {NodeCause::kTopologySpread, true};
  }
  return kPass;
}

}  // namespace berth::engine
