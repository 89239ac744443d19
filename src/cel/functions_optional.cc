// Optional values. or() and orValue() are computed by the evaluator, which leaves their argument alone if it can.
#include "cel/containers.h"
#include "cel/eval_context.h"
#include "cel/operations.h"
#include "cel/standard.h"

namespace berth::cel {

namespace {

using ArgumentsRef = const Arguments&;

Value optional_of(EvalContext& context, ArgumentsRef a) { return make_optional(a[0], context); }
Value optional_none(EvalContext&, ArgumentsRef) { return Value::optional(nullptr); }
Value optional_of_non_zero(EvalContext& context, ArgumentsRef a) {
  return is_zero_value(a[0]) ? Value::optional(nullptr) : make_optional(a[0], context);
}
Value has_value(EvalContext&, ArgumentsRef a) { return Value::boolean(a[0].as_optional() != nullptr); }
Value value(EvalContext& context, ArgumentsRef a) {
  return a[0].as_optional() == nullptr ? context.fail("optional.none() dereference") : *a[0].as_optional();
}

Value unwrap(EvalContext& context, ArgumentsRef a) {
  const List& list = a[0].as_list();
  auto* out = context.arena().make<ArrayList>();
  for (std::size_t i = 0; i < list.size(); ++i) {
    const Value element = list.at(i, context.arena());
    if (!element.is(Kind::kOptional)) return context.no_such_overload();
    if (element.as_optional() != nullptr) out->push_back(*element.as_optional(), context.arena());
  }
  return Value::list(out);
}

}  // namespace

void add_optionals(EnvironmentBuilder& builder) {
  const TypeRef a = &types::kParameterA, b = &types::kBool, i = &types::kInt, optional = &types::kOptionalA,
                list = &types::kListA, map = &types::kMapAB, optional_b = &types::kOptionalB;
  TypePool& pool = builder.types();
  const TypeRef optional_list = pool.optional(list), optional_map = pool.optional(map);
  const TypeRef optionals = pool.list(optional);
  builder.add_macros(optional_macros());
  builder.add_type_name(kOptionalTypeName, pool.optional(&types::kDyn));
  builder.add_overload("optional.of", global("optional_of", {a}, optional, optional_of));
  builder.add_overload("optional.ofNonZeroValue",
                       global("optional_ofNonZeroValue", {a}, optional, optional_of_non_zero));
  builder.add_overload("optional.none", global("optional_none", {}, optional, optional_none));
  builder.add_overload("hasValue", member("optional_hasValue", {optional}, b, has_value));
  builder.add_overload("value", member("optional_value", {optional}, a, value));
  builder.add_overload("or", member("optional_or_optional", {optional, optional}, optional, nullptr));
  builder.add_overload("orValue", member("optional_orValue_value", {optional, a}, a, nullptr));
  builder.add_overload("optional.unwrap", global("optional_unwrap", {optionals}, list, unwrap));
  builder.add_overload("unwrapOpt", member("optional_unwrapOpt", {optionals}, list, unwrap));
  // Indexing into optional containers and optional indexing; the evaluator computes all of them.
  builder.add_overloads(operators::kOptionalIndex,
                        {global("list_optindex_optional_int", {list, i}, optional, nullptr),
                         global("optional_list_optindex_optional_int", {optional_list, i}, optional, nullptr),
                         global("map_optindex_optional_value", {map, a}, optional_b, nullptr),
                         global("optional_map_optindex_optional_value", {optional_map, a}, optional_b, nullptr)});
  builder.add_overloads(operators::kIndex,
                        {global("optional_list_index_int", {optional_list, i}, optional, nullptr),
                         global("optional_map_index_value", {optional_map, a}, optional_b, nullptr)});
}

}  // namespace berth::cel
