// A step of a compiled program. Nodes are immutable and shared between threads; what changes is in the Frame.
#pragma once

#include <memory>
#include <span>

#include "cel/eval_context.h"
#include "cel/value.h"

namespace berth::cel {

struct Frame {
  EvalContext& context;
  std::span<const Value> variables;  // by Variable::slot
  Value* locals;                     // one slot per binding of the program; never reused by another binding
};

class Node {
 public:
  Node() = default;
  Node(const Node&) = delete;
  Node& operator=(const Node&) = delete;
  virtual ~Node() = default;
  // The value or an error value. Charges its own run-time cost.
  [[nodiscard]] virtual Value evaluate(Frame& frame) const = 0;
  // The value if it is known before any evaluation.
  [[nodiscard]] virtual const Value* constant() const { return nullptr; }
  // Cost that an evaluation of a constant charges.
  [[nodiscard]] virtual std::uint64_t constant_cost() const { return 0; }
};

using NodePtr = std::unique_ptr<const Node>;

}  // namespace berth::cel
