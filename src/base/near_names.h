// Near names: what a misspelt name may have meant. Damerau and Levenshtein's distance (insert, delete, replace, swap of
// neighbours), ASCII case ignored; near means at most a third of the name's length and 16 edits away, or containing it.
#pragma once

#include <cstddef>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace berth {

// More than `most` is told as some number above it. O(length x most).
[[nodiscard]] std::size_t edit_distance(std::string_view a, std::string_view b,
                                        std::size_t most = std::numeric_limits<std::size_t>::max() / 2);

// At most `limit` of the candidates, nearest first, ties in the order given. O(candidates x length).
[[nodiscard]] std::vector<std::string> near_names(std::string_view name, std::span<const std::string> candidates,
                                                  std::size_t limit = 3);

}  // namespace berth
