// Share: a part of something as an exact fraction, compared by cross multiplication.
#pragma once

#include <compare>
#include <cstdint>
#include <utility>

#include "engine/ids.h"

namespace berth::engine {

struct Share {
  Amount part = 0;
  Amount whole = 1;         // above 0
  std::int64_t weight = 1;  // a queue of weight 2 counts half its share; above 0

  // a.part / (a.whole * a.weight) against b's. Amounts of 63 bits and weights of 31: the products need 94 + 63 bits, so
  // both sides are compared by quotient and remainder.
  [[nodiscard]] friend std::strong_ordering operator<=>(const Share& a, const Share& b) {
    using Wide = __int128;
    Wide left_part = a.part;
    Wide left_whole = Wide{a.whole} * a.weight;
    Wide right_part = b.part;
    Wide right_whole = Wide{b.whole} * b.weight;
    // Continued fractions: equal quotients, then the reciprocals of the rests in the other direction.
    bool turned = false;
    while (true) {
      const Wide left = left_part / left_whole;
      const Wide right = right_part / right_whole;
      if (left != right) return (left < right) != turned ? std::strong_ordering::less : std::strong_ordering::greater;
      left_part -= left * left_whole;
      right_part -= right * right_whole;
      if (left_part == 0 && right_part == 0) return std::strong_ordering::equal;
      if (left_part == 0) return turned ? std::strong_ordering::greater : std::strong_ordering::less;
      if (right_part == 0) return turned ? std::strong_ordering::less : std::strong_ordering::greater;
      std::swap(left_part, left_whole);
      std::swap(right_part, right_whole);
      turned = !turned;
    }
  }
  [[nodiscard]] friend bool operator==(const Share& a, const Share& b) { return (a <=> b) == 0; }
};

}  // namespace berth::engine
