// The full scan: every node asked by every filter, every feasible node scored by every score. It is the definition of
// what a search answers; the index (index.h) must give the same answer faster. Also used where there is nothing to gain
// from an index: shapes that can go to a few named nodes only.
//
// Cost: O(nodes * (filters + scores)).
#pragma once

#include <span>
#include <vector>

#include "engine/fit/question.h"
#include "engine/search/choice.h"

namespace berth::engine {

// Of `candidates`, those that pass all filters, in the same order.
[[nodiscard]] std::vector<NodeId> feasible_of(const Question& question, std::span<const NodeId> candidates);

// The weighted sum of all scores per feasible node.
[[nodiscard]] std::vector<std::int64_t> total_scores(const Question& question, std::span<const NodeId> feasible);

// The best of `candidates`, which are in ascending rank: `promised` if it is feasible, else the highest total, then the
// lowest rank. `draw` decides instead of the rank where the configuration has random ties, and instead of the score for
// policies that draw a node at random.
[[nodiscard]] Choice full_scan(const Question& question, std::span<const NodeId> candidates, NodeId promised,
                               std::uint64_t draw);

// A number below `count` that depends on the draw alone.
[[nodiscard]] std::size_t random_position(std::uint64_t draw, std::size_t count);

// The position of one of the highest totals, drawn.
[[nodiscard]] std::size_t random_tie(std::span<const std::int64_t> totals, std::uint64_t draw);

// Does the profile place pods by such a policy?
[[nodiscard]] bool draws_at_random(const Profile& profile);

// The card that the profile's policy wants on this node, or -1; drawn from the sufficient ones where the policy draws.
[[nodiscard]] std::int32_t policy_card(const World& world, const Shape& shape, NodeId node, std::uint64_t draw);

}  // namespace berth::engine
