// A compiled expression, ready to be evaluated any number of times from any number of threads.
//
//   EnvironmentBuilder builder;
//   add_standard(builder);
//   const auto environment = builder.build();
//   auto checked = compile("1 + 2", environment);
//   const Program program(*std::move(checked));
//   Arena arena;
//   EvalContext context(arena);
//   const Value three = program.evaluate({}, context);
#pragma once

#include <memory>
#include <span>
#include <string>

#include "cel/checker.h"
#include "cel/eval_context.h"
#include "cel/plan/node.h"

namespace berth::cel {

class Program {
 public:
  explicit Program(CheckedAst checked);
  Program(Program&&) noexcept;
  Program& operator=(Program&&) noexcept;
  ~Program();

  // The value, or an error value. `variables` holds a value per slot of the environment; a slot without one holds an
  // error value that says so. O(cost of the expression); no heap allocation beyond the arena's.
  [[nodiscard]] Value evaluate(std::span<const Value> variables, EvalContext& context) const;

  [[nodiscard]] const CheckedAst& checked() const { return *checked_; }
  [[nodiscard]] TypeRef result_type() const { return checked_->result_type(); }
  // A conversion of constants that can only fail, such as int("x"); kNoExpr if there is none. It is an error when it is
  // reached; hosts may refuse it at once.
  [[nodiscard]] ExprId bad_conversion() const { return bad_conversion_; }

 private:
  std::unique_ptr<const CheckedAst> checked_;
  std::unique_ptr<Arena> constants_;
  NodePtr root_;
  std::uint32_t local_count_ = 0;
  ExprId bad_conversion_ = kNoExpr;
};

}  // namespace berth::cel
