#include "text/utf8.h"

#include <algorithm>
#include <array>

namespace berth::text {
namespace {

struct Decoded {
  std::uint32_t code_point = 0;
  std::size_t length = 0;  // 0: not valid
};

constexpr bool is_continuation(unsigned char byte) { return (byte & 0xC0U) == 0x80U; }

Decoded decode(std::string_view text) {
  if (text.empty()) return {};
  const auto at = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = at(0);
  if (lead < 0x80) return {lead, 1};
  const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || text.size() < length) return {};
  std::uint32_t code_point = lead & (0x7FU >> length);
  for (std::size_t i = 1; i < length; ++i) {
    if (!is_continuation(at(i))) return {};
    code_point = code_point << 6U | (at(i) & 0x3FU);
  }
  constexpr std::array<std::uint32_t, 5> kSmallest = {0, 0, 0x80, 0x800, 0x10000};
  if (code_point < kSmallest[length] || code_point > 0x10FFFF) return {};
  if (code_point >= 0xD800 && code_point <= 0xDFFF) return {};
  return {code_point, length};
}

struct Range {
  std::uint32_t first;
  std::uint32_t last;
};

// Combining marks, joiners and variation selectors of the scripts that names and messages meet.
constexpr std::array<Range, 14> kNoWidth = {{{0x0300, 0x036F},
                                             {0x0483, 0x0489},
                                             {0x0591, 0x05BD},
                                             {0x0610, 0x061A},
                                             {0x064B, 0x065F},
                                             {0x0E31, 0x0E31},
                                             {0x0E34, 0x0E3A},
                                             {0x1AB0, 0x1AFF},
                                             {0x1DC0, 0x1DFF},
                                             {0x200B, 0x200F},
                                             {0x20D0, 0x20FF},
                                             {0xFE00, 0xFE0F},
                                             {0xFE20, 0xFE2F},
                                             {0xE0100, 0xE01EF}}};

constexpr std::array<Range, 14> kTwoWide = {{{0x1100, 0x115F},
                                             {0x231A, 0x231B},
                                             {0x23E9, 0x23EC},
                                             {0x2E80, 0x303E},
                                             {0x3041, 0xA4CF},
                                             {0xA960, 0xA97F},
                                             {0xAC00, 0xD7A3},
                                             {0xF900, 0xFAFF},
                                             {0xFE30, 0xFE6F},
                                             {0xFF00, 0xFF60},
                                             {0xFFE0, 0xFFE6},
                                             {0x1F300, 0x1F64F},
                                             {0x1F680, 0x1F9FF},
                                             {0x20000, 0x3FFFD}}};

// What hides in a line or reorders it: C1 controls, the Arabic letter mark, zero-width space, directional marks,
// line and paragraph separators, embeddings and overrides, invisible operators, isolates, the byte order mark,
// interlinear annotations, tags.
constexpr std::array<Range, 12> kHarmful = {{{0x80, 0x9F},
                                             {0x061C, 0x061C},
                                             {0x180E, 0x180E},
                                             {0x200B, 0x200B},
                                             {0x200E, 0x200F},
                                             {0x2028, 0x202E},
                                             {0x2060, 0x2064},
                                             {0x2066, 0x206F},
                                             {0xFEFF, 0xFEFF},
                                             {0xFFF9, 0xFFFB},
                                             {0x1D173, 0x1D17A},
                                             {0xE0000, 0xE007F}}};

template <std::size_t N>
bool contains(const std::array<Range, N>& ranges, std::uint32_t code_point) {
  const auto after = std::upper_bound(ranges.begin(), ranges.end(), code_point,
                                      [](std::uint32_t a, const Range& b) { return a < b.first; });
  return after != ranges.begin() && code_point <= std::prev(after)->last;
}

std::size_t columns_of(std::uint32_t code_point) {
  if (code_point < 0x20 || code_point == 0x7F) return 0;
  if (code_point < 0x300) return 1;
  if (contains(kNoWidth, code_point)) return 0;
  return contains(kTwoWide, code_point) ? 2 : 1;
}

void append_hex(std::string& out, std::uint32_t value, int digits) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  for (int shift = 4 * (digits - 1); shift >= 0; shift -= 4)
    out += kDigits[value >> static_cast<unsigned>(shift) & 0xFU];
}

