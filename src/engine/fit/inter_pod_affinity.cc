#include "engine/fit/inter_pod_affinity.h"

#include "base/mutant.h"

namespace berth::engine {
namespace {

bool affinity_holds(const Question& question, NodeId node) {
  const Topology& topology = question.world.topology();
  const TopologyPlan& plan = question.plan;
  const bool first = question.emptied || !topology.affinity_found(plan);
  for (const CounterId id : plan.affinity) {
    const Counter& counter = topology.counter(id);
    const std::uint32_t domain = counter.table().domain(node);
    if (domain == DomainTable::kNone) return false;
    if (first && !mutant("Rule.AffinityFirstPod") ? !plan.matches_itself : counter.count_in(domain) == 0) return false;
  }
  return true;
}

}  // namespace

Verdict check_inter_pod_affinity(const Question& question, NodeId node) {
  if (!affinity_holds(question, node)) return {NodeCause::kPodAffinity, false};
  if (question.emptied) return kPass;
  const Topology& topology = question.world.topology();
  for (const CounterId id : question.plan.anti_affinity) {
    if (topology.counter(id).count(node) > 0 && !mutant("Rule.AntiAffinityOfThePod")) {
      return {NodeCause::kPodAntiAffinity, true};
    }
  }
  for (const CounterId id : question.plan.existing_anti_affinity) {
    if (topology.counter(id).count(node) > 0 && !mutant("Rule.AntiAffinityOfOthers")) {
      return {NodeCause::kExistingAntiAffinity, true};
    }
  }
  return kPass;
}

}  // namespace berth::engine
