// Slices: the pods of a leaf, so many at a time in one domain.
//
// Of N pods there are floor(N / size) whole slices and at most one that is smaller. Whole slices count per domain: five
// pods in one domain are two slices of two and a part.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "engine/gang/workloads.h"
#include "engine/topology/domain_tree.h"
#include "engine/world/world.h"

namespace berth::engine {

// A slice that runs in part.
struct SliceGap {
  std::uint32_t domain = 0;  // of the slice level
  std::int32_t missing = 0;
};

// The gaps of a leaf that has slices, the fullest first: a last slice that is smaller from the start has lost nothing.
// `counts`: members that are taken to run, of those that have a place. O(members).
[[nodiscard]] std::vector<SliceGap> gaps_of_slices(const World& world, const Workload& workload, std::uint32_t leaf,
                                                   const DomainTree& tree, const std::function<bool(PodId)>& counts);

// How many members a satisfied leaf that has slices may grow by at once: one where a slice runs in part, else a slice,
// or what the maximums leave of one. 1 for a leaf without slices, 0: none.
[[nodiscard]] std::int32_t growth_in_slices(const World& world, const Workload& workload, std::uint32_t leaf,
                                            DomainTrees& trees);

// May the workload have so many more pods below the group, as far as maximums go?
[[nodiscard]] bool may_have_more(const Workload& workload, std::uint32_t group, std::int64_t pods);

}  // namespace berth::engine
