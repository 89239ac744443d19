#include "api/duration.h"

#include <array>
#include <utility>

namespace berth::api {
namespace {

using Wide = __int128;

constexpr Wide kSecond = 1'000'000'000;
constexpr std::array<std::pair<std::string_view, Wide>, 8> kUnits = {{{"ns", 1},
                                                                      {"us", 1'000},
                                                                      {"\xc2\xb5s", 1'000},
                                                                      {"\xce\xbcs", 1'000},
                                                                      {"ms", 1'000'000},
                                                                      {"s", kSecond},
                                                                      {"m", 60 * kSecond},
                                                                      {"h", 3600 * kSecond}}};
constexpr Wide kMost = Wide{INT64_MAX};  // nanoseconds, as in Go

struct Number {
  Wide digits = 0;
  Wide scale = 1;  // of what stands behind the point
};

std::optional<Number> take_number(std::string_view& text) {
  Number number;
  bool any = false;
  bool behind_point = false;
  while (!text.empty()) {
    const char byte = text.front();
    if (byte == '.' && !behind_point) {
      behind_point = true;
    } else if (byte >= '0' && byte <= '9') {
      any = true;
      // What is finer than Go's nanoseconds does not count.
      if (!behind_point || number.scale < kSecond) {
        number.digits = number.digits * 10 + (byte - '0');
        if (behind_point) number.scale *= 10;
      }
      if (number.digits > kMost * 10) return std::nullopt;
    } else {
      break;
    }
    text.remove_prefix(1);
  }
  if (!any) return std::nullopt;
  return number;
}

std::optional<Wide> take_unit(std::string_view& text) {
  std::size_t end = 0;
  while (end < text.size() && text[end] != '.' && (text[end] < '0' || text[end] > '9')) ++end;
  for (const auto& [name, nanos] : kUnits) {
    if (text.substr(0, end) != name) continue;
    text.remove_prefix(end);
    return nanos;
  }
  return std::nullopt;
}

}  // namespace

std::optional<std::int64_t> parse_duration_seconds(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  if (text == "0") return 0;
  if (text.empty()) return std::nullopt;
  Wide total = 0;
  while (!text.empty()) {
    const auto number = take_number(text);
    if (!number) return std::nullopt;
    const auto unit = take_unit(text);
    if (!unit) return std::nullopt;
    total += number->digits * *unit / number->scale;
    if (total > kMost) return std::nullopt;
  }
  return static_cast<std::int64_t>((total + kSecond - 1) / kSecond);
}

}  // namespace berth::api
