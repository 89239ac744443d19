// Core: which pending pods would make a workload whole. A workload may have many cores (any 6 of 8 members, any 2 of 3
// sub-groups, members of different shapes); they are told one by one, the preferred first: members of higher priority
// before others, older before newer, groups in their order.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "engine/gang/workloads.h"
#include "engine/world/world.h"

namespace berth::engine {

// Pods of one leaf and one shape that are to be placed.
struct CorePart {
  std::uint32_t group = 0;
  ShapeId shape;
  std::vector<PodId> pods;
};
using Core = std::vector<CorePart>;

// The members of each group that want a node, in the order of World::wanting, by shape in the order of first members.
struct Wanting {
  struct OfShape {
    ShapeId shape;
    std::vector<PodId> pods;
  };
  std::vector<std::vector<OfShape>> by_group;               // as the workload's groups; empty for inner ones
  std::vector<std::vector<PodId>> in_order;                 // the same pods per leaf
  std::vector<std::vector<std::uint32_t>> shapes_in_order;  // of these, their places in by_group
  [[nodiscard]] std::int32_t count(std::uint32_t group) const {
    return static_cast<std::int32_t>(in_order[group].size());
  }
};
// O(members log(members)).
[[nodiscard]] Wanting wanting_of(const World& world, const Workload& workload);

enum class CoreSearch : std::uint8_t { kStopped, kExhausted, kLimit };

// Calls visit(core) for each core until it returns true, or `limit` were told. Each core is minimal: without any of its
// pods the workload would not be whole. Exhausted without a call: too few members. With `group`: what that group lacks
// to be satisfied.
CoreSearch for_each_core(const Workload& workload, const Wanting& wanting, std::size_t limit,
                         const std::function<bool(const Core&)>& visit, std::uint32_t group = 0);

// What a whole workload grows by where the leaf wants more: the widest group around it that lacks its minimums, which
// comes at once or not at all. kNoGroup: one member.
[[nodiscard]] std::uint32_t growth_of(const Workload& workload, std::uint32_t leaf);

// Calls visit(core) for `pods` members that a leaf may grow by, until it returns true: the first of them, then, where
// these are of several shapes, those of one shape. Without a call: there are not so many.
void for_each_growth(const Wanting& wanting, std::uint32_t leaf, std::int32_t pods,
                     const std::function<bool(const Core&)>& visit);

}  // namespace berth::engine
