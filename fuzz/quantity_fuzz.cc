// Quantities: no crash and no overflow; what is accepted prints in a form that reads back as the same amount; rounding
// up never goes below the amount. The text may change once more, as upstream's does: 62.5Ki prints as 64000, which
// reads back as a decimal and prints as 64k.
#include <cstdint>
#include <limits>
#include <string_view>

#include "api/quantity.h"
#include "support/require.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using berth::api::Quantity;
  const auto quantity = Quantity::parse({reinterpret_cast<const char*>(data), size});
  if (!quantity) return 0;
  const std::string printed = quantity->to_string();
  const auto again = Quantity::parse(printed);
  require(again.has_value() && *again == *quantity);
  const auto third = Quantity::parse(again->to_string());
  require(third.has_value() && *third == *quantity && third->to_string() == again->to_string());
  constexpr Quantity::Wide kUnit = 1'000'000'000;
  const Quantity::Wide up = Quantity::Wide{quantity->value()} * kUnit;
  require(up >= quantity->nanos() ? up - quantity->nanos() < kUnit
                                  : quantity->value() == std::numeric_limits<std::int64_t>::max());
  const auto sum = quantity->plus(*again);
  if (sum) require(sum->nanos() == quantity->nanos() + again->nanos());
  return 0;
}
