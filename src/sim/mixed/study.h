// The study of mixed nodes: pods that want partitions, shares, whole cards or several of them arrive one by one at a
// cluster of A100 and H100 nodes, stay for a while and leave; who does not fit on arrival is dropped. The ways of
// choosing (choosers.h) see the same arrivals.
//
// Measured once the cluster has filled up: how many of the pods, and how much of the GPU that they ask for, is
// accepted; how much GPU is free and of no use to the next pod (Cards::useless); how many cards are whole.
//
// A second part compares with the exact optimum (optimum.h) on two nodes: so many pods arrive and none leaves.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <vector>

#include "sim/mixed/choosers.h"

namespace berth::sim::mixed {

struct Load {
  Layout layout;
  int arrivals = 2000;
  int percent = 100;  // GPU asked for at a time, in percent of the cards
};

struct Count {
  std::int64_t pods = 0;
  std::int64_t size = 0;  // thousandths of a card
};

struct Run {
  std::array<Count, kKinds.size()> asked{};  // once the cluster has filled up
  std::array<Count, kKinds.size()> accepted{};
  // Sums over the moments of arrival since then.
  std::int64_t moments = 0;
  std::int64_t free = 0;     // thousandths of a card
  std::int64_t useless = 0;  // the same, times total_often()
  std::int64_t whole = 0;    // cards
  // All of it, for the books: who came in, who left again, who is there at the end.
  std::int64_t placed = 0;
  std::int64_t left = 0;
  std::int64_t held = 0;
  std::int64_t overdrawn = 0;  // placements that the cards had no room for: none, ever
};
// Deterministic.
[[nodiscard]] Run run(const Load& load, Policy policy, std::uint64_t seed);

// Two nodes, one of each product.
struct SmallWorlds {
  int worlds = 100;
  int per_node = 2;
  int pods = 14;
};

struct SmallWorld {
  std::int64_t asked = 0;
  std::int64_t optimum = 0;
  std::array<std::int64_t, kPolicies.size()> in_order{};       // as they were drawn
  std::array<std::int64_t, kPolicies.size()> largest_first{};  // thousandths of a card
};
[[nodiscard]] SmallWorld play(const SmallWorlds& small, std::uint64_t seed);

struct Study {
  Load load;  // with percent from `percents`
  std::vector<int> percents = {90, 120};
  int seeds = 10;
  SmallWorlds small;
};

struct Results {
  std::vector<std::array<std::vector<Run>, kPolicies.size()>> runs;  // by percent, policy, seed
  std::vector<SmallWorld> small;
};

// Seeds from 1 on. The same for any number of threads. `progress` gets the number of parts done, of parts(study).
[[nodiscard]] Results run_all(const Study& study, unsigned threads, const std::function<void(std::size_t)>& progress);
[[nodiscard]] std::size_t parts(const Study& study);

}  // namespace berth::sim::mixed
