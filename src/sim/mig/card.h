// A card with MIG: eight memory slices and the placements of its partition profiles.
//
// Source: the placements that NVML reports for the data-centre cards of 40 to 180 GB (the same for A100 and H100), and
// the MIG profiles of NVIDIA's documentation. The cards differ in how many multiprocessors a profile takes, of which
// neither runs out before its memory slices do: what can be cut from one can be cut from the other.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace berth::sim::mig {

enum class Card : std::uint8_t { kA100, kH100 };
[[nodiscard]] std::string_view name_of(Card card);
[[nodiscard]] std::optional<Card> card_named(std::string_view name);

inline constexpr int kSlices = 8;
inline constexpr std::size_t kProfiles = 6;
using Mask = std::uint8_t;  // of memory slices

struct Profile {
  std::string_view name;
  int slices = 0;  // of memory
  std::vector<int> starts;
  std::array<int, 2> multiprocessors{};  // by Card
  [[nodiscard]] Mask mask(int start) const { return static_cast<Mask>(((1U << slices) - 1U) << start); }
};
// 1g, 1g with double memory, 2g, 3g, 4g, 7g.
[[nodiscard]] const std::array<Profile, kProfiles>& profiles();
[[nodiscard]] int multiprocessors(Card card);  // of the whole card

}  // namespace berth::sim::mig
