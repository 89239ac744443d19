#include "text/yaml_scalar.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>

#include "base/digits.h"
#include "text/numbers.h"

namespace berth::text {
namespace {

template <std::size_t N>
bool any_of(std::string_view text, const std::array<std::string_view, N>& words) {
  return std::find(words.begin(), words.end(), text) != words.end();
}

// The words with a meaning; none for all others.
std::optional<YamlType> word(std::string_view text) {
  static constexpr std::array<std::string_view, 11> kTrue = {"y",    "Y",    "yes", "Yes", "YES", "true",
                                                             "True", "TRUE", "on",  "On",  "ON"};
  static constexpr std::array<std::string_view, 11> kFalse = {"n",     "N",     "no",  "No",  "NO", "false",
                                                              "False", "FALSE", "off", "Off", "OFF"};
  static constexpr std::array<std::string_view, 5> kNull = {"", "~", "null", "Null", "NULL"};
  static constexpr std::array<std::string_view, 12> kNotFinite = {".nan",  ".NaN",  ".NAN",  ".inf",  ".Inf",  ".INF",
                                                                  "+.inf", "+.Inf", "+.INF", "-.inf", "-.Inf", "-.INF"};
  if (text.size() > 5) return std::nullopt;
  if (any_of(text, kNull)) return YamlType::kNull;
  if (any_of(text, kTrue)) return YamlType::kTrue;
  if (any_of(text, kFalse)) return YamlType::kFalse;
  if (any_of(text, kNotFinite)) return YamlType::kNotFinite;
  return std::nullopt;
}

template <class Number>
std::optional<Number> parse_digits(std::string_view digits, int base) {
  Number number{};
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number, base);
  if (digits.empty() || error != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
  return number;
}

// strconv.ParseInt and ParseUint with base 0.
std::optional<YamlScalar> integer(std::string_view text) {
  const bool sign = text.front() == '+' || text.front() == '-';
  const bool negative = text.front() == '-';
  std::string_view digits = text.substr(sign ? 1 : 0);
  int base = 10;
  if (digits.size() > 1 && digits[0] == '0') {
    const char letter = static_cast<char>(digits[1] | 0x20);
    base = letter == 'x' ? 16 : letter == 'b' ? 2 : 8;
    digits.remove_prefix(letter == 'x' || letter == 'b' || letter == 'o' ? 2 : 1);
  }
  if (!digits.empty() && (digits[0] == '-' || digits[0] == '+')) return std::nullopt;
  const auto magnitude = parse_digits<std::uint64_t>(digits, base);
  if (!magnitude) return std::nullopt;
  constexpr std::uint64_t kMax = INT64_MAX;
  YamlScalar scalar;
  scalar.type = YamlType::kInteger;
  if (*magnitude > kMax + (negative ? 1 : 0)) {
    if (sign) return std::nullopt;
    scalar.type = YamlType::kUnsigned;
  }
  scalar.number = (negative && *magnitude != 0 ? "-" : "") + std::to_string(*magnitude);
  return scalar;
}

// ^[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?$
bool looks_like_float(std::string_view text) {
  std::size_t at = 0;
  const auto digits = [&] {
    const std::size_t start = at;
    while (at < text.size() && is_digit(text[at])) ++at;
    return at - start;
  };
  if (at < text.size() && (text[at] == '+' || text[at] == '-')) ++at;
  const std::size_t whole = digits();
  std::size_t fraction = 0;
  if (at < text.size() && text[at] == '.') {
    ++at;
    fraction = digits();
  }
  if (whole == 0 && fraction == 0) return false;
  if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
    ++at;
    if (at < text.size() && (text[at] == '+' || text[at] == '-')) ++at;
    if (digits() == 0) return false;
  }
  return at == text.size();
}

std::optional<YamlScalar> floating(std::string_view text) {
  if (!looks_like_float(text)) return std::nullopt;
  if (text.front() == '+') text.remove_prefix(1);
  YamlScalar scalar;
  scalar.type = YamlType::kFloat;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), scalar.real);
  if (error == std::errc::result_out_of_range) {
    // Too small is zero and too large is no number at all: go-yaml then keeps the string.
    const std::size_t exponent = text.find_first_of("eE");
    const bool tiny = exponent != std::string_view::npos && text[exponent + 1] == '-';
    if (!tiny) return std::nullopt;
    scalar.real = 0;
  }
  // A whole number beyond 64 bits keeps its digits: the double is the same, and an error can tell what was written.
  const bool whole = std::ranges::all_of(text.substr(text.front() == '-' ? 1 : 0), is_digit);
  const bool json = whole && text[text.front() == '-' ? 1 : 0] != '0';
  scalar.number = json && std::isfinite(scalar.real) ? std::string(text) : json_double(scalar.real);
  return scalar;
}

}  // namespace

YamlScalar resolve_yaml_scalar(std::string_view text) {
  constexpr std::string_view kHints = "yYnNtTfFoO~.+-0123456789";
  if (!text.empty() && kHints.find(text.front()) == std::string_view::npos) return {};
  if (const auto meaning = word(text)) return {*meaning, {}, 0};
  const char first = text.front();
  if (first == '.') return floating(text).value_or(YamlScalar{});
  if (first != '+' && first != '-' && !is_digit(first)) return {};
  std::string plain;
  if (text.find('_') != std::string_view::npos) {
    std::copy_if(text.begin(), text.end(), std::back_inserter(plain), [](char c) { return c != '_'; });
    text = plain;
  }
  if (auto whole = integer(text)) return *std::move(whole);
  return floating(text).value_or(YamlScalar{});
}

bool yaml_reads_as_string(std::string_view text) {
  if (resolve_yaml_scalar(text).type != YamlType::kString) return false;
  constexpr std::string_view kIndicators = "-?:,[]{}#&*!|>'\"%@`=<";
  if (kIndicators.find(text.front()) != std::string_view::npos || text.front() == ' ' || text.back() == ' ')
    return false;
  if (text.back() == ':' || text.starts_with("---") || text.starts_with("...")) return false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if (byte < 0x20 || byte >= 0x7F) return false;
    if (text[i] == ':' && i + 1 < text.size() && text[i + 1] == ' ') return false;
    if (text[i] == '#' && text[i - 1] == ' ') return false;
  }
  return true;
}

}  // namespace berth::text
