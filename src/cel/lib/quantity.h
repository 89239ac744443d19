// Quantities: exact decimal amounts with SI or binary units, "1500m", "40Gi", "1e3".
//
// An amount is a 128-bit count of billionths. What is finer is rounded away from zero to one; what is larger than 2^63
// - 1 when read is that: both as the API server does. Sums that leave the range are errors.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "cel/value.h"

namespace berth::cel {

inline constexpr std::int64_t kNanosPerUnit = 1'000'000'000;

struct Amount {
  __int128 nanos = 0;
  // Upstream asks how an amount is kept, not what it is, before it calls it an integer: not if it is kept in decimal
  // digits of any length (fractions of binary units, and what an int64 may not hold), and not if it is a count of less
  // than units, as 2000m.
  bool wide = false;
  std::int32_t power = 0;  // of ten: of what it is a count; 0 also stands for more
};

[[nodiscard]] std::optional<Amount> parse_amount(std::string_view text);

class Quantity final : public Object {
 public:
  explicit Quantity(Amount amount) : amount_(amount) {}
  [[nodiscard]] Amount amount() const { return amount_; }
  [[nodiscard]] TypeRef type() const override;
  [[nodiscard]] bool equals(const Object& other, Arena& arena) const override;
  [[nodiscard]] bool is_zero() const override { return false; }
  [[nodiscard]] std::string text() const override;

 private:
  Amount amount_;
};

// The type of quantity values; its name is kubernetes.Quantity.
[[nodiscard]] TypeRef quantity_type();
[[nodiscard]] Value make_quantity(Amount amount, Arena& arena);

}  // namespace berth::cel
