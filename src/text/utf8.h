// UTF-8: validation, encoding, and how many terminal columns a text takes. Source: RFC 3629; widths follow Unicode's
// East Asian Width (wide and fullwidth are two columns) and give combining marks none.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace berth::text {

// What some editors put in front of UTF-8.
inline constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

// Length of the valid sequence at the start of the text (1 to 4), or 0 where there is none: overlong forms, surrogates,
// values above U+10FFFF and cut sequences are not valid.
[[nodiscard]] std::size_t utf8_sequence(std::string_view text);

// The text as a terminal may show it: what would move the cursor, change colours, end the line, or reorder or hide its
// neighbours is written as an escape such as \x1b, \n or \u202e. That is control characters, bytes that are not UTF-8,
// bidirectional controls and invisible format characters. Whatever a user's file says passes here before it is shown;
// showing it twice changes nothing.
[[nodiscard]] std::string visible(std::string_view text);

// Writes the code point at `out`, which has room for 4 bytes; returns how many it wrote. U+FFFD for surrogates.
std::size_t utf8_encode(std::uint32_t code_point, char* out);

// Columns on a terminal. Bytes that are not UTF-8 take one column each. ANSI colour sequences take none.
[[nodiscard]] std::size_t display_width(std::string_view text);

// The text cut to at most `columns`, its last column an ellipsis where something was cut. columns > 0.
[[nodiscard]] std::string shorten(std::string_view text, std::size_t columns);

}  // namespace berth::text
