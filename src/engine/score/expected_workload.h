// What is expected to come to a cluster: what it has now.
//
// The pods with cards that run or wait, by what they ask for: CPU, cards or shares of cards, and the products of the
// nodes that they may go to (selectors, taints and sizes; not what runs there). A share by memory counts by the most
// that it takes of any of their cards; shares of several cards count as so many pods. Of rare shapes those are left
// out that together make a hundredth of the pods, and all but the 256 most frequent. Pods without cards are left out
// where they can go to nodes without; else they count by their CPU, but for no more pods than have cards, since what
// runs on every node does not keep coming.
//
// A function of the world, whatever the order in which it was told; names of nodes decide nothing.
#pragma once

#include <cstdint>

#include "engine/score/fragmentation.h"
#include "engine/world/world.h"

namespace berth::engine {

struct ExpectedWorkload {
  TargetWorkload shapes;
  std::int64_t pods = 0;  // with cards, from which it was learned
};

// O(shapes * nodes with cards); most shapes look at few of them.
[[nodiscard]] ExpectedWorkload expected_workload(const World& world);

}  // namespace berth::engine
