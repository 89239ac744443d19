#include "text/numbers.h"

#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>

namespace berth::text {
namespace {

// The shortest digits that read back, with the exponent that std::to_chars gives as Go does: two digits at least.
template <class Float>
std::string scientific(Float value) {
  std::array<char, 64> buffer{};
  const auto end =
      std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::scientific).ptr;
  return {buffer.data(), end};
}

// The same digits without an exponent, zeros put where there are no digits. (std::to_chars would write the exact
// value.)
template <class Float>
std::string positional(Float value) {
  const std::string text = scientific(value);
  const std::size_t e = text.find('e');
  const bool negative = text.front() == '-';
  std::string digits;
  for (const char c : text.substr(negative ? 1 : 0, e - (negative ? 1 : 0)))
    if (c != '.') digits += c;
  const std::int64_t point = 1 + std::stoi(text.substr(e + 1));  // digits before the point
  const auto count = static_cast<std::int64_t>(digits.size());
  if (point <= 0) {
    digits.insert(0, "0." + std::string(static_cast<std::size_t>(-point), '0'));
  } else if (point >= count) {
    digits.append(static_cast<std::size_t>(point - count), '0');
  } else {
    digits.insert(static_cast<std::size_t>(point), ".");
  }
  return (negative ? "-" : "") + digits;
}

}  // namespace

std::string json_double(double value) {
  const double size = std::fabs(value);
  if (size == 0 || (size >= 1e-6 && size < 1e21)) return positional(value);
  std::string text = scientific(value);
  const std::size_t n = text.size();
  if (n >= 4 && text[n - 4] == 'e' && text[n - 3] == '-' && text[n - 2] == '0') text.erase(n - 2, 1);
  return text;
}

std::string go_float32_key(double value) {
  const auto narrow = static_cast<float>(value);
  if (std::isnan(narrow)) return ".nan";
  if (std::isinf(narrow)) return narrow > 0 ? ".inf" : "-.inf";
  const float size = std::fabs(narrow);
  if (size == 0 || (size >= 1e-4F && size < 1e21F)) return positional(narrow);
  return scientific(narrow);
}

}  // namespace berth::text
