#include "cel/lib/quantity.h"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "cel/eval_context.h"
#include "cel/lib/libraries.h"
#include "cel/standard.h"

namespace berth::cel {

namespace {

using ArgumentsRef = const Arguments&;

constexpr __int128 kMaxRead = static_cast<__int128>(std::numeric_limits<std::int64_t>::max()) * kNanosPerUnit;
constexpr int kMaxDigits = 18;  // an int64 holds them all
constexpr int kMaxBinaryDigits = 14;
const Type kQuantityType{TypeKind::kStruct, "kubernetes.Quantity", {}};

struct Unit {
  int ten = 0;  // power of ten
  int two = 0;  // power of two
};

std::optional<Unit> parse_unit(std::string_view text) {
  static constexpr std::string_view kBinary = "KMGTPE";
  if (text.empty()) return Unit{};
  if (text.size() == 2 && text[1] == 'i') {
    const std::size_t found = kBinary.find(text[0]);
    if (found == std::string_view::npos) return std::nullopt;
    return Unit{0, static_cast<int>(found + 1) * 10};
  }
  if (text.size() == 1) {
    static constexpr std::string_view kDecimal = "numkMGTPE";
    static constexpr int kPowers[] = {-9, -6, -3, 3, 6, 9, 12, 15, 18};
    const std::size_t found = kDecimal.find(text[0]);
    if (found != std::string_view::npos) return Unit{kPowers[found], 0};
  }
  if (text.size() < 2 || (text[0] != 'e' && text[0] != 'E')) return std::nullopt;
  text.remove_prefix(1);
  const bool negative = text.front() == '-';
  if (negative || text.front() == '+') text.remove_prefix(1);
  if (text.empty()) return std::nullopt;
  int exponent = 0;
  for (const char c : text) {
    if (c < '0' || c > '9') return std::nullopt;
    // Larger exponents all mean the same: nothing, or more than there is.
    if (exponent < 1000) exponent = exponent * 10 + (c - '0');
  }
  return Unit{negative ? -exponent : exponent, 0};
}

struct Digits {
  std::string whole;     // without leading zeros
  std::string fraction;  // without trailing zeros
  int written = 0;       // digits of both, with trailing zeros
  int behind_point = 0;  // of these
};

// Takes "12.5" from the text.
std::optional<Digits> take_digits(std::string_view& text) {
  const auto take = [&] {
    std::size_t count = 0;
    while (count < text.size() && text[count] >= '0' && text[count] <= '9') ++count;
    const std::string digits(text.substr(0, count));
    text.remove_prefix(count);
    return digits;
  };
  Digits out{take(), {}};
  if (text.starts_with('.')) {
    text.remove_prefix(1);
    out.fraction = take();
  }
  if (out.whole.empty() && out.fraction.empty()) return std::nullopt;
  out.whole.erase(0, out.whole.find_first_not_of('0'));
  out.behind_point = static_cast<int>(out.fraction.size());
  out.written = std::max(1, static_cast<int>(out.whole.size())) + out.behind_point;
  out.fraction.resize(out.fraction.find_last_not_of('0') + 1);
  return out;
}

// digits * 10^power * 2^two in whole nanos, rounded up, at most kMaxRead.
__int128 scale(const std::string& digits, int power, int two) {
  __int128 value = 0;
  bool rest = false;
  std::size_t used = digits.size();
  // Digits below a nano only say whether there is a rest; 30 more are kept for the power of two.
  const int below = two > 0 ? 30 : 0;
  if (power < -below) used = digits.size() - std::min(digits.size(), static_cast<std::size_t>(-power - below));
  for (std::size_t i = used; i < digits.size(); ++i) rest = rest || digits[i] != '0';
  power += static_cast<int>(digits.size() - used);
  if (used == 0) power = 0;
  for (std::size_t i = 0; i < used; ++i) {
    if (__builtin_mul_overflow(value, __int128{10}, &value)) return kMaxRead;
    value += digits[i] - '0';
  }
  for (; power > 0 && value != 0; --power) {
    if (value > kMaxRead) return kMaxRead;
    value *= 10;
  }
  for (; two > 0; --two) {
    // Halves cancel against the fives of the decimal fraction, so that nothing overflows that fits in the end.
    if (power < 0 && value % 5 == 0) {
      value /= 5;
      ++power;
      continue;
    }
    if (__builtin_mul_overflow(value, __int128{2}, &value)) return kMaxRead;
  }
  for (; power < 0; ++power) {
    rest = rest || value % 10 != 0;
    value /= 10;
  }
  if (rest) ++value;
  return std::min(value, kMaxRead);
}

Amount amount(Value value) { return static_cast<const Quantity&>(value.as_object()).amount(); }

Value parse(EvalContext& context, ArgumentsRef a) {
  const auto parsed = parse_amount(a[0].as_text());
  if (!parsed) return context.fail(fmt::format("'{}' is not a quantity", a[0].as_text()));
  return make_quantity(*parsed, context.arena());
}
Value is_quantity(EvalContext&, ArgumentsRef a) { return Value::boolean(parse_amount(a[0].as_text()).has_value()); }
Value sign(EvalContext&, ArgumentsRef a) {
  const __int128 nanos = amount(a[0]).nanos;
  return Value::integer(nanos < 0 ? -1 : nanos > 0 ? 1 : 0);
}
Value is_greater(EvalContext&, ArgumentsRef a) { return Value::boolean(amount(a[0]).nanos > amount(a[1]).nanos); }
Value is_less(EvalContext&, ArgumentsRef a) { return Value::boolean(amount(a[0]).nanos < amount(a[1]).nanos); }
Value compare_to(EvalContext&, ArgumentsRef a) {
  const __int128 left = amount(a[0]).nanos;
  const __int128 right = amount(a[1]).nanos;
  return Value::integer(left < right ? -1 : left > right ? 1 : 0);
}
Value as_float(EvalContext&, ArgumentsRef a) {
  const __int128 nanos = amount(a[0]).nanos;
  const auto whole = static_cast<double>(nanos / kNanosPerUnit);
  const auto rest = static_cast<double>(nanos % kNanosPerUnit);
  return Value::real(whole + rest / static_cast<double>(kNanosPerUnit));
}

std::optional<std::int64_t> exact_integer(const Amount& amount) {
  if (amount.wide || amount.power < 0 || amount.nanos % kNanosPerUnit != 0) return std::nullopt;
  const __int128 whole = amount.nanos / kNanosPerUnit;
  if (whole > std::numeric_limits<std::int64_t>::max() || whole < std::numeric_limits<std::int64_t>::min()) {
    return std::nullopt;
  }
  return static_cast<std::int64_t>(whole);
}
Value as_integer(EvalContext& context, ArgumentsRef a) {
  const auto whole = exact_integer(amount(a[0]));
  return whole ? Value::integer(*whole) : context.fail("cannot convert value to integer");
}
Value is_integer(EvalContext&, ArgumentsRef a) { return Value::boolean(exact_integer(amount(a[0])).has_value()); }

// Is it, counted in that power of ten, an int64?
bool fits_count(__int128 nanos, std::int32_t power) {
  __int128 count = nanos / kNanosPerUnit;
  if (power < 0) {
    __int128 unit = kNanosPerUnit;
    for (std::int32_t i = power; i < 0; ++i) unit /= 10;
    count = nanos / unit;
  }
  return count <= std::numeric_limits<std::int64_t>::max() && count >= std::numeric_limits<std::int64_t>::min();
}

Amount operand(Value value) {
  if (value.is(Kind::kInt))
    return {.nanos = static_cast<__int128>(value.as_int()) * kNanosPerUnit, .wide = false, .power = 0};
  return amount(value);
}
template <int sign>
Value add(EvalContext& context, ArgumentsRef a) {
  const Amount left = amount(a[0]);
  const Amount right = operand(a[1]);
  __int128 sum = 0;
  if (__builtin_add_overflow(left.nanos, sign * right.nanos, &sum)) {
    return context.fail("the sum of the quantities is out of range");
  }
  // What is nothing has no say in how the sum is kept.
  std::int32_t power = std::min(left.power, right.power);
  if (right.nanos == 0) power = left.power;
  if (left.nanos == 0 && right.nanos != 0) power = right.power;
  return make_quantity({.nanos = sum, .wide = left.wide || right.wide || !fits_count(sum, power), .power = power},
                       context.arena());
}

}  // namespace

std::optional<Amount> parse_amount(std::string_view text) {
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  const bool unit_alone = !text.empty() && text.find_first_of(".0123456789") != 0;
  const auto digits = unit_alone ? Digits{} : take_digits(text);  // a unit alone is zero
  if (!digits) return std::nullopt;
  const auto unit = parse_unit(text);
  if (!unit) return std::nullopt;
  const std::string all = digits->whole + digits->fraction;
  const __int128 nanos = scale(all, unit->ten - static_cast<int>(digits->fraction.size()) + 9, unit->two);
  const int power = unit->ten - digits->behind_point;
  const bool wide = unit->two > 0 ? digits->behind_point > 0 || digits->written + unit->two * 3 / 10 > kMaxBinaryDigits
                                  : digits->written > kMaxDigits || power < -9;
  return Amount{.nanos = negative ? -nanos : nanos, .wide = wide || nanos == kMaxRead, .power = std::min(power, 0)};
}

TypeRef Quantity::type() const { return &kQuantityType; }
TypeRef quantity_type() { return &kQuantityType; }

bool Quantity::equals(const Object& other, Arena& /*arena*/) const {
  return amount_.nanos == static_cast<const Quantity&>(other).amount_.nanos;
}

std::string Quantity::text() const {
  __int128 nanos = amount_.nanos;
  const bool negative = nanos < 0;
  if (negative) nanos = -nanos;
  std::string digits = fmt::format("{}", static_cast<std::uint64_t>(nanos / kNanosPerUnit % 1'000'000'000'000'000'000));
  if (const auto high = static_cast<std::uint64_t>(nanos / kNanosPerUnit / 1'000'000'000'000'000'000); high > 0) {
    digits = fmt::format("{}{:018}", high, std::stoull(digits));
  }
  if (const auto rest = static_cast<std::uint64_t>(nanos % kNanosPerUnit); rest > 0) {
    digits += fmt::format(".{:09}", rest);
    digits.resize(digits.find_last_not_of('0') + 1);
  }
  return fmt::format("quantity(\"{}{}\")", negative ? "-" : "", digits);
}

Value make_quantity(Amount amount, Arena& arena) { return Value::object(arena.make<Quantity>(amount)); }

void add_quantities(EnvironmentBuilder& builder) {
  const TypeRef q = &kQuantityType, s = &types::kString, b = &types::kBool, i = &types::kInt, d = &types::kDouble;
  builder.add_struct({q, {}});
  builder.add_overload("quantity", global("string_to_quantity", {s}, q, parse));
  builder.add_overload("isQuantity", global("is_quantity_string", {s}, b, is_quantity));
  // Upstream declares sign(quantity), not quantity.sign().
  builder.add_overload("sign", global("quantity_sign", {q}, i, sign));
  builder.add_overload("isGreaterThan", member("quantity_is_greater_than", {q, q}, b, is_greater));
  builder.add_overload("isLessThan", member("quantity_is_less_than", {q, q}, b, is_less));
  builder.add_overload("compareTo", member("quantity_compare_to", {q, q}, i, compare_to));
  builder.add_overload("asApproximateFloat", member("quantity_get_float", {q}, d, as_float));
  builder.add_overload("asInteger", member("quantity_get_int", {q}, i, as_integer));
  builder.add_overload("isInteger", member("quantity_is_integer", {q}, b, is_integer));
  builder.add_overloads("add",
                        {member("quantity_add", {q, q}, q, add<1>), member("quantity_add_int", {q, i}, q, add<1>)});
  builder.add_overloads("sub",
                        {member("quantity_sub", {q, q}, q, add<-1>), member("quantity_sub_int", {q, i}, q, add<-1>)});
}

}  // namespace berth::cel
