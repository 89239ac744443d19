#include "cel/plan/call_nodes.h"

#include <array>

#include <fmt/format.h>

namespace berth::cel {

namespace {

constexpr std::uint32_t bit(Kind kind) { return 1U << static_cast<unsigned>(kind); }
constexpr std::uint32_t kAnyKind = ~bit(Kind::kError);

std::uint32_t kinds_of(TypeRef type) {
  switch (type->kind) {
    case TypeKind::kDyn:
    case TypeKind::kAny:
    case TypeKind::kParameter:
    case TypeKind::kError:
      return kAnyKind;
    case TypeKind::kNull:
      return bit(Kind::kNull);
    case TypeKind::kBool:
      return bit(Kind::kBool);
    case TypeKind::kInt:
      return bit(Kind::kInt);
    case TypeKind::kUint:
      return bit(Kind::kUint);
    case TypeKind::kDouble:
      return bit(Kind::kDouble);
    case TypeKind::kString:
      return bit(Kind::kString);
    case TypeKind::kBytes:
      return bit(Kind::kBytes);
    case TypeKind::kDuration:
      return bit(Kind::kDuration);
    case TypeKind::kTimestamp:
      return bit(Kind::kTimestamp);
    case TypeKind::kList:
      return bit(Kind::kList);
    case TypeKind::kMap:
      return bit(Kind::kMap);
    case TypeKind::kType:
      return bit(Kind::kType);
    case TypeKind::kStruct:
      return bit(Kind::kObject);
    case TypeKind::kOpaque:
      return is_optional(type) ? bit(Kind::kOptional) : bit(Kind::kObject);
    case TypeKind::kWrapper:
      return kinds_of(type->parameters.front()) | bit(Kind::kNull);
  }
  return 0;
}

}  // namespace

Candidate::Candidate(const Overload& overload) : overload_(&overload) {
  for (const TypeRef parameter : overload.parameters) {
    const std::uint32_t kinds = kinds_of(parameter);
    wanted_.push_back({kinds, kinds == bit(Kind::kObject) ? parameter->name : std::string_view()});
  }
}

bool Candidate::accepts(std::span<const Value> arguments) const {
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if ((wanted_[i].kinds & bit(arguments[i].kind())) == 0) return false;
    if (!wanted_[i].object.empty() && arguments[i].as_object().type()->name != wanted_[i].object) return false;
  }
  return true;
}

CallNode::CallNode(std::string_view function, std::vector<Candidate> candidates, std::vector<NodePtr> arguments,
                   RuntimeCost cost)
    : function_(function), candidates_(std::move(candidates)), arguments_(std::move(arguments)), cost_(cost) {
  if (candidates_.size() != 1 || candidates_.front().overload().prepare == nullptr) return;
  std::vector<const Value*> constants;
  for (const NodePtr& argument : arguments_) constants.push_back(argument->constant());
  prepared_ = candidates_.front().overload().prepare(constants);
}

Value CallNode::call(EvalContext& context, std::span<const Value> arguments) const {
  for (const Candidate& candidate : candidates_) {
    if (!candidate.accepts(arguments)) continue;
    const Value result = candidate.overload().implementation(context, {arguments, prepared_.get()});
    context.charge(cost_.of(arguments, result));
    return result;
  }
  std::string types;
  for (const Value argument : arguments) {
    if (!types.empty()) types += ", ";
    types += type_of(argument)->name;
  }
  return context.fail(fmt::format("no such overload: {}({})", function_, types));
}

Value CallNode::evaluate(Frame& frame) const {
  std::array<Value, kInlineArguments> small;
  std::span<Value> values(small.data(), arguments_.size());
  if (arguments_.size() > kInlineArguments) {
    values = {frame.context.arena().make_array<Value>(arguments_.size()), arguments_.size()};
  }
  const Value* failed = nullptr;
  for (std::size_t i = 0; i < arguments_.size(); ++i) {
    values[i] = arguments_[i]->evaluate(frame);
    if (values[i].is_error() && failed == nullptr) failed = &values[i];
    // Up to two arguments are always evaluated, and the call is charged: so upstream counts.
    if (failed != nullptr && arguments_.size() > 2) return *failed;
  }
  if (failed != nullptr) {
    frame.context.charge(1);
    return *failed;
  }
  return call(frame.context, values);
}

std::optional<Value> CallNode::fold(EvalContext& context) const {
  std::vector<Value> values;
  for (const NodePtr& argument : arguments_) {
    if (argument->constant() == nullptr) return std::nullopt;
    context.charge(argument->constant_cost());
    values.push_back(*argument->constant());
  }
  const Value result = call(context, values);
  if (result.is_error() || context.is_cancelled()) return std::nullopt;
  return result;
}

Value EqualNode::evaluate(Frame& frame) const {
  const Value left = left_->evaluate(frame);
  const Value right = right_->evaluate(frame);
  frame.context.charge(equality_cost(left, right, !negate_));
  if (left.is_error()) return left;
  if (right.is_error()) return right;
  // Values of the libraries' types are only equal or not to their like; from all else they differ.
  if (left.is(Kind::kObject) && !right.is(Kind::kNull) && type_of(left)->name != type_of(right)->name) {
    return negate_ ? Value::boolean(true) : frame.context.no_such_overload();
  }
  return Value::boolean(equal(left, right, frame.context.arena()) != negate_);
}

}  // namespace berth::cel
