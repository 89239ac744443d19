// What the literals of an expression stand for: numbers, and quoted texts with their escapes.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

namespace berth::cel {

// "42", "0x2A"; `negative` is the sign in front, so that the least int64 can be written.
[[nodiscard]] Result<std::int64_t> parse_int_literal(std::string_view text, bool negative);
// "42u", "0x2AU".
[[nodiscard]] Result<std::uint64_t> parse_uint_literal(std::string_view text);
// "1.5e3", ".5"; overflow to infinity is an error.
[[nodiscard]] Result<double> parse_double_literal(std::string_view text, bool negative);
// The content of a token with its prefix and quotes. Strings become UTF-8; in bytes \xHH and \OOO are octets.
[[nodiscard]] Result<std::string> parse_quoted_literal(std::string_view token, bool bytes);

}  // namespace berth::cel
