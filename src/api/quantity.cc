#include "api/quantity.h"

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <vector>

#include "base/digits.h"

namespace berth::api {
namespace {

using Wide = Quantity::Wide;
__extension__ using Unsigned = unsigned __int128;

constexpr int kNanoDigits = 9;
constexpr Unsigned kNanosPerUnit = 1'000'000'000;
constexpr Unsigned kLimit = (Unsigned{1} << 63U) * kNanosPerUnit;  // exclusive
constexpr std::size_t kFewDigits = 19;                             // fit 64 bits, so that times 2^60 they fit 128

// The parts of the text by the API's grammar.
struct Parts {
  bool negative = false;
  std::string_view whole;     // digits before the point, without leading zeros
  std::string_view fraction;  // digits behind it
  std::string_view suffix;
};

std::optional<Parts> split(std::string_view text) {
  Parts parts;
  std::size_t at = 0;
  if (!text.empty() && (text[0] == '-' || text[0] == '+')) {
    parts.negative = text[0] == '-';
    at = 1;
  }
  const auto digits = [&] {
    const std::size_t start = at;
    while (at < text.size() && is_digit(text[at])) ++at;
    return text.substr(start, at - start);
  };
  parts.whole = digits();
  const bool any = !parts.whole.empty();
  parts.whole.remove_prefix(std::min(parts.whole.find_first_not_of('0'), parts.whole.size()));
  if (at < text.size() && text[at] == '.') {
    ++at;
    parts.fraction = digits();
  }
  if (!any && parts.fraction.empty()) return std::nullopt;
  parts.suffix = text.substr(at);
  return parts;
}

struct Suffix {
  Quantity::Format format = Quantity::Format::kDecimalSi;
  std::int64_t exponent = 0;  // of ten, or for kBinarySi of 1024
};

// "e3", "E-2". Exponents beyond what any amount can have are cut to that.
std::optional<Suffix> exponent_suffix(std::string_view text) {
  text.remove_prefix(1);
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  if (text.empty()) return std::nullopt;
  constexpr std::int64_t kFar = 100'000'000;
  std::int64_t exponent = 0;
  for (const char c : text) {
    if (!is_digit(c)) return std::nullopt;
    exponent = std::min(exponent * 10 + (c - '0'), kFar);
  }
  return Suffix{Quantity::Format::kDecimalExponent, negative ? -exponent : exponent};
}

std::optional<Suffix> read_suffix(std::string_view text) {
  using enum Quantity::Format;
  if (text.empty()) return Suffix{};
  if (text.size() == 2 && text[1] == 'i') {
    const std::size_t power = std::string_view("KMGTPE").find(text[0]);
    if (power == std::string_view::npos) return std::nullopt;
    return Suffix{kBinarySi, static_cast<std::int64_t>(power) + 1};
  }
  if (text.size() == 1) {
    constexpr std::string_view kNames = "num?kMGTPE";
    const std::size_t power = kNames.find(text[0]);
    if (power == std::string_view::npos || text[0] == '?') return std::nullopt;
    return Suffix{kDecimalSi, 3 * static_cast<std::int64_t>(power) - kNanoDigits};
  }
  if (text[0] == 'e' || text[0] == 'E') return exponent_suffix(text);
  return std::nullopt;
}

// value * 10^scale, what is cut off rounded up; none from the limit on.
std::optional<Unsigned> scaled(Unsigned value, std::int64_t scale, bool rest = false) {
  if (value == 0) return Unsigned{rest ? 1U : 0U};
  for (; scale > 0; --scale) {
    if (value >= kLimit) return std::nullopt;
    value *= 10;
  }
  for (; scale < 0 && value != 0; ++scale) {
    rest = rest || value % 10 != 0;
    value /= 10;
  }
  value += rest ? 1 : 0;
  if (value >= kLimit) return std::nullopt;
  return value;
}

// The same for any number of digits: digits * 10^scale * 1024^power.
std::optional<Unsigned> scaled_digits(std::string_view whole, std::string_view fraction, std::int64_t scale,
                                      std::int64_t power) {
  std::vector<unsigned> digits;  // least significant first
  for (const std::string_view part : {whole, fraction})
    for (const char c : part) digits.push_back(static_cast<unsigned>(c - '0'));
  std::reverse(digits.begin(), digits.end());
  for (; power > 0; --power) {
    unsigned carry = 0;
    for (unsigned& digit : digits) {
      carry += digit * 1024;
      digit = carry % 10;
      carry /= 10;
    }
    for (; carry != 0; carry /= 10) digits.push_back(carry % 10);
  }
  while (!digits.empty() && digits.back() == 0) digits.pop_back();
  if (digits.empty()) return Unsigned{0};
  // Keep at most as many leading digits as the limit has, and one more; what lies below is rest.
  constexpr std::size_t kKept = 30;
  const std::size_t below = digits.size() > kKept ? digits.size() - kKept : 0;
  bool rest = false;
  for (std::size_t i = 0; i < below; ++i) rest = rest || digits[i] != 0;
  Unsigned value = 0;
  for (std::size_t i = digits.size(); i > below; --i) value = value * 10 + digits[i - 1];
  return scaled(value, scale + static_cast<std::int64_t>(below), rest);
}

std::optional<Unsigned> magnitude(const Parts& parts, const Suffix& suffix) {
  const bool binary = suffix.format == Quantity::Format::kBinarySi;
  const std::int64_t scale =
      kNanoDigits - static_cast<std::int64_t>(parts.fraction.size()) + (binary ? 0 : suffix.exponent);
  const std::int64_t power = binary ? suffix.exponent : 0;
  if (parts.whole.size() + parts.fraction.size() > kFewDigits)
    return scaled_digits(parts.whole, parts.fraction, scale, power);
  Unsigned value = 0;
  for (const std::string_view part : {parts.whole, parts.fraction})
    for (const char c : part) value = value * 10 + static_cast<unsigned>(c - '0');
  return scaled(value << static_cast<unsigned>(power * 10), scale);
}

std::string digits_of(Unsigned value) {
  std::string text;
  do {
    text += static_cast<char>('0' + static_cast<int>(value % 10));
    value /= 10;
  } while (value != 0);
  std::reverse(text.begin(), text.end());
  return text;
}

// The number without factors of 1000, and the suffix that gives them back.
std::string decimal(Unsigned nanos, Quantity::Format format) {
  int exponent = -kNanoDigits;
  while (nanos % 1000 == 0 && exponent < 18) {
    nanos /= 1000;
    exponent += 3;
  }
  std::string text = digits_of(nanos);
  if (format == Quantity::Format::kDecimalExponent) {
    if (exponent != 0) text += "e" + std::to_string(exponent);
    return text;
  }
  constexpr std::string_view kNames = "num?kMGTPE";
  if (exponent != 0) text += kNames[static_cast<std::size_t>((exponent + kNanoDigits) / 3)];
  return text;
}

std::string binary(Unsigned units) {
  constexpr std::array<std::string_view, 7> kNames = {"", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei"};
  std::size_t power = 0;
  while (units % 1024 == 0 && power + 1 < kNames.size()) {
    units /= 1024;
    ++power;
  }
  return digits_of(units) + std::string(kNames[power]);
}

// Rounded towards positive infinity, cut to the range of int64.
std::int64_t rounded_up(Wide nanos, Wide unit) {
  Wide units = nanos / unit;
  if (nanos % unit > 0) ++units;
  constexpr Wide kMax = std::numeric_limits<std::int64_t>::max();
  constexpr Wide kMin = std::numeric_limits<std::int64_t>::min();
  return static_cast<std::int64_t>(std::clamp(units, kMin, kMax));
}

Result<Wide> in_range(Wide nanos) {
  if (nanos >= static_cast<Wide>(kLimit) || nanos <= -static_cast<Wide>(kLimit))
    return fail(ErrorCode::kOverflow,
                "The sum of these quantities does not fit the API's range; amounts stay below 2^63.");
  return nanos;
}

}  // namespace

Result<Quantity> Quantity::parse(std::string_view text) {
  const auto parts = split(text);
  const auto suffix = parts ? read_suffix(parts->suffix) : std::nullopt;
  if (!suffix) {
    return fail(ErrorCode::kSyntax,
                "\"" + std::string(text.substr(0, 64)) +
                    "\" is not a quantity; write a number and one of the suffixes n u m k M G T P E, "
                    "Ki Mi Gi Ti Pi Ei, or an exponent such as e3.");
  }
  const auto nanos = magnitude(*parts, *suffix);
  if (!nanos) {
    return fail(ErrorCode::kOverflow,
                "The quantity \"" + std::string(text.substr(0, 64)) + "\" is too large; amounts stay below 2^63.");
  }
  Format format = suffix->format;
  // The API prints a fraction of a unit as a decimal, whatever it was written in.
  if (format == Format::kBinarySi && *nanos != 0 && *nanos < kNanosPerUnit) format = Format::kDecimalSi;
  const auto amount = static_cast<Wide>(*nanos);
  return Quantity(parts->negative ? -amount : amount, format);
}

std::int64_t Quantity::value() const { return rounded_up(nanos_, kNano); }

std::int64_t Quantity::milli_value() const { return rounded_up(nanos_, kNano / 1000); }

Result<Quantity> Quantity::plus(const Quantity& other) const {
  BERTH_TRY(const Wide nanos, in_range(nanos_ + other.nanos_));
  return Quantity(nanos, is_zero() ? other.format_ : format_);
}

std::string Quantity::to_string() const {
  if (is_zero()) return "0";
  const auto size = static_cast<Unsigned>(is_negative() ? -nanos_ : nanos_);
  // Binary only where nothing is lost and there is something to shorten.
  const bool as_binary = format_ == Format::kBinarySi && size % kNanosPerUnit == 0 && size >= 1024 * kNanosPerUnit;
  const Format as = format_ == Format::kBinarySi ? Format::kDecimalSi : format_;
  return (is_negative() ? "-" : "") + (as_binary ? binary(size / kNanosPerUnit) : decimal(size, as));
}

}  // namespace berth::api
