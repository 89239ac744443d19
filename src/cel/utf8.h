// UTF-8 as CEL needs it: counting, decoding and slicing by code point.
//
// Strings inside the evaluator are valid UTF-8 unless a host hands in something else; a stray byte then counts as one
// code point, U+FFFD, so that no input can make these functions read outside the text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace berth::cel::utf8 {

inline constexpr char32_t kReplacement = 0xFFFD;

struct Decoded {
  char32_t code_point = kReplacement;
  std::uint8_t length = 1;  // bytes
  bool valid = false;
};

// The code point at the start of a text that is not empty.
[[nodiscard]] Decoded decode(std::string_view text);
[[nodiscard]] bool is_valid(std::string_view text);
// Number of code points.
[[nodiscard]] std::size_t count(std::string_view text);
// Byte offset of the given code point, or npos if the text has fewer; index == count(text) gives text.size().
[[nodiscard]] std::size_t offset_of(std::string_view text, std::size_t index);
void append(std::string& out, char32_t code_point);

}  // namespace berth::cel::utf8
