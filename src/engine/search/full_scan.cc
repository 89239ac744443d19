#include "engine/search/full_scan.h"

#include <algorithm>
#include <utility>

#include "base/mutant.h"
#include "base/random.h"
#include "engine/fit/filters.h"
#include "engine/score/policy_view.h"
#include "engine/score/scores.h"
#include "engine/search/first_domain.h"

namespace berth::engine {

std::vector<NodeId> feasible_of(const Question& question, std::span<const NodeId> candidates) {
  std::vector<NodeId> result;
  for (const NodeId node : candidates) {
    if (check_all(question, node).fits()) result.push_back(node);
  }
  return result;
}

std::vector<std::int64_t> total_scores(const Question& question, std::span<const NodeId> feasible) {
  std::vector<std::int64_t> totals(feasible.size(), 0);
  for (const Profile::WeightedScore& entry : question.shape.profile->scores) {
    const ScoreColumn column = score_column(entry.score, question, feasible);
    for (std::size_t i = 0; i < totals.size(); ++i)
      totals[i] += weight_of(question.shape, entry) * column.normalized[i];
  }
  return totals;
}

bool draws_at_random(const Profile& profile) {
  return profile.placement_policy != nullptr && profile.placement_policy->random_choice() &&
         std::ranges::find(profile.scores, Score::kPlacementPolicy, &Profile::WeightedScore::score) !=
             profile.scores.end();
}

std::size_t random_position(std::uint64_t draw, std::size_t count) {
  return static_cast<std::size_t>(Random(draw).below(count));
}

std::int32_t policy_card(const World& world, const Shape& shape, NodeId node, std::uint64_t draw) {
  const PlacementPolicy* policy = shape.profile->placement_policy;
  const bool asked = std::ranges::find(shape.profile->scores, Score::kPlacementPolicy,
                                       &Profile::WeightedScore::score) != shape.profile->scores.end();
  if (policy == nullptr || shape.kind != 0 || !asked) return -1;
  if (policy->random_choice()) {
    const CardRequest& request = *shape.input.packed_cards();
    std::vector<std::int32_t> sufficient;
    const std::vector<std::int32_t>& free = world.card_group(node, request.resource)->free;
    for (std::size_t card = 0; card < free.size(); ++card) {
      if (free[card] >= request.milli) sufficient.push_back(static_cast<std::int32_t>(card));
    }
    // Mixed once more, so that the card does not depend on the node that the same draw chose.
    return sufficient.empty() ? -1 : sufficient[random_position(split_mix(draw), sufficient.size())];
  }
  return policy->score(view_of(shape), view_of(world, shape, node)).card;
}

std::size_t random_tie(std::span<const std::int64_t> totals, std::uint64_t draw) {
  const std::int64_t highest = std::ranges::max(totals);
  std::size_t skip = random_position(draw, static_cast<std::size_t>(std::ranges::count(totals, highest)));
  std::size_t position = 0;
  while (totals[position] != highest || skip-- > 0) ++position;
  return position;
}

Choice full_scan(const Question& question, std::span<const NodeId> candidates, NodeId promised, std::uint64_t draw) {
  std::vector<NodeId> feasible = feasible_of(question, candidates);
  if (feasible.empty()) return {};
  auto kept = mutant("Rule.PromisedNodeFirst") ? feasible.end() : std::ranges::find(feasible, promised);
  if (kept == feasible.end()) {
    feasible = in_first_domains(question, std::move(feasible));
    kept = feasible.end();
  }
  const std::vector<std::int64_t> totals = total_scores(question, feasible);
  auto best = static_cast<std::size_t>(std::ranges::max_element(totals) - totals.begin());
  if (kept != feasible.end()) {
    best = static_cast<std::size_t>(kept - feasible.begin());
  } else if (draws_at_random(*question.shape.profile)) {
    best = random_position(draw, feasible.size());
  } else if (question.world.config().random_ties) {
    best = random_tie(totals, draw);
  }
  const NodeId node = feasible[best];
  return {node, totals[best], policy_card(question.world, question.shape, node, draw)};
}

}  // namespace berth::engine
