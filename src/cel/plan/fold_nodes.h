// Loops and bindings.
#pragma once

#include <cstdint>

#include "cel/plan/node.h"

namespace berth::cel {

struct FoldParts {
  NodePtr range;
  NodePtr init;
  NodePtr condition;
  NodePtr step;
  NodePtr result;
  std::uint32_t iter_slot = 0;
  std::uint32_t iter2_slot = 0;
  std::uint32_t accu_slot = 0;
  bool two_variables = false;
};

class FoldNode final : public Node {
 public:
  explicit FoldNode(FoldParts parts) : parts_(std::move(parts)) {}
  Value evaluate(Frame& frame) const override;

 private:
  // One step; false: the loop is over.
  bool step(Frame& frame) const;

  FoldParts parts_;
};

// cel.bind: a loop over nothing, that is, a variable and the expression that uses it.
class BindNode final : public Node {
 public:
  BindNode(std::uint32_t slot, NodePtr init) : slot_(slot), init_(std::move(init)) {}
  void set_result(NodePtr result) { result_ = std::move(result); }
  [[nodiscard]] const Node& init() const { return *init_; }
  Value evaluate(Frame& frame) const override;

 private:
  std::uint32_t slot_;
  NodePtr init_;
  NodePtr result_;
};

// accu + [element] inside a loop: appends to the list that only the loop can see.
class AppendNode final : public Node {
 public:
  AppendNode(std::uint32_t accu_slot, NodePtr element) : accu_slot_(accu_slot), element_(std::move(element)) {}
  Value evaluate(Frame& frame) const override;

 private:
  std::uint32_t accu_slot_;
  NodePtr element_;
};

}  // namespace berth::cel
