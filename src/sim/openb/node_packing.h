// The most valuable set of pods that one empty node can hold, for given values of the pods.
//
// A relaxation, so that it never says too little: memory is left out, CPU is counted in halves of a core with requests
// rounded down and nodes rounded up, and pods without GPU do not exist. Shares are packed card by card, whole cards
// beside them. By dynamic programming: cards first, then several cards, then whole cards; O(pods * cells) where a card
// has 100 * halves of a core cells.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace berth::sim::openb {

struct PackedPod {
  std::int64_t cpu_milli = 0;
  std::int32_t cards = 0;  // at least 1
  std::int32_t milli = 0;  // per card
};

struct Packing {
  std::int64_t value = 0;
  std::vector<std::int32_t> counts;  // by pod
};

// `values` by pod; a pod of value 0 or less is not used. `cards` of 1000 milli.
[[nodiscard]] Packing best_packing(std::int64_t cpu_milli, std::int32_t cards, std::span<const PackedPod> pods,
                                   std::span<const std::int64_t> values);

}  // namespace berth::sim::openb
