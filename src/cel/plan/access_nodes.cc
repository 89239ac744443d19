#include "cel/plan/access_nodes.h"

#include <fmt/format.h>

#include "cel/operations.h"

namespace berth::cel {

namespace {

// The field of a map or object; nothing if it is not there; an error value if there can be none.
std::optional<Value> find_field(Value operand, std::string_view name, const Environment& environment,
                                EvalContext& context) {
  if (operand.is(Kind::kMap)) return find_value(operand, Value::string(name), context);
  if (operand.is(Kind::kObject)) {
    const Object& object = operand.as_object();
    const StructType* type = environment.find_struct(object.type()->name);
    if (type == nullptr) return context.fail("no such overload: the type has no fields");
    for (std::uint32_t slot = 0; slot < type->fields.size(); ++slot) {
      if (type->fields[slot].name != name) continue;
      if (!object.has_field(slot)) return std::nullopt;
      return object.field(slot, context.arena());
    }
    return context.fail(fmt::format("no such field '{}'", name));
  }
  return context.fail(fmt::format("no such overload: a {} has no fields", type_of(operand)->name));
}

// Nothing is missing in a text or a number; lists have no fields, which is an error.
bool may_have_fields(Value value) { return value.is(Kind::kMap) || value.is(Kind::kObject) || value.is(Kind::kList); }

// What is not there costs nothing.
Value as_optional(const std::optional<Value>& found, EvalContext& context) {
  if (!found) return Value::optional(nullptr);
  context.charge(1);
  return found->is_error() ? *found : make_optional(*found, context);
}

}  // namespace

Value VariableNode::evaluate(Frame& frame) const {
  frame.context.charge(cost_);
  if (slot_ < frame.variables.size()) [[likely]] {
    return frame.variables[slot_];
  }
  return frame.context.fail(fmt::format("no such attribute: {}", name_));
}

Value LazyNode::evaluate(Frame& frame) const {
  frame.context.charge(cost_);
  Value& slot = frame.locals[slot_];
  if (slot.is_unset()) slot = init_.evaluate(frame);
  return slot;
}

std::optional<Value> FieldNode::read(Value operand, EvalContext& context) const {
  if (operand.is(Kind::kMap)) return find_value(operand, Value::string(name_), context);
  const Object& object = operand.as_object();
  if (access_ != Access::kRequired && !object.has_field(slot_)) return std::nullopt;
  return object.field(slot_, context.arena());
}

Value FieldNode::evaluate(Frame& frame) const {
  const Value operand = operand_->evaluate(frame);
  if (operand.is_error()) return operand;
  EvalContext& context = frame.context;
  if (!operand.is(Kind::kObject) && !operand.is(Kind::kMap)) return context.no_such_overload();
  switch (access_) {
    case Access::kRequired: {
      context.charge(1 + cost_);
      const auto found = read(operand, context);
      return found ? *found : context.fail(fmt::format("no such key: {}", name_));
    }
    case Access::kOptional:
      context.charge(cost_);
      return as_optional(read(operand, context), context);
    case Access::kPresence:
      return Value::boolean(read(operand, context).has_value());
  }
  return context.no_such_overload();
}

Value SelectNode::evaluate(Frame& frame) const {
  Value operand = operand_->evaluate(frame);
  if (operand.is_error()) return operand;
  EvalContext& context = frame.context;
  Access access = access_;
  context.charge(cost_);
  if (operand.is(Kind::kOptional)) {
    if (operand.as_optional() == nullptr) {
      return access == Access::kPresence ? Value::boolean(false) : operand;
    }
    operand = *operand.as_optional();
    if (access == Access::kRequired) access = Access::kOptional;
  }
  switch (access) {
    case Access::kRequired:
      context.charge(1);
      if (operand.is(Kind::kMap)) return index_value(operand, Value::string(name_), context);
      if (const auto found = find_field(operand, name_, environment_, context)) return *found;
      return context.fail(fmt::format("no such key: {}", name_));
    case Access::kOptional:
      if (access_ == Access::kOptional && !may_have_fields(operand)) return Value::optional(nullptr);
      return as_optional(find_field(operand, name_, environment_, context), context);
    case Access::kPresence: {
      if (!may_have_fields(operand)) return Value::boolean(false);
      const auto found = find_field(operand, name_, environment_, context);
      return found && found->is_error() ? *found : Value::boolean(found.has_value());
    }
  }
  return context.no_such_overload();
}

Value IndexNode::evaluate(Frame& frame) const {
  const Value operand = operand_->evaluate(frame);
  if (operand.is_error()) return operand;
  const Value index = index_->evaluate(frame);
  if (index.is_error()) return index;
  EvalContext& context = frame.context;
  context.charge(cost_);
  if (operand.is(Kind::kOptional)) {
    if (operand.as_optional() == nullptr) return operand;
    return as_optional(find_value(*operand.as_optional(), index, context), context);
  }
  if (optional_) return as_optional(find_value(operand, index, context), context);
  context.charge(1);
  return index_value(operand, index, context);
}

}  // namespace berth::cel
