// What pods ask for in the study of mixed nodes: partitions, shares of a card, whole cards, several whole cards of one
// node. Products are an A100 with 40 GiB and an H100 with 80 GiB (sim/mig/card.h).
//
// A partition is asked for by what it has at least, as a device class of a platform says it: "1g with 10 GiB" is
// 1g.10gb on both products, which takes two memory slices of eight on the A100 and one on the H100.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "base/random.h"
#include "sim/mig/card.h"

namespace berth::sim::mixed {

using mig::Card;
inline constexpr std::array kProducts = {Card::kA100, Card::kH100};
inline constexpr std::int64_t kMilli = 1000;  // of one card

[[nodiscard]] int memory_gib(Card product);
// As NVIDIA names it: "1g.5gb". `profile` by mig::profiles().
[[nodiscard]] std::string_view profile_name(std::size_t profile, Card product);

enum class Kind : std::uint8_t { kPartition, kShare, kCard, kCards };
inline constexpr std::array kKinds = {Kind::kPartition, Kind::kShare, Kind::kCard, Kind::kCards};
[[nodiscard]] std::string_view name_of(Kind kind);

struct Ask {
  std::string_view name;  // a DNS label
  Kind kind = Kind::kCard;
  int often = 0;  // relative to the others
  // kPartition: the profile that serves it, by product; none: that product cannot.
  std::array<std::optional<std::size_t>, kProducts.size()> profile = {};
  int memory = 0;  // kShare: GiB
  int multiprocessors = 0;
  int cards = 1;
  bool h100_only = false;  // kCard

  [[nodiscard]] bool served_by(Card product) const;
  // What it takes of a card of the product that serves it: the larger part of multiprocessors and memory, in
  // thousandths; of several cards the sum.
  [[nodiscard]] std::int64_t takes(Card product) const;
  // What it asks for: the least that it takes of any product.
  [[nodiscard]] std::int64_t size() const;
};

[[nodiscard]] std::span<const Ask> asks();
// Positions in asks(), as often as they are asked for.
[[nodiscard]] std::size_t draw(Random& random);
// Of what is drawn, times the sum of all `often`.
[[nodiscard]] std::int64_t total_size();
[[nodiscard]] std::int64_t total_often();

}  // namespace berth::sim::mixed
