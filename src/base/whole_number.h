// The one reader of decimal integers in texts: annotations, labels, cells of a list, options.
#pragma once

#include <charconv>
#include <concepts>
#include <limits>
#include <optional>
#include <string_view>
#include <system_error>

namespace berth {

// The number that the whole text spells, without spaces and `+`; none if it is something else, or outside of least to
// most.
template <std::integral Number>
[[nodiscard]] std::optional<Number> whole_number(std::string_view text,
                                                 Number least = std::numeric_limits<Number>::min(),
                                                 Number most = std::numeric_limits<Number>::max()) {
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size() || number < least || number > most) return std::nullopt;
  return number;
}

}  // namespace berth