// A control character, a byte that is not UTF-8, or a harmful code point.
void append_escape(std::string& out, std::uint32_t value, bool is_byte) {
  out += '\\';
  if (value == '\n' || value == '\r' || value == '\t') {
    out += value == '\n' ? 'n' : value == '\r' ? 'r' : 't';
  } else if (is_byte || value < 0x80) {
    out += 'x';
    append_hex(out, value, 2);
  } else {
    out += value < 0x10000 ? 'u' : 'U';
    append_hex(out, value, value < 0x10000 ? 4 : 8);
  }
}

struct Glyph {
  std::size_t bytes;
  std::size_t columns;
};

// The next thing on the terminal: an escape sequence "ESC [ ... letter", a character, or a stray byte.
Glyph next_glyph(std::string_view text) {
  if (text.size() > 1 && text[0] == '\x1b' && text[1] == '[') {
    std::size_t end = 2;
    while (end < text.size() && (text[end] < '@' || text[end] > '~')) ++end;
    return {std::min(end + 1, text.size()), 0};
  }
  const Decoded decoded = decode(text);
  if (decoded.length == 0) return {1, 1};
  return {decoded.length, columns_of(decoded.code_point)};
}

}  // namespace

std::size_t utf8_sequence(std::string_view text) { return decode(text).length; }

std::string visible(std::string_view text) {
  const auto plain = [](char byte) { return byte >= ' ' && byte <= '~'; };
  if (std::ranges::all_of(text, plain)) return std::string(text);
  std::string out;
  while (!text.empty()) {
    const Decoded decoded = decode(text);
    const bool is_byte = decoded.length == 0;
    const std::uint32_t value = is_byte ? static_cast<unsigned char>(text[0]) : decoded.code_point;
    const std::size_t bytes = is_byte ? 1 : decoded.length;
    if (is_byte || value < 0x20 || value == 0x7F || contains(kHarmful, value))
      append_escape(out, value, is_byte);
    else
      out.append(text.substr(0, bytes));
    text.remove_prefix(bytes);
  }
  return out;
}

std::size_t utf8_encode(std::uint32_t code_point, char* out) {
  if ((code_point >= 0xD800 && code_point <= 0xDFFF) || code_point > 0x10FFFF) code_point = 0xFFFD;
  const auto byte = [](std::uint32_t value) { return static_cast<char>(static_cast<unsigned char>(value)); };
  const auto tail = [&](unsigned shift) { return byte(0x80U | (code_point >> shift & 0x3FU)); };
  if (code_point < 0x80) {
    out[0] = byte(code_point);
    return 1;
  }
  if (code_point < 0x800) {
    out[0] = byte(0xC0U | code_point >> 6U);
    out[1] = tail(0);
    return 2;
  }
  if (code_point < 0x10000) {
    out[0] = byte(0xE0U | code_point >> 12U);
    out[1] = tail(6);
    out[2] = tail(0);
    return 3;
  }
  out[0] = byte(0xF0U | code_point >> 18U);
  out[1] = tail(12);
  out[2] = tail(6);
  out[3] = tail(0);
  return 4;
}

std::size_t display_width(std::string_view text) {
  std::size_t columns = 0;
  while (!text.empty()) {
    const Glyph glyph = next_glyph(text);
    columns += glyph.columns;
    text.remove_prefix(glyph.bytes);
  }
  return columns;
}

std::string shorten(std::string_view text, std::size_t columns) {
  if (display_width(text) <= columns) return std::string(text);
  std::string result;
  std::size_t used = 0;
  while (!text.empty()) {
    const Glyph glyph = next_glyph(text);
    if (used + glyph.columns > columns - 1) break;
    used += glyph.columns;
    result.append(text.substr(0, glyph.bytes));
    text.remove_prefix(glyph.bytes);
  }
  return result + "\u2026";
}

}  // namespace berth::text
