// NodeAffinity: nodeSelector, required and preferred node affinity, and what the profile adds to every pod.
#include "reference/filters.h"
#include "reference/scores.h"
#include "reference/selectors.h"

namespace berth::reference {

Verdict filter_node_affinity(const Question& question, std::size_t node) {
  const api::Node& candidate = *question.snapshot.nodes[node].node;
  const auto& added = question.profile.added_affinity;
  if (added && added->required && !selector_matches(*added->required, candidate)) return {Cause::kNodeAffinity, true};
  if (!required_affinity_matches(question.pod.spec, candidate)) return {Cause::kNodeAffinity, true};
  return {};
}

ScoreColumn score_node_affinity(const Question& question, const std::vector<std::size_t>& feasible) {
  std::vector<api::PreferredSchedulingTerm> terms;
  if (question.pod.spec.affinity.node) terms = question.pod.spec.affinity.node->preferred;
  if (question.profile.added_affinity) {
    const auto& added = question.profile.added_affinity->preferred;
    terms.insert(terms.end(), added.begin(), added.end());
  }
  ScoreColumn column;
  column.skipped = terms.empty();
  for (const std::size_t node : feasible) {
    std::int64_t sum = 0;
    for (const auto& term : terms) {
      if (term_matches(term.preference, *question.snapshot.nodes[node].node)) sum += term.weight;
    }
    column.raw.push_back(sum);
  }
  const std::int64_t most = largest(column.raw);
  for (const std::int64_t raw : column.raw) column.normalized.push_back(most == 0 ? raw : 100 * raw / most);
  return column;
}

}  // namespace berth::reference
