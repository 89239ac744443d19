// The most memory slices that a batch of claims for partitions can get, when all are there at once and none leaves.
//
// What one card can serve is a list of counts, so many claims of each profile; cards in the same state have the same
// list. A dynamic program goes from card to card over how many claims of each profile have been served so far. States
// that cannot come to more than what is known already are left out.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "sim/mig/card.h"

namespace berth::sim::mig {

// A card, and what of it is in use.
struct UsedCard {
  Mask slices = 0;
  int multiprocessors = 0;
  auto operator<=>(const UsedCard&) const = default;
};

struct Batch {
  Card card = Card::kA100;
  std::vector<UsedCard> cards;
  std::array<int, kProfiles> claims{};  // by profiles(); at most 255 each
};

// `known`: so many slices can be had; the answer is no less. Exponential in the number of profiles, which is fixed:
// O(cards x product of claims x what one card can serve) at worst, and mostly far less.
[[nodiscard]] std::int64_t most_slices(const Batch& batch, std::int64_t known = 0);

}  // namespace berth::sim::mig
