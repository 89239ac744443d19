#include "cel/utf8.h"

namespace berth::cel::utf8 {

Decoded decode(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(0);
  if (first < 0x80) return {first, 1, true};
  std::uint8_t length = 0;
  char32_t code = 0;
  char32_t least = 0;
  if (first >= 0xC2 && first < 0xE0) {
    length = 2, code = first & 0x1FU, least = 0x80;
  } else if (first >= 0xE0 && first < 0xF0) {
    length = 3, code = first & 0x0FU, least = 0x800;
  } else if (first >= 0xF0 && first < 0xF5) {
    length = 4, code = first & 0x07U, least = 0x10000;
  } else {
    return {};
  }
  if (text.size() < length) return {};
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0U) != 0x80U) return {};
    code = (code << 6U) | (byte(i) & 0x3FU);
  }
  if (code < least || code > 0x10FFFF || (code >= 0xD800 && code <= 0xDFFF)) return {};
  return {code, length, true};
}

bool is_valid(std::string_view text) {
  while (!text.empty()) {
    const Decoded next = decode(text);
    if (!next.valid) return false;
    text.remove_prefix(next.length);
  }
  return true;
}

std::size_t count(std::string_view text) {
  std::size_t total = 0;
  std::size_t i = 0;
  while (i < text.size()) {
    i += static_cast<unsigned char>(text[i]) < 0x80 ? 1 : decode(text.substr(i)).length;
    ++total;
  }
  return total;
}

std::size_t offset_of(std::string_view text, std::size_t index) {
  std::size_t i = 0;
  while (index > 0) {
    if (i >= text.size()) return std::string_view::npos;
    i += static_cast<unsigned char>(text[i]) < 0x80 ? 1 : decode(text.substr(i)).length;
    --index;
  }
  return i;
}

void append(std::string& out, char32_t code_point) {
  if (code_point < 0x80) {
    out += static_cast<char>(code_point);
  } else if (code_point < 0x800) {
    out += static_cast<char>(0xC0U | (code_point >> 6U));
    out += static_cast<char>(0x80U | (code_point & 0x3FU));
  } else if (code_point < 0x10000) {
    out += static_cast<char>(0xE0U | (code_point >> 12U));
    out += static_cast<char>(0x80U | ((code_point >> 6U) & 0x3FU));
    out += static_cast<char>(0x80U | (code_point & 0x3FU));
  } else {
    out += static_cast<char>(0xF0U | (code_point >> 18U));
    out += static_cast<char>(0x80U | ((code_point >> 12U) & 0x3FU));
    out += static_cast<char>(0x80U | ((code_point >> 6U) & 0x3FU));
    out += static_cast<char>(0x80U | (code_point & 0x3FU));
  }
}

}  // namespace berth::cel::utf8
