// Shows a PlacementPolicy one shape and one node of the world.
#pragma once

#include "engine/score/placement_policy.h"
#include "engine/world/world.h"

namespace berth::engine {

// The spans point into the shape.
[[nodiscard]] ShapeView view_of(const Shape& shape);

// The cards shown are those of the resource the shape asks for, else the node's largest group, the
// first by name among several. The spans point into the world.
[[nodiscard]] NodeView view_of(const World& world, const Shape& shape, NodeId node);

// The same for no shape: the cards are those of the node's largest group.
[[nodiscard]] NodeView view_of(const World& world, NodeId node);

}  // namespace berth::engine
