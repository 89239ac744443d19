// Quantity: the Kubernetes resource.Quantity ("1500m", "4Gi", "1e3"), exact.
//
// Held as an integer number of nano-units in 128 bits, which covers every value the API accepts
// (|value| < 2^63, at most nano precision; finer input is rounded up in magnitude, as the API does).
// No floating point anywhere. Parsing is linear in the text.
// Source: k8s.io/apimachinery pkg/api/resource, documented in the API conventions.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "base/result.h"

namespace berth::api {

class Quantity {
 public:
  // How the quantity was written, and so how it is printed: 0.5 or 500m; 1Gi; 1e3.
  enum class Format : std::uint8_t { kDecimalSi, kBinarySi, kDecimalExponent };

  constexpr Quantity() = default;

  // Errors: kSyntax for what the API's grammar does not accept, kOverflow for 2^63 and above.
  static Result<Quantity> parse(std::string_view text);
  static constexpr Quantity from_units(std::int64_t units, Format format = Format::kDecimalSi) {
    return Quantity(static_cast<Wide>(units) * kNano, format);
  }
  static constexpr Quantity from_milli(std::int64_t milli, Format format = Format::kDecimalSi) {
    return Quantity(static_cast<Wide>(milli) * (kNano / 1000), format);
  }

  // Whole units and thousandths, rounded up (away from zero is the API's rule for positive values; negative
  // values round towards positive infinity). Saturate at the ends of int64.
  [[nodiscard]] std::int64_t value() const;
  [[nodiscard]] std::int64_t milli_value() const;

  [[nodiscard]] bool is_zero() const { return nanos_ == 0; }
  [[nodiscard]] bool is_negative() const { return nanos_ < 0; }
  [[nodiscard]] Format format() const { return format_; }

  // The sum; kOverflow when it leaves the range of the API.
  [[nodiscard]] Result<Quantity> plus(const Quantity& other) const;

  // The canonical form the API server would print.
  [[nodiscard]] std::string to_string() const;

  // Compares amounts; the format does not matter.
  constexpr std::strong_ordering operator<=>(const Quantity& other) const { return nanos_ <=> other.nanos_; }
  constexpr bool operator==(const Quantity& other) const { return nanos_ == other.nanos_; }

  __extension__ using Wide = __int128;
  // |nanos| < 2^63 units.
  static constexpr Quantity from_nanos(Wide nanos, Format format = Format::kDecimalSi) { return {nanos, format}; }
  [[nodiscard]] constexpr Wide nanos() const { return nanos_; }

 private:
  static constexpr std::int64_t kNano = 1'000'000'000;
  constexpr Quantity(Wide nanos, Format format) : nanos_(nanos), format_(format) {}

  Wide nanos_ = 0;
  Format format_ = Format::kDecimalSi;
};

// Resource name to amount, in name order.
using ResourceList = std::map<std::string, Quantity, std::less<>>;

}  // namespace berth::api
