#include "cel/plan/fold_nodes.h"

#include "cel/containers.h"
#include "cel/cost/runtime_cost.h"
#include "cel/plan/access_nodes.h"

namespace berth::cel {

bool FoldNode::step(Frame& frame) const {
  frame.context.loop_step();
  const Value go_on = parts_.condition->evaluate(frame);
  if (go_on.is_false()) return false;
  Value& accu = frame.locals[parts_.accu_slot];
  accu = parts_.step->evaluate(frame);
  return !frame.context.is_cancelled();
}

Value FoldNode::evaluate(Frame& frame) const {
  const Value range = parts_.range->evaluate(frame);
  if (range.is_error()) return range;
  EvalContext& context = frame.context;
  frame.locals[parts_.accu_slot] = parts_.init->evaluate(frame);
  Value& first = frame.locals[parts_.iter_slot];
  Value& second = frame.locals[parts_.two_variables ? parts_.iter2_slot : parts_.iter_slot];
  if (range.is(Kind::kList)) {
    const List& list = range.as_list();
    const std::size_t size = list.size();
    for (std::size_t i = 0; i < size; ++i) {
      if (parts_.two_variables) first = Value::integer(static_cast<std::int64_t>(i));
      second = list.at(i, context.arena());
      if (!step(frame)) break;
    }
  } else if (range.is(Kind::kMap)) {
    const Map& map = range.as_map();
    const std::size_t size = map.size();
    for (std::size_t i = 0; i < size; ++i) {
      if (parts_.two_variables) second = map.value_at(i, context.arena());
      first = map.key_at(i, context.arena());
      if (!step(frame)) break;
    }
  } else {
    return context.fail("no such overload: a loop needs a list or a map");
  }
  if (context.is_cancelled()) return context.cancelled();
  return parts_.result->evaluate(frame);
}

Value BindNode::evaluate(Frame& frame) const {
  frame.locals[slot_] = LazyNode::unset();
  return result_->evaluate(frame);
}

Value AppendNode::evaluate(Frame& frame) const {
  EvalContext& context = frame.context;
  context.charge(1);  // reading the accumulator
  const Value accu = frame.locals[accu_slot_];
  if (accu.is_error()) return accu;
  const Value element = element_->evaluate(frame);
  if (element.is_error()) return element;
  context.charge(kListCost + 1);
  if (!accu.is(Kind::kList)) return context.no_such_overload();
  if (!context.reserve(sizeof(Value) * 4)) return context.cancelled();
  const List& list = accu.as_list();
  ArrayList* grown = nullptr;
  if (list.size() == 0) {
    // The literal [] that the loop starts with belongs to the program.
    grown = context.arena().make<ArrayList>();
  } else {
    grown = const_cast<ArrayList*>(static_cast<const ArrayList*>(&list));
  }
  grown->push_back(element, context.arena());
  return Value::list(grown);
}

}  // namespace berth::cel
