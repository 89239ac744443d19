// InterPodAffinity, the filter: required affinity, required anti-affinity, and that of the pods already there.
#include <algorithm>
#include <set>
#include <utility>

#include "reference/filters.h"
#include "reference/selectors.h"

namespace berth::reference {
namespace {

using Pair = std::pair<std::string, std::string>;  // topology key and value

std::vector<api::PodAffinityTerm> required(const std::optional<api::PodAffinity>& affinity) {
  return affinity ? affinity->required : std::vector<api::PodAffinityTerm>{};
}

const std::string* value_of(const api::Node& node, const std::string& key) {
  const auto found = node.metadata.labels.find(key);
  return found == node.metadata.labels.end() ? nullptr : &found->second;
}

bool affinity_holds(const Question& question, const api::Node& node) {
  const auto terms = required(question.pod.spec.affinity.pod);
  const Objects& objects = *question.snapshot.objects;
  const auto all_select = [&](const api::Pod& other) {
    return std::ranges::all_of(
        terms, [&](const auto& term) { return term_of_waiting_selects(term, question.pod, other, objects); });
  };
  // Where a pod that meets every term at once runs, in the domains of each term.
  std::set<Pair> met;
  for (const NodeState& state : question.snapshot.nodes) {
    for (const PlacedPod& placed : state.pods) {
      if (!all_select(*placed.pod)) continue;
      for (const auto& term : terms) {
        if (const auto* value = value_of(*state.node, term.topology_key)) met.emplace(term.topology_key, *value);
      }
    }
  }
  bool here = true;
  for (const auto& term : terms) {
    const auto* value = value_of(node, term.topology_key);
    if (value == nullptr) return false;
    here = here && met.contains({term.topology_key, *value});
  }
  // The first of a group that wants to be together may start anywhere.
  return here || (met.empty() && all_select(question.pod));
}

bool own_anti_affinity_holds(const Question& question, const api::Node& node) {
  for (const auto& term : required(question.pod.spec.affinity.pod_anti)) {
    const auto* value = value_of(node, term.topology_key);
    if (value == nullptr) continue;
    for (const NodeState& state : question.snapshot.nodes) {
      const auto* other = value_of(*state.node, term.topology_key);
      if (other == nullptr || *other != *value) continue;
      for (const PlacedPod& placed : state.pods) {
        if (term_of_waiting_selects(term, question.pod, *placed.pod, *question.snapshot.objects)) return false;
      }
    }
  }
  return true;
}

bool others_anti_affinity_holds(const Question& question, const api::Node& node) {
  for (const NodeState& state : question.snapshot.nodes) {
    for (const PlacedPod& placed : state.pods) {
      for (const auto& term : required(placed.pod->spec.affinity.pod_anti)) {
        const auto* value = value_of(node, term.topology_key);
        const auto* other = value_of(*state.node, term.topology_key);
        if (value == nullptr || other == nullptr || *value != *other) continue;
        if (term_of_running_selects(term, *placed.pod, question.pod, *question.snapshot.objects)) return false;
      }
    }
  }
  return true;
}

}  // namespace

Verdict filter_inter_pod_affinity(const Question& question, std::size_t node) {
  const api::Node& candidate = *question.snapshot.nodes[node].node;
  if (!affinity_holds(question, candidate)) return {Cause::kPodAffinity, true};
  if (!own_anti_affinity_holds(question, candidate)) return {Cause::kPodAntiAffinity, false};
  if (!others_anti_affinity_holds(question, candidate)) return {Cause::kExistingAntiAffinity, false};
  return {};
}

}  // namespace berth::reference
