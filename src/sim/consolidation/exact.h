// The most nodes that so many moves can open in a small world, by looking at every state that moves lead to: those of
// one move, then those of two, and so on. Each pod moves once at most, and at its turn fits on its new node.
// tests/reference/moves, which tries every sequence, is the slow twin.
#pragma once

#include "sim/consolidation/small_world.h"

namespace berth::sim::consolidation {

struct Opened {
  std::int64_t nodes = 0;
  std::int64_t moves = 0;
};

// The fewest moves of those that open as many. O((pods x nodes)^moves) at worst.
[[nodiscard]] Opened open_exactly(const SmallWorld& world, int most_moves);

}  // namespace berth::sim::consolidation
