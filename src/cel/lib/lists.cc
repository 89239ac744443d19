// The list extension, version 3. Lists are sorted stably; equal elements keep their order.
#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "cel/containers.h"
#include "cel/eval_context.h"
#include "cel/lib/libraries.h"
#include "cel/operations.h"
#include "cel/standard.h"

namespace berth::cel {

namespace {

using ArgumentsRef = const Arguments&;

constexpr std::string_view kSortByInput = "@__sortBy_input__";

Value slice(EvalContext& context, ArgumentsRef a) {
  const List& list = a[0].as_list();
  const std::int64_t start = a[1].as_int();
  const std::int64_t end = a[2].as_int();
  const auto size = static_cast<std::int64_t>(list.size());
  if (start < 0 || end < 0 || start > end || end > size) {
    return context.fail(fmt::format("cannot slice({}, {}) a list of length {}", start, end, size));
  }
  if (!context.reserve(static_cast<std::size_t>(end - start) * sizeof(Value))) return context.cancelled();
  Value* items = nullptr;
  const ArrayList* out = ArrayList::make(static_cast<std::size_t>(end - start), context.arena(), items);
  for (std::int64_t i = start; i < end; ++i) {
    items[i - start] = list.at(static_cast<std::size_t>(i), context.arena());
  }
  return Value::list(out);
}

// False: out of memory.
bool flatten_into(ArrayList& out, const List& list, std::int64_t depth, EvalContext& context) {
  for (std::size_t i = 0; i < list.size(); ++i) {
    const Value element = list.at(i, context.arena());
    if (element.is(Kind::kList) && depth > 0) {
      if (!flatten_into(out, element.as_list(), depth - 1, context)) return false;
      continue;
    }
    if (!context.reserve(sizeof(Value) * 4)) return false;
    out.push_back(element, context.arena());
  }
  return true;
}
Value flatten(EvalContext& context, ArgumentsRef a) {
  const std::int64_t depth = a.size() == 2 ? a[1].as_int() : 1;
  if (depth < 0) return context.fail("flatten: the level must be non-negative");
  auto* out = context.arena().make<ArrayList>();
  return flatten_into(*out, a[0].as_list(), depth, context) ? Value::list(out) : context.cancelled();
}

Value range(EvalContext& context, ArgumentsRef a) {
  const std::int64_t size = a[0].as_int();
  if (size < 0) return context.fail("lists.range: the size must be non-negative");
  const auto count = static_cast<std::size_t>(size);
  if (count > context.arena().limit() / sizeof(Value) || !context.reserve(count * sizeof(Value))) {
    (void)context.reserve(context.arena().limit() + 1);
    return context.cancelled();
  }
  Value* items = nullptr;
  const ArrayList* out = ArrayList::make(count, context.arena(), items);
  for (std::size_t i = 0; i < count; ++i) items[i] = Value::integer(static_cast<std::int64_t>(i));
  return Value::list(out);
}

Value reverse(EvalContext& context, ArgumentsRef a) {
  const List& list = a[0].as_list();
  if (!context.reserve(list.size() * sizeof(Value))) return context.cancelled();
  Value* items = nullptr;
  const ArrayList* out = ArrayList::make(list.size(), context.arena(), items);
  for (std::size_t i = 0; i < list.size(); ++i) items[list.size() - 1 - i] = list.at(i, context.arena());
  return Value::list(out);
}

Value distinct(EvalContext& context, ArgumentsRef a) {
  const List& list = a[0].as_list();
  auto* out = context.arena().make<ArrayList>();
  for (std::size_t i = 0; i < list.size(); ++i) {
    const Value element = list.at(i, context.arena());
    if (contains_value(element, Value::list(out), context).is_true()) continue;
    if (!context.reserve(sizeof(Value) * 4)) return context.cancelled();
    out->push_back(element, context.arena());
  }
  return Value::list(out);
}

// The elements in the order of their keys, which are of one type.
Value sorted(EvalContext& context, const List& list, const List& keys) {
  const std::size_t size = list.size();
  if (keys.size() != size) return context.fail("sortBy: there must be as many keys as elements");
  struct Keyed {
    Value key;
    Value element;
  };
  std::vector<Keyed> entries;
  entries.reserve(size);
  for (std::size_t i = 0; i < size; ++i) {
    entries.push_back({keys.at(i, context.arena()), list.at(i, context.arena())});
    if (entries.back().key.kind() != entries.front().key.kind() || !compare(entries.back().key, entries.back().key)) {
      return context.fail("list elements must have the same type, and one that is ordered");
    }
  }
  std::stable_sort(entries.begin(), entries.end(),
                   [](const Keyed& x, const Keyed& y) { return compare(x.key, y.key) == Order::kLess; });
  if (!context.reserve(size * sizeof(Value))) return context.cancelled();
  Value* items = nullptr;
  const ArrayList* out = ArrayList::make(size, context.arena(), items);
  for (std::size_t i = 0; i < size; ++i) items[i] = entries[i].element;
  return Value::list(out);
}
Value sort(EvalContext& context, ArgumentsRef a) { return sorted(context, a[0].as_list(), a[0].as_list()); }
Value sort_by_keys(EvalContext& context, ArgumentsRef a) { return sorted(context, a[0].as_list(), a[1].as_list()); }

Value first(EvalContext& context, ArgumentsRef a) {
  const List& list = a[0].as_list();
  return list.size() == 0 ? Value::optional(nullptr) : make_optional(list.at(0, context.arena()), context);
}
Value last(EvalContext& context, ArgumentsRef a) {
  const List& list = a[0].as_list();
  return list.size() == 0 ? Value::optional(nullptr)
                          : make_optional(list.at(list.size() - 1, context.arena()), context);
}

// list.sortBy(x, key): the list is bound, so that it is computed once for the keys and the elements.
ExprId expand_sort_by(const MacroCall& call) {
  Ast& ast = call.ast;
  const std::uint32_t at = call.offset;
  MacroCall mapped = call;
  mapped.target = ast.ident(kSortByInput, at);
  const ExprId keys = expand_map(mapped);
  if (keys == kNoExpr) return kNoExpr;
  const ExprId sorted = ast.member_call("@sortByAssociatedKeys", ast.ident(kSortByInput, at), std::array{keys}, at);
  return make_bind(ast, kSortByInput, call.target, sorted, at);
}

constexpr std::array kMacros = {Macro{"sortBy", true, 2, expand_sort_by}};

}  // namespace

void add_lists(EnvironmentBuilder& builder) {
  const TypeRef i = &types::kInt, list = &types::kListA, optional = &types::kOptionalA, any = &types::kListDyn;
  TypePool& pool = builder.types();
  builder.add_overload("slice", member("list_slice", {list, i, i}, list, slice));
  builder.add_overloads("flatten", {member("list_flatten", {pool.list(list)}, list, flatten),
                                    member("list_flatten_int", {any, i}, any, flatten)});
  builder.add_overload("lists.range", global("lists_range", {i}, &types::kListInt, range));
  builder.add_overload("reverse", member("list_reverse", {list}, list, reverse));
  builder.add_overload("distinct", member("list_distinct", {list}, list, distinct));
  builder.add_overload("first", member("list_first", {list}, optional, first));
  builder.add_overload("last", member("list_last", {list}, optional, last));
  for (const TypeRef type : {&types::kInt, &types::kUint, &types::kDouble, &types::kBool, &types::kDuration,
                             &types::kTimestamp, &types::kString, &types::kBytes}) {
    const TypeRef typed = pool.list(type);
    builder.add_overload("sort", member(fmt::format("list_{}_sort", type->name), {typed}, typed, sort));
    builder.add_overload("@sortByAssociatedKeys", member(fmt::format("list_{}_sortByAssociatedKeys", type->name),
                                                         {list, typed}, list, sort_by_keys));
  }
  builder.add_macros(kMacros);
}

}  // namespace berth::cel
