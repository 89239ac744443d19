// The MIG packing study: claims for partitions arrive at one node, stay for a while and leave; what does not fit when
// it arrives is dropped. Three ways to choose the partition see the same arrivals:
// - first fit: the first free one in the order of names, which is what upstream's allocator does (strict mode);
// - best fit: on the card with the least free memory slices that can take it, the first start;
// - best: the engine's best mode.
// Measured is the share of claims, and of the memory slices asked for, that were accepted.
//
// A second part compares with the exact optimum on small worlds: all claims are there at once and none leaves, so that
// the best that could be done is computable (optimum.h).
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "sim/mig/card.h"
#include "sim/mig/node.h"
#include "sim/mig/optimum.h"

namespace berth::sim::mig {

enum class Policy : std::uint8_t { kFirstFit, kBestFit, kBest };
inline constexpr std::array kPolicies = {Policy::kFirstFit, Policy::kBestFit, Policy::kBest};
[[nodiscard]] std::string_view name_of(Policy policy);

struct Load {
  Card card = Card::kA100;
  int cards = 8;
  int arrivals = 4000;
  int percent = 150;  // memory slices asked for at a time, in percent of those there are
  // How often each profile is asked for, relative to each other; by profiles().
  std::array<int, kProfiles> mix = {30, 10, 25, 20, 10, 5};
};

struct Accepted {
  std::int64_t claims = 0;
  std::int64_t slices = 0;
};

struct Run {
  std::uint64_t seed = 0;
  Accepted asked;  // after the node has filled up
  std::array<Accepted, kPolicies.size()> accepted{};
};
// One seed, all policies. Deterministic.
[[nodiscard]] Run run(const Load& load, std::uint64_t seed);

// A node whose cards have some partitions in use, and claims in the order in which they were drawn.
struct BatchWorld {
  Batch batch;
  std::vector<Partition> before;
  std::vector<std::size_t> claims;  // profiles
};
[[nodiscard]] BatchWorld batch_world(Card card, int cards, int claims, std::uint64_t seed);

struct SmallWorld {
  std::int64_t optimum = 0;                         // the most memory slices
  std::array<Accepted, kPolicies.size()> online{};  // claims in the order in which they were drawn
  std::array<Accepted, kPolicies.size()> batch{};   // the largest first
};
[[nodiscard]] SmallWorld play(const BatchWorld& world);

}  // namespace berth::sim::mig
