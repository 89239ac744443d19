// Lists as sets. Elements need not be keys, so every pair is compared.
#include "cel/eval_context.h"
#include "cel/lib/libraries.h"
#include "cel/operations.h"
#include "cel/standard.h"

namespace berth::cel {

namespace {

using ArgumentsRef = const Arguments&;

bool contains_all(Value list, const List& wanted, EvalContext& context) {
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    if (!contains_value(wanted.at(i, context.arena()), list, context).is_true()) return false;
  }
  return true;
}

Value contains_list(EvalContext& context, ArgumentsRef a) {
  return Value::boolean(contains_all(a[0], a[1].as_list(), context));
}
Value equivalent(EvalContext& context, ArgumentsRef a) {
  return Value::boolean(contains_all(a[0], a[1].as_list(), context) && contains_all(a[1], a[0].as_list(), context));
}
Value intersects(EvalContext& context, ArgumentsRef a) {
  const List& list = a[0].as_list();
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (contains_value(list.at(i, context.arena()), a[1], context).is_true()) return Value::boolean(true);
  }
  return Value::boolean(false);
}

}  // namespace

void add_sets(EnvironmentBuilder& builder) {
  const TypeRef list = &types::kListA, b = &types::kBool;
  builder.add_overload("sets.contains", global("list_sets_contains_list", {list, list}, b, contains_list));
  builder.add_overload("sets.equivalent", global("list_sets_equivalent_list", {list, list}, b, equivalent));
  builder.add_overload("sets.intersects", global("list_sets_intersects_list", {list, list}, b, intersects));
}

}  // namespace berth::cel
