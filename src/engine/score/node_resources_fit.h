// NodeResourcesFit, the score: how full the node would be, 0 to 100, as the weighted mean over the profile's resources.
//   LeastAllocated            free share after placing the pod: spreads
//   MostAllocated             used share: packs
//   RequestedToCapacityRatio  the used share through a piecewise linear shape
// All in integers that truncate as upstream's do; RequestedToCapacityRatio rounds its mean half away from zero.
//
// Source: kube-scheduler's plugin NodeResourcesFit, its three scoring strategies. O(resources).
#pragma once

#include <cstdint>
#include <span>

#include "engine/config.h"
#include "engine/score/resource_terms.h"

namespace berth::engine {

[[nodiscard]] std::int64_t score_node_resources_fit(const Profile& profile, std::span<const ResourceTerm> terms,
                                                    const World& world, NodeId node);

// The shape function alone: utilization 0..100 to score 0..100.
[[nodiscard]] std::int64_t ratio_score(std::span<const Profile::ShapePoint> shape, std::int64_t utilization);

}  // namespace berth::engine
