#include <numeric>

#include "reference/cards.h"
#include "reference/requests.h"
#include "reference/scores.h"

namespace berth::reference {
namespace {

bool counts_cards(std::string_view resource) { return resource.ends_with("/gpu") || resource == kCardResource; }

// Where cards are told apart, what they were given to. A pod that found no card to sit on, on a node that is
// overcommitted, uses none.
std::int64_t in_use(const NodeState& state, const std::string& resource, std::int64_t all) {
  if (resource != kCardResource) return state.used(resource);
  const std::vector<std::int64_t> free = free_cards(state);
  return all - std::accumulate(free.begin(), free.end(), std::int64_t{0});
}

// Percent of the node's cards in use with this pod, of the first kind it asks for by name; for a pod without cards
// whether the node has none.
std::int64_t packed(const NodeState& state, const api::Pod& pod) {
  for (const auto& [resource, amount] : held_requests(pod)) {
    if (!counts_cards(resource) || amount <= 0) continue;
    const std::int64_t all = allocatable(*state.node, resource);
    if (all <= 0) return 0;
    return (in_use(state, resource, all) + amount) * 100 / all;
  }
  for (const auto& [resource, amount] : state.node->allocatable) {
    if (counts_cards(resource) && !amount.is_zero()) return 0;
  }
  return 100;
}

}  // namespace

ScoreColumn score_card_packing(const Question& question, const std::vector<std::size_t>& feasible) {
  ScoreColumn column;
  for (const std::size_t node : feasible) {
    column.raw.push_back(packed(question.snapshot.nodes[node], question.pod));
  }
  column.normalized = column.raw;
  return column;
}

}  // namespace berth::reference
