// Units of loss in the order of the nodes that cost least to make room on. The cheapest units of all may lie on many
// nodes and add up to more than one dear one that frees a node alone; reclaim.h takes the better of the two plans.
#pragma once

#include <compare>
#include <cstdint>
#include <functional>
#include <limits>
#include <vector>

#include "engine/cycle/eviction_order.h"
#include "engine/world/world.h"

namespace berth::engine {

// What a plan costs; smaller is better.
struct Loss {
  bool whole = false;  // more than surplus goes
  std::int32_t highest_priority = std::numeric_limits<std::int32_t>::min();
  Amount work = 0;
  std::size_t pods = 0;
  auto operator<=>(const Loss&) const = default;
  void add(const EvictionUnit& unit, std::size_t pods_gone);
};

// For each node on which a pod of the shape would fit if units went, cheapest first, those units; the nodes by what
// that costs together. `may_go`: asked of each unit once. Each unit is told once. O(nodes x units on them).
[[nodiscard]] std::vector<const EvictionUnit*> units_by_node(World& world, const EvictionOrder& order,
                                                             WorkloadId preemptor, ShapeId shape,
                                                             const std::function<bool(const EvictionUnit&)>& may_go);

}  // namespace berth::engine
