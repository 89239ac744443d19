#include "cel/plan/logic_nodes.h"

namespace berth::cel {

Value LogicNode::evaluate(Frame& frame) const {
  Value failed;
  for (const NodePtr& term : terms_) {
    const Value value = term->evaluate(frame);
    if (value.is(Kind::kBool)) [[likely]] {
      if (value.as_bool() == absorbing_) return value;
    } else if (!failed.is_error()) {
      failed = value.is_error() ? value : frame.context.no_such_overload();
    }
    // A limit that was passed is no error to absorb.
    if (frame.context.is_cancelled()) [[unlikely]] {
      return frame.context.cancelled();
    }
  }
  return failed.is_error() ? failed : Value::boolean(!absorbing_);
}

Value ConditionalNode::evaluate(Frame& frame) const {
  const Value condition = condition_->evaluate(frame);
  if (!condition.is(Kind::kBool)) return condition.is_error() ? condition : frame.context.no_such_overload();
  return condition.as_bool() ? yes_->evaluate(frame) : no_->evaluate(frame);
}

Value NotStrictlyFalseNode::evaluate(Frame& frame) const {
  const Value value = operand_->evaluate(frame);
  frame.context.charge(1);
  return Value::boolean(!value.is_false());
}

Value OptionalOrNode::evaluate(Frame& frame) const {
  const Value value = operand_->evaluate(frame);
  if (!value.is(Kind::kOptional)) return value.is_error() ? value : frame.context.no_such_overload();
  if (value.as_optional() != nullptr) return unwrap_ ? *value.as_optional() : value;
  const Value other = other_->evaluate(frame);
  if (!unwrap_ && !other.is(Kind::kOptional) && !other.is_error()) return frame.context.no_such_overload();
  return other;
}

}  // namespace berth::cel
