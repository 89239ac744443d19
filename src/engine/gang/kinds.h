// Kinds: pods to be placed, counted by what decides where they fit. Pods that differ in a label only are of one kind.
//
// The bounds are over all kinds together: 41 pods that need a core and a card and 41 that need two cores and a card do
// not fit on 80 cards, though either half would.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/topology/room.h"
#include "engine/world/world.h"

namespace berth::engine {

struct Kind {
  ShapeId example;
  std::int64_t pods = 0;
};
using Kinds = std::vector<Kind>;

void add_pods(const World& world, Kinds& kinds, ShapeId shape, std::int64_t pods);

// By position in `nodes`: the most pods of these kinds in any mixture that the node could take. An upper bound: as if
// each pod asked of every resource only what the kind asks that asks for least; exact for one kind. O((kinds +
// resources) x nodes).
[[nodiscard]] std::vector<std::int64_t> most_per_node(const World& world, Rooms& rooms, const Kinds& kinds,
                                                      std::span<const NodeId> nodes);

// Could the nodes hold all of them, as far as sums go: each kind alone, their number, and the sum of each resource?
// False: surely not. O((kinds + resources) x nodes).
[[nodiscard]] bool sums_suffice(const World& world, Rooms& rooms, const Kinds& kinds, std::span<const NodeId> nodes);

// What the pod takes of a node's free amounts, as the fit of nodes counts it. Resources that do not count are left out.
[[nodiscard]] std::vector<ResourceAmount> counted_requests(const Shape& shape);

}  // namespace berth::engine
