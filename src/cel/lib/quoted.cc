#include "cel/lib/quoted.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "cel/utf8.h"

namespace berth::cel {

namespace {

struct CodePoints {
  char32_t first;
  char32_t last;
};

// C1 controls, spaces, format characters, private use.
constexpr std::array<CodePoints, 18> kNotShown = {{{0x80, 0xA0},
                                                   {0xAD, 0xAD},
                                                   {0x600, 0x605},
                                                   {0x61C, 0x61C},
                                                   {0x6DD, 0x6DD},
                                                   {0x70F, 0x70F},
                                                   {0x1680, 0x1680},
                                                   {0x180E, 0x180E},
                                                   {0x2000, 0x200F},
                                                   {0x2028, 0x202F},
                                                   {0x205F, 0x206F},
                                                   {0x3000, 0x3000},
                                                   {0xE000, 0xF8FF},
                                                   {0xFEFF, 0xFEFF},
                                                   {0xFFF9, 0xFFFB},
                                                   {0x1D173, 0x1D17A},
                                                   {0xE0000, 0xE007F},
                                                   {0xF0000, 0x10FFFF}}};

bool is_shown(char32_t code_point) {
  return std::ranges::none_of(
      kNotShown, [&](const CodePoints& some) { return code_point >= some.first && code_point <= some.last; });
}

}  // namespace

std::string quoted(std::string_view text) {
  static constexpr std::string_view kNamed = "\a\b\f\n\r\t\v\\\"";
  static constexpr std::string_view kNames = "abfnrtv\\\"";
  std::string out = "\"";
  while (!text.empty()) {
    const utf8::Decoded next = utf8::decode(text);
    const auto octet = static_cast<unsigned char>(text.front());
    if (const std::size_t named = kNamed.find(text.front()); named != std::string_view::npos) {
      out += '\\';
      out += kNames[named];
    } else if (octet < 0x20 || octet == 0x7F || !next.valid) {
      out += fmt::format("\\x{:02x}", octet);
    } else if (is_shown(next.code_point)) {
      out += text.substr(0, next.length);
    } else {
      const auto number = static_cast<std::uint32_t>(next.code_point);
      out += number < 0x10000 ? fmt::format("\\u{:04x}", number) : fmt::format("\\U{:08x}", number);
    }
    text.remove_prefix(next.length);
  }
  return out + '"';
}

}  // namespace berth::cel
