// near: which known names a misspelt one may have meant.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace berth::text {

// Insertions, deletions, substitutions and swaps of neighbours that turn one into the other (optimal string alignment),
// regardless of case; counts beyond `limit` are returned as limit + 1. O(|a| * |b|).
[[nodiscard]] std::size_t edit_distance(std::string_view a, std::string_view b, std::size_t limit);

// Up to `count` names within a distance of a third of the length of the wanted name, nearest first, then in the order
// given. A name that holds the wanted one as a part counts as distance 1 where the wanted one is 3 characters or
// longer.
[[nodiscard]] std::vector<std::string> near_names(std::string_view wanted, std::span<const std::string> known,
                                                  std::size_t count = 3);

// "Did you mean a, b or c?", or "" where nothing is near.
[[nodiscard]] std::string did_you_mean(std::string_view wanted, std::span<const std::string> known);

}  // namespace berth::text
