// + - * / % and the sign, exact within their types: what does not fit is an error.
#include <limits>

#include "cel/containers.h"
#include "cel/eval_context.h"
#include "cel/operations.h"
#include "cel/standard.h"
#include "cel/time.h"

namespace berth::cel {

namespace {

using ArgumentsRef = const Arguments&;

Value overflow(EvalContext& context) { return context.fail("integer overflow"); }
Value out_of_range(EvalContext& context) { return context.fail("result is out of range"); }

template <bool (*operation)(std::int64_t, std::int64_t, std::int64_t*)>
Value checked_int(EvalContext& context, ArgumentsRef a) {
  std::int64_t out = 0;
  return operation(a[0].as_int(), a[1].as_int(), &out) ? overflow(context) : Value::integer(out);
}
template <bool (*operation)(std::uint64_t, std::uint64_t, std::uint64_t*)>
Value checked_uint(EvalContext& context, ArgumentsRef a) {
  std::uint64_t out = 0;
  return operation(a[0].as_uint(), a[1].as_uint(), &out) ? overflow(context) : Value::unsigned_integer(out);
}
template <class T>
bool add_overflows(T a, T b, T* out) {
  return __builtin_add_overflow(a, b, out);
}
template <class T>
bool subtract_overflows(T a, T b, T* out) {
  return __builtin_sub_overflow(a, b, out);
}
template <class T>
bool multiply_overflows(T a, T b, T* out) {
  return __builtin_mul_overflow(a, b, out);
}

Value divide_int(EvalContext& context, ArgumentsRef a) {
  if (a[1].as_int() == 0) return context.fail("division by zero");
  if (a[1].as_int() == -1 && a[0].as_int() == std::numeric_limits<std::int64_t>::min()) return overflow(context);
  return Value::integer(a[0].as_int() / a[1].as_int());
}
Value modulo_int(EvalContext& context, ArgumentsRef a) {
  if (a[1].as_int() == 0) return context.fail("modulus by zero");
  if (a[1].as_int() == -1 && a[0].as_int() == std::numeric_limits<std::int64_t>::min()) return overflow(context);
  return Value::integer(a[0].as_int() % a[1].as_int());
}
Value divide_uint(EvalContext& context, ArgumentsRef a) {
  if (a[1].as_uint() == 0) return context.fail("division by zero");
  return Value::unsigned_integer(a[0].as_uint() / a[1].as_uint());
}
Value modulo_uint(EvalContext& context, ArgumentsRef a) {
  if (a[1].as_uint() == 0) return context.fail("modulus by zero");
  return Value::unsigned_integer(a[0].as_uint() % a[1].as_uint());
}
Value negate_int(EvalContext& context, ArgumentsRef a) {
  if (a[0].as_int() == std::numeric_limits<std::int64_t>::min()) return overflow(context);
  return Value::integer(-a[0].as_int());
}

Value add_double(EvalContext&, ArgumentsRef a) { return Value::real(a[0].as_double() + a[1].as_double()); }
Value subtract_double(EvalContext&, ArgumentsRef a) { return Value::real(a[0].as_double() - a[1].as_double()); }
Value multiply_double(EvalContext&, ArgumentsRef a) { return Value::real(a[0].as_double() * a[1].as_double()); }
// Division by zero is an infinity or NaN, as IEEE 754 has it.
Value divide_double(EvalContext&, ArgumentsRef a) { return Value::real(a[0].as_double() / a[1].as_double()); }
Value negate_double(EvalContext&, ArgumentsRef a) { return Value::real(-a[0].as_double()); }

Value add_string(EvalContext& context, ArgumentsRef a) {
  return concatenate(Kind::kString, a[0].as_text(), a[1].as_text(), context);
}
Value add_bytes(EvalContext& context, ArgumentsRef a) {
  return concatenate(Kind::kBytes, a[0].as_text(), a[1].as_text(), context);
}

Value add_list(EvalContext& context, ArgumentsRef a) {
  const List& left = a[0].as_list();
  const List& right = a[1].as_list();
  const std::size_t size = left.size() + right.size();
  if (left.size() == 0) return a[1];
  if (right.size() == 0) return a[0];
  if (!context.reserve(size * sizeof(Value))) return context.cancelled();
  Value* items = nullptr;
  const ArrayList* list = ArrayList::make(size, context.arena(), items);
  for (std::size_t i = 0; i < left.size(); ++i) items[i] = left.at(i, context.arena());
  for (std::size_t i = 0; i < right.size(); ++i) items[left.size() + i] = right.at(i, context.arena());
  return Value::list(list);
}

// A sum of a moment and a length is in the zone of the moment.
Value timestamp_or_error(EvalContext& context, Instant moment, std::int16_t zone) {
  return is_valid_timestamp(moment) ? Value::timestamp(moment, zone) : out_of_range(context);
}
Value duration_or_error(EvalContext& context, Instant length) {
  return duration_of_nanos(nanos_of(length)) ? Value::duration(length) : out_of_range(context);
}
Value add_moment(EvalContext& context, ArgumentsRef a) {
  return timestamp_or_error(context, add(a[0].as_instant(), a[1].as_instant()),
                            a[a[0].is(Kind::kTimestamp) ? 0 : 1].zone());
}
Value subtract_moment(EvalContext& context, ArgumentsRef a) {
  return timestamp_or_error(context, subtract(a[0].as_instant(), a[1].as_instant()), a[0].zone());
}
Value add_duration(EvalContext& context, ArgumentsRef a) {
  return duration_or_error(context, add(a[0].as_instant(), a[1].as_instant()));
}
Value subtract_duration(EvalContext& context, ArgumentsRef a) {
  return duration_or_error(context, subtract(a[0].as_instant(), a[1].as_instant()));
}

}  // namespace

void add_arithmetic(EnvironmentBuilder& builder) {
  const TypeRef i = &types::kInt, u = &types::kUint, d = &types::kDouble, s = &types::kString, b = &types::kBytes,
                t = &types::kTimestamp, l = &types::kDuration, list = &types::kListA;
  builder.add_overloads(
      operators::kAdd,
      {global("add_int64", {i, i}, i, checked_int<add_overflows<std::int64_t>>),
       global("add_uint64", {u, u}, u, checked_uint<add_overflows<std::uint64_t>>),
       global("add_double", {d, d}, d, add_double), global("add_string", {s, s}, s, add_string),
       global("add_bytes", {b, b}, b, add_bytes), global("add_list", {list, list}, list, add_list),
       global("add_timestamp_duration", {t, l}, t, add_moment), global("add_duration_timestamp", {l, t}, t, add_moment),
       global("add_duration_duration", {l, l}, l, add_duration)});
  builder.add_overloads(operators::kSubtract,
                        {global("subtract_int64", {i, i}, i, checked_int<subtract_overflows<std::int64_t>>),
                         global("subtract_uint64", {u, u}, u, checked_uint<subtract_overflows<std::uint64_t>>),
                         global("subtract_double", {d, d}, d, subtract_double),
                         global("subtract_timestamp_timestamp", {t, t}, l, subtract_duration),
                         global("subtract_timestamp_duration", {t, l}, t, subtract_moment),
                         global("subtract_duration_duration", {l, l}, l, subtract_duration)});
  builder.add_overloads(operators::kMultiply,
                        {global("multiply_int64", {i, i}, i, checked_int<multiply_overflows<std::int64_t>>),
                         global("multiply_uint64", {u, u}, u, checked_uint<multiply_overflows<std::uint64_t>>),
                         global("multiply_double", {d, d}, d, multiply_double)});
  builder.add_overloads(operators::kDivide,
                        {global("divide_int64", {i, i}, i, divide_int), global("divide_uint64", {u, u}, u, divide_uint),
                         global("divide_double", {d, d}, d, divide_double)});
  builder.add_overloads(operators::kModulo, {global("modulo_int64", {i, i}, i, modulo_int),
                                             global("modulo_uint64", {u, u}, u, modulo_uint)});
  builder.add_overloads(operators::kNegate,
                        {global("negate_int64", {i}, i, negate_int), global("negate_double", {d}, d, negate_double)});
}

}  // namespace berth::cel
