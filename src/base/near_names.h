// Near names: what a misspelt name may have meant. Damerau and Levenshtein's distance (insert, delete, replace, swap of
// neighbours), ASCII case ignored; near means at most a third of the name's length away, or containing it.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace berth {

[[nodiscard]] std::size_t edit_distance(std::string_view a, std::string_view b);

// At most `limit` of the candidates, nearest first, ties in the order given. O(candidates x length^2).
[[nodiscard]] std::vector<std::string> near_names(std::string_view name, std::span<const std::string> candidates,
                                                  std::size_t limit = 3);

}  // namespace berth
