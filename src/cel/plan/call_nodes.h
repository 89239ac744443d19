// Calls of functions.
#pragma once

#include <memory>
#include <vector>

#include "cel/cost/runtime_cost.h"
#include "cel/declarations.h"
#include "cel/plan/node.h"

namespace berth::cel {

// An overload with what is needed to see quickly whether values fit it.
class Candidate {
 public:
  explicit Candidate(const Overload& overload);
  [[nodiscard]] bool accepts(std::span<const Value> arguments) const;
  [[nodiscard]] const Overload& overload() const { return *overload_; }

 private:
  struct Wanted {
    std::uint32_t kinds = 0;  // a bit for each Kind
    std::string_view object;  // name of the type of an object
  };
  const Overload* overload_;
  std::vector<Wanted> wanted_;
};

// f(a, b, ...): evaluates the arguments, calls the first overload that they fit.
class CallNode final : public Node {
 public:
  CallNode(std::string_view function, std::vector<Candidate> candidates, std::vector<NodePtr> arguments,
           RuntimeCost cost);
  Value evaluate(Frame& frame) const override;
  // The value of the call if it can be computed now; nothing if not.
  [[nodiscard]] std::optional<Value> fold(EvalContext& context) const;

 private:
  static constexpr std::size_t kInlineArguments = 4;

  Value call(EvalContext& context, std::span<const Value> arguments) const;

  std::string_view function_;
  std::vector<Candidate> candidates_;
  std::vector<NodePtr> arguments_;
  RuntimeCost cost_;
  std::shared_ptr<const void> prepared_;  // for the only candidate
};

// a == b and a != b.
class EqualNode final : public Node {
 public:
  EqualNode(NodePtr left, NodePtr right, bool negate)
      : left_(std::move(left)), right_(std::move(right)), negate_(negate) {}
  Value evaluate(Frame& frame) const override;

 private:
  NodePtr left_;
  NodePtr right_;
  bool negate_;
};

}  // namespace berth::cel
