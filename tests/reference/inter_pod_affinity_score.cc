// InterPodAffinity, the score: preferred terms of the pod and of those who run, and their required affinity.
#include <algorithm>
#include <map>
#include <utility>

#include "reference/scores.h"
#include "reference/selectors.h"

namespace berth::reference {
namespace {

using Tally = std::map<std::pair<std::string, std::string>, std::int64_t>;  // topology key and value

const std::vector<api::WeightedPodAffinityTerm>& preferred(const std::optional<api::PodAffinity>& affinity) {
  static const std::vector<api::WeightedPodAffinityTerm> none;
  return affinity ? affinity->preferred : none;
}

void add(Tally& tally, const api::Node& node, const std::string& key, std::int64_t weight) {
  const auto found = node.metadata.labels.find(key);
  if (found != node.metadata.labels.end()) tally[{key, found->second}] += weight;
}

void add_terms_of_waiting(Tally& tally, const Question& question, const api::Node& node, const api::Pod& running) {
  const auto visit = [&](const std::optional<api::PodAffinity>& affinity, std::int64_t sign) {
    for (const auto& [weight, term] : preferred(affinity)) {
      if (term_of_waiting_selects(term, question.pod, running, *question.snapshot.objects)) {
        add(tally, node, term.topology_key, sign * weight);
      }
    }
  };
  visit(question.pod.spec.affinity.pod, 1);
  visit(question.pod.spec.affinity.pod_anti, -1);
}

void add_terms_of_running(Tally& tally, const Question& question, const api::Node& node, const api::Pod& running) {
  const auto visit = [&](const api::PodAffinityTerm& term, std::int64_t weight) {
    if (term_of_running_selects(term, running, question.pod, *question.snapshot.objects)) {
      add(tally, node, term.topology_key, weight);
    }
  };
  const std::int64_t hard = question.profile.inter_pod_affinity.hard_pod_affinity_weight;
  const auto& affinity = running.spec.affinity;
  if (hard > 0 && affinity.pod) {
    for (const auto& term : affinity.pod->required) visit(term, hard);
  }
  for (const auto& [weight, term] : preferred(affinity.pod)) visit(term, weight);
  for (const auto& [weight, term] : preferred(affinity.pod_anti)) visit(term, -weight);
}

}  // namespace

ScoreColumn score_inter_pod_affinity(const Question& question, const std::vector<std::size_t>& feasible) {
  const auto& own = question.pod.spec.affinity;
  const bool has_wishes = !preferred(own.pod).empty() || !preferred(own.pod_anti).empty();
  Tally tally;
  if (has_wishes || !question.profile.inter_pod_affinity.ignore_preferred_terms_of_existing_pods) {
    for (const NodeState& state : question.snapshot.nodes) {
      for (const PlacedPod& placed : state.pods) {
        add_terms_of_waiting(tally, question, *state.node, *placed.pod);
        add_terms_of_running(tally, question, *state.node, *placed.pod);
      }
    }
  }
  ScoreColumn column;
  column.skipped = tally.empty();
  for (const std::size_t node : feasible) {
    std::int64_t sum = 0;
    for (const auto& [pair, weight] : tally) {
      const auto found = question.snapshot.nodes[node].node->metadata.labels.find(pair.first);
      if (found != question.snapshot.nodes[node].node->metadata.labels.end() && found->second == pair.second) {
        sum += weight;
      }
    }
    column.raw.push_back(sum);
  }
  const auto [least, most] = std::ranges::minmax_element(column.raw);
  for (const std::int64_t raw : column.raw) {
    double score = 0;
    if (*most > *least) score = 100.0 * (static_cast<double>(raw - *least) / static_cast<double>(*most - *least));
    column.normalized.push_back(static_cast<std::int64_t>(score));
  }
  return column;
}

}  // namespace berth::reference
