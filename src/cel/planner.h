// Turns a checked tree into nodes: resolves variables to slots, picks overloads, computes what is constant.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "cel/checker.h"
#include "cel/plan/node.h"

namespace berth::cel {

class BindNode;

class Planner {
 public:
  // Constants are made in `arena`, which must live as long as the nodes, like the tree.
  Planner(const CheckedAst& checked, Arena& arena) : checked_(checked), ast_(checked.ast), arena_(arena) {}

  NodePtr plan() { return node(ast_.root()); }
  // Slots that a frame needs; after plan().
  [[nodiscard]] std::uint32_t local_count() const { return local_count_; }
  // A conversion of constants that can only fail, such as int("x"); kNoExpr if there is none. After plan().
  [[nodiscard]] ExprId bad_conversion() const { return bad_conversion_; }

 private:
  struct Local {
    std::string_view name;
    std::uint32_t slot = 0;
    const BindNode* bind = nullptr;  // not null: read through LazyNode
  };

  NodePtr node(ExprId id) { return node(id, kChained); }
  // Reading a variable, or starting a chain of selections on something else, costs `chain_cost`: nothing as an index or
  // as a branch of a conditional, which upstream sees as parts of one access.
  NodePtr node(ExprId id, std::uint64_t chain_cost);
  NodePtr ident(ExprId id, const Expr& expr, std::uint64_t chain_cost);
  NodePtr declared(const Reference& reference, std::uint64_t chain_cost) const;
  NodePtr select(ExprId id, const Expr& expr, std::uint64_t chain_cost);
  NodePtr call(ExprId id, const Expr& expr, std::uint64_t chain_cost);
  NodePtr operator_call(const Expr& expr, std::span<const Child> children, std::uint64_t chain_cost);
  // Whether the node is itself an access that carries the cost of the chain.
  [[nodiscard]] bool is_access(ExprId id) const;
  // What starting a chain on that operand costs the access itself.
  [[nodiscard]] std::uint64_t own_chain_cost(ExprId operand, std::uint64_t chain_cost) const;
  NodePtr function_call(ExprId id, const Expr& expr);
  [[nodiscard]] bool converts_constant(ExprId id) const;
  NodePtr logic(ExprId id, std::string_view function);
  void collect_terms(ExprId id, std::string_view function, std::vector<NodePtr>& terms);
  NodePtr list(const Expr& expr);
  NodePtr map(const Expr& expr);
  NodePtr comprehension(const Expr& expr);
  NodePtr step(const Comprehension& parts, std::uint32_t accu_slot);
  NodePtr bind(const Comprehension& parts);
  NodePtr failure(std::string_view message);
  [[nodiscard]] const Local* find_local(std::string_view name) const;
  [[nodiscard]] bool is_bind(const Comprehension& parts) const;

  static constexpr std::uint64_t kChained = 1;

  const CheckedAst& checked_;
  const Ast& ast_;
  Arena& arena_;
  std::vector<Local> locals_;
  std::uint32_t local_count_ = 0;
  ExprId bad_conversion_ = kNoExpr;
};

}  // namespace berth::cel
