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
  // Read from a fraction of a binary unit or from more digits than an int64 holds: upstream then does not call the
  // amount an integer, even if it is one.
  bool wide = false;
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
