#include "cel/plan/build_nodes.h"

#include <algorithm>

#include "cel/containers.h"
#include "cel/cost/runtime_cost.h"

namespace berth::cel {

Value ListNode::evaluate(Frame& frame) const {
  EvalContext& context = frame.context;
  auto* list = context.arena().make<ArrayList>(context.arena().make_array<Value>(0), 0);
  for (const Element& element : elements_) {
    Value value = element.node->evaluate(frame);
    if (value.is_error()) return value;
    if (element.optional) {
      if (!value.is(Kind::kOptional)) return context.no_such_overload();
      if (value.as_optional() == nullptr) continue;
      value = *value.as_optional();
    }
    list->push_back(value, context.arena());
  }
  context.charge(kListCost);
  return Value::list(list);
}

std::optional<Value> ListNode::fold(EvalContext& context) const {
  const bool constant = std::ranges::all_of(
      elements_, [](const Element& element) { return element.node->constant() != nullptr && !element.optional; });
  if (!constant) return std::nullopt;
  Frame frame{context, {}, nullptr};
  return evaluate(frame);
}

Value MapNode::evaluate(Frame& frame) const {
  EvalContext& context = frame.context;
  auto* map = context.arena().make<ArrayMap>();
  for (const Entry& entry : entries_) {
    const Value key = entry.key->evaluate(frame);
    if (key.is_error()) return key;
    Value value = entry.value->evaluate(frame);
    if (value.is_error()) return value;
    if (entry.optional) {
      if (!value.is(Kind::kOptional)) return context.no_such_overload();
      if (value.as_optional() == nullptr) continue;
      value = *value.as_optional();
    }
    if (any_keys_) {
      if (key.is(Kind::kBytes)) return context.fail("unsupported key type: bytes");
      map->put(key, value, context.arena());
      continue;
    }
    if (!is_map_key(key)) return context.fail("unsupported key type: a key is a bool, an int, a uint or a string");
    if (!map->insert(key, value, context.arena())) return context.fail("repeated key in a map");
  }
  context.charge(kMapCost);
  return Value::map(map);
}

std::optional<Value> MapNode::fold(EvalContext& context) const {
  const bool constant = std::ranges::all_of(entries_, [](const Entry& entry) {
    return entry.key->constant() != nullptr && entry.value->constant() != nullptr && !entry.optional;
  });
  if (!constant) return std::nullopt;
  Frame frame{context, {}, nullptr};
  const Value value = evaluate(frame);
  return value.is_error() ? std::nullopt : std::optional(value);
}

}  // namespace berth::cel
