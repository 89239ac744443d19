// Decimal digits, whatever the locale.
#pragma once

namespace berth {

[[nodiscard]] constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }

}  // namespace berth
