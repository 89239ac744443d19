// Lists and maps: size, index, in.
#include "cel/containers.h"
#include "cel/eval_context.h"
#include "cel/operations.h"
#include "cel/standard.h"

namespace berth::cel {

namespace {

using ArgumentsRef = const Arguments&;

Value size(EvalContext& context, ArgumentsRef a) {
  const auto size = size_of(a[0]);
  return size ? Value::integer(*size) : context.no_such_overload();
}
Value in(EvalContext& context, ArgumentsRef a) { return contains_value(a[0], a[1], context); }
Value index(EvalContext& context, ArgumentsRef a) { return index_value(a[0], a[1], context); }

// A map with the entry added; the accumulator of a loop, which nobody else sees, grows in place.
Value insert_entry(EvalContext& context, Value map, Value key, Value value) {
  if (!context.reserve(sizeof(ArrayMap::Entry) * 4)) return context.cancelled();
  const Map& old = map.as_map();
  auto* grown = const_cast<ArrayMap*>(dynamic_cast<const ArrayMap*>(&old));
  if (grown == nullptr || grown->size() == 0) {
    grown = context.arena().make<ArrayMap>();
    for (std::size_t i = 0; i < old.size(); ++i) {
      grown->insert(old.key_at(i, context.arena()), old.value_at(i, context.arena()), context.arena());
    }
  }
  if (!grown->insert(key, value, context.arena())) return context.fail("insert failed: the key is there already");
  return Value::map(grown);
}
Value map_insert(EvalContext& context, ArgumentsRef a) { return insert_entry(context, a[0], a[1], a[2]); }
Value map_insert_map(EvalContext& context, ArgumentsRef a) {
  Value out = a[0];
  const Map& entries = a[1].as_map();
  for (std::size_t i = 0; i < entries.size() && !out.is_error(); ++i) {
    out = insert_entry(context, out, entries.key_at(i, context.arena()), entries.value_at(i, context.arena()));
  }
  return out;
}

}  // namespace

void add_containers(EnvironmentBuilder& builder) {
  const TypeRef i = &types::kInt, b = &types::kBool, a = &types::kParameterA, v = &types::kParameterB,
                list = &types::kListA, map = &types::kMapAB;
  builder.add_overloads("size", {global("size_list", {list}, i, size), member("list_size", {list}, i, size),
                                 global("size_map", {map}, i, size), member("map_size", {map}, i, size)});
  builder.add_overloads(operators::kIn, {global("in_list", {a, list}, b, in), global("in_map", {a, map}, b, in)});
  builder.add_overloads(operators::kIndex,
                        {global("index_list", {list, i}, a, index), global("index_map", {map, a}, v, index)});
}

void add_two_variable_comprehensions(EnvironmentBuilder& builder) {
  const TypeRef map = &types::kMapAB;
  builder.add_macros(two_variable_macros());
  builder.add_overloads("cel.@mapInsert", {global("@mapInsert_map_map", {map, map}, map, map_insert_map),
                                           global("@mapInsert_map_key_value",
                                                  {map, &types::kParameterA, &types::kParameterB}, map, map_insert)});
}

}  // namespace berth::cel
