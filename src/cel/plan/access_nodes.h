// Reading: constants, variables, fields, elements.
#pragma once

#include <optional>
#include <string_view>

#include "cel/environment.h"
#include "cel/plan/node.h"

namespace berth::cel {

// A value known when the program was made. `cost` is what computing it would have charged.
class ConstantNode final : public Node {
 public:
  explicit ConstantNode(Value value, std::uint64_t cost = 0) : value_(value), cost_(cost) {}
  Value evaluate(Frame& frame) const override {
    if (cost_ != 0) frame.context.charge(cost_);
    return value_;
  }
  [[nodiscard]] const Value* constant() const override { return &value_; }
  [[nodiscard]] std::uint64_t constant_cost() const override { return cost_; }

 private:
  Value value_;
  std::uint64_t cost_;
};

// Something that can only fail.
class FailureNode final : public Node {
 public:
  // The message must live as long as the program.
  explicit FailureNode(std::string_view message) : message_(message) {}
  Value evaluate(Frame& frame) const override { return frame.context.fail(message_); }

 private:
  std::string_view message_;
};

class VariableNode final : public Node {
 public:
  VariableNode(std::uint32_t slot, std::string_view name, std::uint64_t cost) : slot_(slot), name_(name), cost_(cost) {}
  Value evaluate(Frame& frame) const override;

 private:
  std::uint32_t slot_;
  std::string_view name_;
  std::uint64_t cost_;
};

// A variable of a loop.
class LocalNode final : public Node {
 public:
  LocalNode(std::uint32_t slot, std::uint64_t cost) : slot_(slot), cost_(cost) {}
  Value evaluate(Frame& frame) const override {
    frame.context.charge(cost_);
    return frame.locals[slot_];
  }

 private:
  std::uint32_t slot_;
  std::uint64_t cost_;
};

// A variable of cel.bind: computed when it is first read.
class LazyNode final : public Node {
 public:
  LazyNode(std::uint32_t slot, const Node& init, std::uint64_t cost) : slot_(slot), init_(init), cost_(cost) {}
  Value evaluate(Frame& frame) const override;
  // What a slot holds before that.
  static Value unset() { return Value::error(nullptr); }

 private:
  std::uint32_t slot_;
  const Node& init_;  // owned by the BindNode
  std::uint64_t cost_;
};

// Whether a selection tests, insists, or gives an optional value.
enum class Access : std::uint8_t { kRequired, kOptional, kPresence };

// operand.field where the field's place in the operand's type is known. A host may also give a map for a type with
// fields.
class FieldNode final : public Node {
 public:
  FieldNode(NodePtr operand, std::string_view name, std::uint32_t slot, Access access, std::uint64_t cost)
      : operand_(std::move(operand)), name_(name), slot_(slot), access_(access), cost_(cost) {}
  Value evaluate(Frame& frame) const override;

 private:
  [[nodiscard]] std::optional<Value> read(Value operand, EvalContext& context) const;

  NodePtr operand_;
  std::string_view name_;
  std::uint32_t slot_;
  Access access_;
  std::uint64_t cost_;  // of starting a chain of selections here, beside that of the selection
};

// operand.name on a map, an object or an optional of these.
class SelectNode final : public Node {
 public:
  SelectNode(NodePtr operand, std::string_view name, Access access, const Environment& environment, std::uint64_t cost)
      : operand_(std::move(operand)), name_(name), access_(access), environment_(environment), cost_(cost) {}
  Value evaluate(Frame& frame) const override;

 private:
  NodePtr operand_;
  std::string_view name_;
  Access access_;
  const Environment& environment_;
  std::uint64_t cost_;
};

// operand[index] and operand[?index].
class IndexNode final : public Node {
 public:
  IndexNode(NodePtr operand, NodePtr index, bool optional, std::uint64_t cost)
      : operand_(std::move(operand)), index_(std::move(index)), optional_(optional), cost_(cost) {}
  Value evaluate(Frame& frame) const override;

 private:
  NodePtr operand_;
  NodePtr index_;
  bool optional_;
  std::uint64_t cost_;
};

}  // namespace berth::cel
