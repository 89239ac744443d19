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

// The weight with which a score counts; upstream takes 0 for 1.
[[nodiscard]] constexpr std::int64_t weight_of(const Profile::WeightedScore& entry) {
  return entry.weight == 0 ? 1 : entry.weight;
}

}  // namespace berth::engine
