// isSorted, sum, min, max, indexOf, lastIndexOf and includes of lists.
#include <fmt/format.h>

#include "cel/eval_context.h"
#include "cel/lib/libraries.h"
#include "cel/standard.h"
#include "cel/time.h"

namespace berth::cel {

namespace {

using ArgumentsRef = const Arguments&;

Value is_sorted(EvalContext& context, ArgumentsRef a) {
  const List& list = a[0].as_list();
  for (std::size_t i = 1; i < list.size(); ++i) {
    const auto order = compare(list.at(i - 1, context.arena()), list.at(i, context.arena()));
    if (!order) return context.no_such_overload();
    if (*order == Order::kGreater) return Value::boolean(false);
  }
  return Value::boolean(true);
}

// The element that comes first (min) or last (max); the earliest of equal ones.
template <Order replace>
Value extreme(EvalContext& context, ArgumentsRef a) {
  const List& list = a[0].as_list();
  if (list.size() == 0) return context.fail("min or max called on an empty list");
  Value best = list.at(0, context.arena());
  for (std::size_t i = 1; i < list.size(); ++i) {
    const Value next = list.at(i, context.arena());
    const auto order = compare(next, best);
    if (!order) return context.no_such_overload();
    if (*order == replace) best = next;
  }
  return best;
}

Value added(EvalContext& context, Value sum, Value next) {
  if (next.kind() != sum.kind()) return context.no_such_overload();
  switch (sum.kind()) {
    case Kind::kInt: {
      std::int64_t out = 0;
      return __builtin_add_overflow(sum.as_int(), next.as_int(), &out) ? context.fail("integer overflow")
                                                                       : Value::integer(out);
    }
    case Kind::kUint: {
      std::uint64_t out = 0;
      return __builtin_add_overflow(sum.as_uint(), next.as_uint(), &out) ? context.fail("integer overflow")
                                                                         : Value::unsigned_integer(out);
    }
    case Kind::kDouble:
      return Value::real(sum.as_double() + next.as_double());
    case Kind::kDuration: {
      const Instant out = add(sum.as_instant(), next.as_instant());
      return duration_of_nanos(nanos_of(out)) ? Value::duration(out) : context.fail("duration out of range");
    }
    default:
      return context.no_such_overload();
  }
}

Value sum_from(EvalContext& context, const List& list, Value sum) {
  for (std::size_t i = 0; i < list.size() && !sum.is_error(); ++i) {
    sum = added(context, sum, list.at(i, context.arena()));
  }
  return sum;
}
Value sum_ints(EvalContext& context, ArgumentsRef a) { return sum_from(context, a[0].as_list(), Value::integer(0)); }
Value sum_uints(EvalContext& context, ArgumentsRef a) {
  return sum_from(context, a[0].as_list(), Value::unsigned_integer(0));
}
Value sum_doubles(EvalContext& context, ArgumentsRef a) { return sum_from(context, a[0].as_list(), Value::real(0)); }
Value sum_durations(EvalContext& context, ArgumentsRef a) {
  return sum_from(context, a[0].as_list(), Value::duration({}));
}

Value index_of(EvalContext& context, ArgumentsRef a) {
  const List& list = a[0].as_list();
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (equal(list.at(i, context.arena()), a[1], context.arena())) return Value::integer(static_cast<std::int64_t>(i));
  }
  return Value::integer(-1);
}
Value last_index_of(EvalContext& context, ArgumentsRef a) {
  const List& list = a[0].as_list();
  for (std::size_t i = list.size(); i > 0; --i) {
    if (equal(list.at(i - 1, context.arena()), a[1], context.arena())) {
      return Value::integer(static_cast<std::int64_t>(i - 1));
    }
  }
  return Value::integer(-1);
}

// Whether a list has the element, or a value that is no list is it.
Value includes(EvalContext& context, ArgumentsRef a) {
  if (!a[0].is(Kind::kList)) return Value::boolean(equal(a[0], a[1], context.arena()));
  return Value::boolean(index_of(context, a).as_int() >= 0);
}

}  // namespace

void add_list_statistics(EnvironmentBuilder& builder, bool with_includes) {
  const TypeRef i = &types::kInt, b = &types::kBool, list = &types::kListA, any = &types::kDyn;
  TypePool& pool = builder.types();
  for (const TypeRef type : {&types::kInt, &types::kUint, &types::kDouble, &types::kBool, &types::kDuration,
                             &types::kTimestamp, &types::kString, &types::kBytes}) {
    // Upstream's ids call times by their short names.
    std::string_view name = type->name;
    if (type == &types::kDuration) name = "duration";
    if (type == &types::kTimestamp) name = "timestamp";
    const TypeRef typed = pool.list(type);
    builder.add_overload("isSorted", member(fmt::format("list_{}_is_sorted_bool", name), {typed}, b, is_sorted));
    builder.add_overload("min", member(fmt::format("list_{0}_min_{0}", name), {typed}, type, extreme<Order::kLess>));
    builder.add_overload("max", member(fmt::format("list_{0}_max_{0}", name), {typed}, type, extreme<Order::kGreater>));
  }
  builder.add_overloads(
      "sum", {member("list_int_sum_int", {&types::kListInt}, i, sum_ints),
              member("list_uint_sum_uint", {pool.list(&types::kUint)}, &types::kUint, sum_uints),
              member("list_double_sum_double", {pool.list(&types::kDouble)}, &types::kDouble, sum_doubles),
              member("list_duration_sum_duration", {pool.list(&types::kDuration)}, &types::kDuration, sum_durations)});
  builder.add_overload("indexOf", member("list_a_index_of_int", {list, &types::kParameterA}, i, index_of));
  builder.add_overload("lastIndexOf",
                       member("list_a_last_index_of_int", {list, &types::kParameterA}, i, last_index_of));
  if (with_includes) builder.add_overload("includes", member("list_includes_dyn_dyn", {any, any}, b, includes));
}

}  // namespace berth::cel
