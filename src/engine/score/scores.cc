#include "engine/score/scores.h"

#include <algorithm>

#include "base/mutant.h"
#include "engine/score/balanced_allocation.h"
#include "engine/score/devices.h"
#include "engine/score/image_locality.h"
#include "engine/score/inter_pod_affinity.h"
#include "engine/score/node_affinity.h"
#include "engine/score/node_resources_fit.h"
#include "engine/score/policy_view.h"
#include "engine/score/taint_toleration.h"
#include "engine/score/volume_binding.h"

namespace berth::engine {
namespace {

// A column whose raw score needs the node alone; normalized starts as a copy.
template <class Raw>
ScoreColumn per_node(std::span<const NodeId> feasible, Raw raw) {
  ScoreColumn column;
  column.raw.reserve(feasible.size());
  for (const NodeId node : feasible) column.raw.push_back(raw(node));
  column.normalized = column.raw;
  return column;
}

template <class Normalize>
void normalize_by_largest(ScoreColumn& column, Normalize normalize) {
  if (column.raw.empty()) return;
  const std::int64_t largest = std::ranges::max(column.raw);
  for (std::size_t i = 0; i < column.raw.size(); ++i) column.normalized[i] = normalize(column.raw[i], largest);
}

}  // namespace

ScoreColumn score_column(Score score, const Question& question, std::span<const NodeId> feasible) {
  const World& world = question.world;
  const Shape& shape = question.shape;
  ScoreColumn column;
  switch (score) {
    case Score::kNodeResourcesFit: {
      const auto terms = fit_terms(shape);
      return per_node(feasible,
                      [&](NodeId node) { return score_node_resources_fit(*shape.profile, terms, world, node); });
    }
    case Score::kBalancedAllocation: {
      const auto terms = balanced_terms(shape);
      if (terms.empty()) break;
      return per_node(feasible, [&](NodeId node) { return score_balanced_allocation(terms, world, node); });
    }
    case Score::kNodeAffinity:
      column = per_node(feasible, [&](NodeId node) { return score_node_affinity(question, node); });
      normalize_by_largest(column, normalize_node_affinity);
      return column;
    case Score::kTaintToleration:
      column = per_node(feasible, [&](NodeId node) { return score_taint_toleration(question, node); });
      normalize_by_largest(column, normalize_taint_toleration);
      return column;
    case Score::kPodTopologySpread:
      if (question.plan.soft_spread.empty()) break;
      return score_topology_spread(question, feasible);
    case Score::kInterPodAffinity:
      return score_inter_pod_affinity(question, feasible);
    case Score::kImageLocality:
      return per_node(feasible, [&](NodeId node) { return score_image_locality(question, node); });
    case Score::kVolumeBinding:
      return per_node(feasible, [&](NodeId node) { return score_volume_binding(question, node); });
    case Score::kDynamicResources:
      if (shape.input.claims.empty()) break;
      column = per_node(feasible, [&](NodeId node) { return score_devices(question, node).rank; });
      normalize_by_largest(column, normalize_device_rank);
      return column;
    case Score::kPlacementPolicy: {
      const PlacementPolicy* policy = shape.profile->placement_policy;
      if (policy == nullptr) break;
      if (packs_devices_only(shape))
        return per_node(feasible, [&](NodeId node) { return score_devices(question, node).packing * policy->unit(); });
      const ShapeView view = view_of(shape);
      return per_node(feasible, [&](NodeId node) { return policy->score(view, view_of(world, shape, node)).value; });
    }
  }
  column.raw.assign(feasible.size(), 0);
  column.normalized.assign(feasible.size(), 0);
  return column;
}

std::int64_t unit_of(const Profile& profile) {
  return profile.placement_policy == nullptr ? 1 : profile.placement_policy->unit();
}

std::int64_t weight_of(const Shape& shape, const Profile::WeightedScore& entry) {
  const std::int64_t weight = entry.weight == 0 ? 1 : entry.weight;
  if (entry.score == Score::kPlacementPolicy) return weight;
  const PlacementPolicy* policy = shape.profile->placement_policy;
  const bool spreads_load = entry.score == Score::kNodeResourcesFit || entry.score == Score::kBalancedAllocation;
  if (policy != nullptr && policy->replaces_load_scores() && spreads_load && shape.kind != kNoCardKind &&
      !mutant("Rule.LoadScoresBesideRooms")) {
    return 0;
  }
  return weight * unit_of(*shape.profile);
}

}  // namespace berth::engine
