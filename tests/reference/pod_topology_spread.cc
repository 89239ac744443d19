// PodTopologySpread, the filter: the fullest domain may exceed the emptiest one by maxSkew pods.
#include <algorithm>
#include <limits>
#include <map>

#include "reference/default_spread.h"
#include "reference/filters.h"
#include "reference/selectors.h"
#include "reference/spread.h"

namespace berth::reference {

std::int64_t matching_pods(const NodeState& state, const api::TopologySpreadConstraint& constraint,
                           const std::string& pod_namespace) {
  // A selector without any requirement is taken for one that was left out: it counts nobody who runs.
  if (!constraint.label_selector || is_empty(*constraint.label_selector)) return 0;
  return std::ranges::count_if(state.pods, [&](const PlacedPod& placed) {
    return placed.pod->metadata.namespace_ == pod_namespace && !placed.pod->metadata.deletion_timestamp &&
           selects(constraint.label_selector, placed.pod->metadata.labels);
  });
}

bool has_all_keys(const api::Node& node, const std::vector<api::TopologySpreadConstraint>& constraints) {
  return std::ranges::all_of(
      constraints, [&](const auto& constraint) { return node.metadata.labels.contains(constraint.topology_key); });
}

bool takes_part(const api::Node& node, const api::TopologySpreadConstraint& constraint, const api::Pod& pod) {
  if (constraint.node_affinity_policy == api::InclusionPolicy::kHonor && !required_affinity_matches(pod.spec, node)) {
    return false;
  }
  return constraint.node_taints_policy != api::InclusionPolicy::kHonor || untolerated_taint(pod.spec, node) == nullptr;
}

Verdict filter_pod_topology_spread(const Question& question, std::size_t node) {
  const api::Pod& pod = question.pod;
  const auto rules =
      spread_rules(*question.snapshot.objects, pod, question.profile, api::UnsatisfiableAction::kDoNotSchedule);
  const api::StringMap& labels = question.snapshot.nodes[node].node->metadata.labels;
  for (const auto& constraint : rules.constraints) {
    const auto own = labels.find(constraint.topology_key);
    if (own == labels.end()) return {Cause::kTopologySpread, true};
    std::map<std::string, std::int64_t> counts;
    for (const NodeState& state : question.snapshot.nodes) {
      if (!has_all_keys(*state.node, rules.constraints) || !takes_part(*state.node, constraint, pod)) continue;
      counts[state.node->metadata.labels.at(constraint.topology_key)] +=
          matching_pods(state, constraint, pod.metadata.namespace_);
    }
    std::int64_t least = std::numeric_limits<std::int32_t>::max();
    for (const auto& [value, count] : counts) least = std::min(least, count);
    if (static_cast<std::int64_t>(counts.size()) < constraint.min_domains.value_or(1)) least = 0;
    const std::int64_t self = selects(constraint.label_selector, pod.metadata.labels) ? 1 : 0;
    const auto here = counts.find(own->second);
    const std::int64_t count = here == counts.end() ? 0 : here->second;
    if (count + self - least > constraint.max_skew) return {Cause::kTopologySpread, false};
  }
  return {};
}

}  // namespace berth::reference
