// Operators that do not need all of their operands: && || ?: and those of optional values.
#pragma once

#include <vector>

#include "cel/plan/node.h"

namespace berth::cel {

// && if `absorbing` is false, || if it is true: an operand of that value decides, whatever the others are; without one
// an operand that failed makes the whole fail.
class LogicNode final : public Node {
 public:
  LogicNode(std::vector<NodePtr> terms, bool absorbing) : terms_(std::move(terms)), absorbing_(absorbing) {}
  Value evaluate(Frame& frame) const override;

 private:
  std::vector<NodePtr> terms_;
  bool absorbing_;
};

class ConditionalNode final : public Node {
 public:
  ConditionalNode(NodePtr condition, NodePtr yes, NodePtr no)
      : condition_(std::move(condition)), yes_(std::move(yes)), no_(std::move(no)) {}
  Value evaluate(Frame& frame) const override;

 private:
  NodePtr condition_;
  NodePtr yes_;
  NodePtr no_;
};

// False only for false; what the loops of all() and exists() go on with.
class NotStrictlyFalseNode final : public Node {
 public:
  explicit NotStrictlyFalseNode(NodePtr operand) : operand_(std::move(operand)) {}
  Value evaluate(Frame& frame) const override;

 private:
  NodePtr operand_;
};

// optional.or(optional) and optional.orValue(value).
class OptionalOrNode final : public Node {
 public:
  OptionalOrNode(NodePtr operand, NodePtr other, bool unwrap)
      : operand_(std::move(operand)), other_(std::move(other)), unwrap_(unwrap) {}
  Value evaluate(Frame& frame) const override;

 private:
  NodePtr operand_;
  NodePtr other_;
  bool unwrap_;
};

}  // namespace berth::cel
