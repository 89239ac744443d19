// Pieces: what a workload that is whole can lose and still be whole. First single pods that no group of it needs for
// its minimums; then groups that the whole can do without, each with all that it holds, because a part of such a group
// is of no use. The rest goes together.
#pragma once

#include <vector>

#include "engine/gang/core.h"
#include "engine/world/world.h"

namespace berth::engine {

struct Piece {
  std::vector<PodId> pods;
  std::uint32_t group = kNoGroup;  // everything that this group holds goes with it; none: the pod alone
};

struct Pieces {
  std::vector<Piece> surplus;  // all of them may go
  std::vector<PodId> rest;
};

// `members` hold places, who goes first first. A workload that is not whole, or may only go whole, has no pieces.
// O(members x depth x groups).
[[nodiscard]] Pieces pieces_of(const World& world, const Workload& workload, const std::vector<PodId>& members);

}  // namespace berth::engine
