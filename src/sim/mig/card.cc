#include "sim/mig/card.h"

namespace berth::sim::mig {

std::string_view name_of(Card card) { return card == Card::kA100 ? "a100" : "h100"; }

std::optional<Card> card_named(std::string_view name) {
  for (const Card card : {Card::kA100, Card::kH100}) {
    if (name_of(card) == name) return card;
  }
  return std::nullopt;
}

const std::array<Profile, kProfiles>& profiles() {
  static const std::array<Profile, kProfiles> kAll = {{
      {.name = "1g", .slices = 1, .starts = {0, 1, 2, 3, 4, 5, 6}, .multiprocessors = {14, 16}},
      {.name = "1g+", .slices = 2, .starts = {0, 2, 4, 6}, .multiprocessors = {14, 26}},
      {.name = "2g", .slices = 2, .starts = {0, 2, 4}, .multiprocessors = {28, 32}},
      {.name = "3g", .slices = 4, .starts = {0, 4}, .multiprocessors = {42, 60}},
      {.name = "4g", .slices = 4, .starts = {0}, .multiprocessors = {56, 64}},
      {.name = "7g", .slices = 8, .starts = {0}, .multiprocessors = {98, 132}},
  }};
  return kAll;
}

int multiprocessors(Card card) { return profiles().back().multiprocessors[static_cast<std::size_t>(card)]; }

}  // namespace berth::sim::mig
