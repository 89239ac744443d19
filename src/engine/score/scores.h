// The scores as a table: one entry per Score, computed over the feasible nodes as raw and normalised columns.
//
// To add a score: an enumerator of Score (config.h), a file here, a line in score_column() and, if it depends on more
// than (shape, node), in the search. A skipped score counts 0 on every node.
//
// Cost of a column: nodes times the score's own cost, named in its header.
#pragma once

#include <span>

#include "engine/config.h"
#include "engine/fit/question.h"
#include "engine/score/topology_spread.h"

namespace berth::engine {

[[nodiscard]] ScoreColumn score_column(Score score, const Question& question, std::span<const NodeId> feasible);

// How much of a placement policy's value is a point of the other scores; 1 without a policy.
[[nodiscard]] std::int64_t unit_of(const Profile& profile);

// The weight with which a score counts for pods of this shape: in units of the profile's placement policy, 0 if that
// stands for it. Upstream takes a weight of 0 for 1.
[[nodiscard]] std::int64_t weight_of(const Shape& shape, const Profile::WeightedScore& entry);

}  // namespace berth::engine
