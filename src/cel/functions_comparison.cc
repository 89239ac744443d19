// == != < <= > >= and the declarations of the logical operators, which the evaluator itself computes.
#include <array>

#include <fmt/format.h>

#include "cel/eval_context.h"
#include "cel/standard.h"

namespace berth::cel {

namespace {

using ArgumentsRef = const Arguments&;

enum class Relation : std::uint8_t { kLess, kLessEqual, kGreater, kGreaterEqual };

template <Relation relation>
Value relate(EvalContext& context, ArgumentsRef a) {
  const auto order = compare(a[0], a[1]);
  if (!order) return context.no_such_overload();
  if (*order == Order::kUnordered) return context.fail("NaN values cannot be ordered");
  switch (relation) {
    case Relation::kLess:
      return Value::boolean(*order == Order::kLess);
    case Relation::kLessEqual:
      return Value::boolean(*order == Order::kLess || *order == Order::kEqual);
    case Relation::kGreater:
      return Value::boolean(*order == Order::kGreater);
    case Relation::kGreaterEqual:
      return Value::boolean(*order == Order::kGreater || *order == Order::kEqual);
  }
  return context.no_such_overload();
}

Value equals(EvalContext& context, ArgumentsRef a) { return Value::boolean(equal(a[0], a[1], context.arena())); }
Value not_equals(EvalContext& context, ArgumentsRef a) { return Value::boolean(!equal(a[0], a[1], context.arena())); }
Value logical_not(EvalContext&, ArgumentsRef a) { return Value::boolean(!a[0].as_bool()); }

void add_relation(EnvironmentBuilder& builder, std::string_view function, std::string_view name,
                  Implementation implementation) {
  struct Named {
    std::string_view name;
    TypeRef type;
  };
  const std::array kOrdered = {Named{"bool", &types::kBool},           Named{"int64", &types::kInt},
                               Named{"uint64", &types::kUint},         Named{"double", &types::kDouble},
                               Named{"string", &types::kString},       Named{"bytes", &types::kBytes},
                               Named{"timestamp", &types::kTimestamp}, Named{"duration", &types::kDuration}};
  for (const Named& type : kOrdered) {
    builder.add_overload(
        function, global(fmt::format("{}_{}", name, type.name), {type.type, type.type}, &types::kBool, implementation));
  }
  const std::array kNumbers = {kOrdered[1], kOrdered[2], kOrdered[3]};
  for (const Named& left : kNumbers) {
    for (const Named& right : kNumbers) {
      if (left.type == right.type) continue;
      builder.add_overload(function, global(fmt::format("{}_{}_{}", name, left.name, right.name),
                                            {left.type, right.type}, &types::kBool, implementation));
    }
  }
}

}  // namespace

void add_comparisons(EnvironmentBuilder& builder) {
  const TypeRef b = &types::kBool, any = &types::kParameterA;
  builder.add_overload(operators::kEqual, global("equals", {any, any}, b, equals));
  builder.add_overload(operators::kNotEqual, global("not_equals", {any, any}, b, not_equals));
  add_relation(builder, operators::kLess, "less", relate<Relation::kLess>);
  add_relation(builder, operators::kLessEqual, "less_equals", relate<Relation::kLessEqual>);
  add_relation(builder, operators::kGreater, "greater", relate<Relation::kGreater>);
  add_relation(builder, operators::kGreaterEqual, "greater_equals", relate<Relation::kGreaterEqual>);
  builder.add_overload(operators::kAnd, global("logical_and", {b, b}, b, nullptr));
  builder.add_overload(operators::kOr, global("logical_or", {b, b}, b, nullptr));
  builder.add_overload(operators::kNot, global("logical_not", {b}, b, logical_not));
  builder.add_overload(operators::kConditional, global("conditional", {b, any, any}, any, nullptr));
  builder.add_overload(operators::kNotStrictlyFalse, global("not_strictly_false", {b}, b, nullptr));
}

}  // namespace berth::cel
