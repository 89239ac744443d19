// Scores: how much a node is liked, raw and normalised to 0..100, over the nodes that passed all filters.
// Formulas: kube-scheduler 1.37, in its order of operations where it uses floating point.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "reference/filters.h"

namespace berth::reference {

struct ScoreColumn {
  bool skipped = false;  // the plugin has nothing to say about this pod and stays out of the total
  std::vector<std::int64_t> raw;
  std::vector<std::int64_t> normalized;
};

[[nodiscard]] ScoreColumn score_taint_toleration(const Question& question, const std::vector<std::size_t>& feasible);
[[nodiscard]] ScoreColumn score_node_affinity(const Question& question, const std::vector<std::size_t>& feasible);
[[nodiscard]] ScoreColumn score_node_resources_fit(const Question& question, const std::vector<std::size_t>& feasible);
[[nodiscard]] ScoreColumn score_balanced_allocation(const Question& question, const std::vector<std::size_t>& feasible);
[[nodiscard]] ScoreColumn score_image_locality(const Question& question, const std::vector<std::size_t>& feasible);
[[nodiscard]] ScoreColumn score_pod_topology_spread(const Question& question, const std::vector<std::size_t>& feasible);
[[nodiscard]] ScoreColumn score_inter_pod_affinity(const Question& question, const std::vector<std::size_t>& feasible);

// Berth's own, which keeps whole nodes of cards free.
[[nodiscard]] ScoreColumn score_card_packing(const Question& question, const std::vector<std::size_t>& feasible);

[[nodiscard]] ScoreColumn score_volume_binding(const Question& question, const std::vector<std::size_t>& feasible);

[[nodiscard]] ScoreColumn score(const Question& question, const std::vector<std::size_t>& feasible, api::Plugin plugin);

struct ScoreTable {
  std::vector<std::size_t> nodes;    // feasible ones, ascending
  std::vector<ScoreColumn> columns;  // one per score of the profile, in order
  std::vector<std::int64_t> total;   // sum of weight times normalised score
};
[[nodiscard]] ScoreTable score_table(const Question& question);

// The score 0..100 that a shape of points 0..10 gives to a utilization in percent.
[[nodiscard]] std::int64_t along_shape(const std::vector<api::UtilizationShapePoint>& shape, std::int64_t utilization);

// 0 if there is none.
[[nodiscard]] std::int64_t largest(const std::vector<std::int64_t>& values);

}  // namespace berth::reference
