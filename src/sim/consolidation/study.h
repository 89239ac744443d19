// The study of consolidation: how many whole nodes are opened by moves of running pods in small worlds, by doing
// nothing, by Berth's search (engine/cycle/consolidation.h) and by the exact search (exact.h), each with at most so
// many moves. A node is open if all its cards are free.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "sim/consolidation/exact.h"
#include "sim/consolidation/small_world.h"

namespace berth::sim::consolidation {

struct Study {
  WorldSize size;
  int worlds = 100;  // per seed
  std::vector<std::uint64_t> seeds;
  std::vector<int> most_moves = {1, 2, 3};
};

// Sums over the worlds of one seed.
struct Run {
  std::uint64_t seed = 0;
  int most_moves = 0;
  std::int64_t nodes = 0;
  std::int64_t free_before = 0;
  Opened berth;
  Opened exact;
  std::int64_t worlds_with_fewer = 0;  // in which Berth opened fewer nodes
  std::int64_t illegal = 0;  // moves that the books refuse, and nodes said to be free that are not: none, ever
};

// By Berth's search; `illegal` counts up.
[[nodiscard]] Opened open_by_berth(const SmallWorld& world, int most_moves, std::int64_t& illegal);

// Deterministic.
[[nodiscard]] Run run(const Study& study, std::uint64_t seed, int most_moves);
// By limit of moves, then by seed.
[[nodiscard]] std::vector<Run> run_all(const Study& study, const std::function<void(std::size_t)>& progress);

}  // namespace berth::sim::consolidation
