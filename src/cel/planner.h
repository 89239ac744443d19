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

 private:
  struct Local {
    std::string_view name;
    std::uint32_t slot = 0;
    const BindNode* bind = nullptr;  // not null: read through LazyNode
  };

  NodePtr node(ExprId id);
  NodePtr ident(ExprId id, const Expr& expr);
  NodePtr declared(const Reference& reference) const;
  NodePtr select(ExprId id, const Expr& expr);
  NodePtr call(ExprId id, const Expr& expr);
  NodePtr operator_call(const Expr& expr, std::span<const Child> children);
  NodePtr function_call(ExprId id, const Expr& expr);
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

  const CheckedAst& checked_;
  const Ast& ast_;
  Arena& arena_;
  std::vector<Local> locals_;
  std::uint32_t local_count_ = 0;
};

}  // namespace berth::cel
