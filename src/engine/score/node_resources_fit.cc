#include "engine/score/node_resources_fit.h"

#include <algorithm>
#include <cmath>

#include "base/mutant.h"

namespace berth::engine {

std::int64_t ratio_score(std::span<const Profile::ShapePoint> shape, std::int64_t utilization) {
  constexpr std::int64_t kScale = 10;  // points are given in 0..10
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (utilization > shape[i].utilization) continue;
    const std::int64_t high = shape[i].score * kScale;
    if (i == 0) return high;
    const std::int64_t low = shape[i - 1].score * kScale;
    return low +
           (high - low) * (utilization - shape[i - 1].utilization) / (shape[i].utilization - shape[i - 1].utilization);
  }
  return shape.empty() ? 0 : shape.back().score * kScale;
}

std::int64_t score_node_resources_fit(const Profile& profile, std::span<const ResourceTerm> terms, const World& world,
                                      NodeId node) {
  std::int64_t sum = 0;
  std::int64_t weights = 0;
  for (const ResourceTerm& term : terms) {
    const Amount allocatable = world.allocatable(node, term.resource);
    if (allocatable == 0) continue;
    const Amount requested = term.held(world, node) + term.request;
    std::int64_t score = 0;
    switch (profile.strategy) {
      case Profile::Strategy::kLeastAllocated:
        if (requested <= allocatable && !mutant("Score.LeastAllocated"))
          score = (allocatable - requested) * 100 / allocatable;
        break;
      case Profile::Strategy::kMostAllocated:
        if (!mutant("Score.MostAllocated")) score = std::min(requested, allocatable) * 100 / allocatable;
        break;
      case Profile::Strategy::kRequestedToCapacityRatio:
        if (mutant("Score.RequestedToCapacityRatio")) break;
        score = ratio_score(profile.ratio_shape, requested > allocatable ? 100 : requested * 100 / allocatable);
        if (score == 0 && !mutant("Rule.RatioSkipsZero"))
          continue;  // a resource that scores nothing does not weigh either
        break;
    }
    sum += score * term.weight;
    weights += term.weight;
  }
  if (weights == 0) return 0;
  if (profile.strategy == Profile::Strategy::kRequestedToCapacityRatio) {
    return static_cast<std::int64_t>(std::round(static_cast<double>(sum) / static_cast<double>(weights)));
  }
  return sum / weights;
}

}  // namespace berth::engine
