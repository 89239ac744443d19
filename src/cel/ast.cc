#include "cel/ast.h"

#include <algorithm>

namespace berth::cel {

Ast::Ast(Source source) : source_(std::make_unique<Source>(std::move(source))), arena_(std::make_unique<Arena>()) {
  const std::size_t guess = source_->text().size() / 3 + 8;
  exprs_.reserve(guess);
  children_.reserve(guess);
  exprs_.emplace_back();  // kNoExpr
}

ExprId Ast::add(Expr expr) {
  if (expr.depth > kMaxDepth || expr.weight > kMaxWeight) too_large_ = true;
  exprs_.push_back(expr);
  return static_cast<ExprId>(exprs_.size() - 1);
}

void Ast::reach(Expr& expr, ExprId child) const {
  const Expr& below = exprs_[child];
  // Saturates one over the limits, so that sums never wrap.
  expr.depth =
      static_cast<std::uint16_t>(std::clamp<int>(below.depth + 1, expr.depth, static_cast<int>(kMaxDepth) + 1));
  expr.weight = std::min(expr.weight + below.weight, kMaxWeight + 1);
}

ExprId Ast::with_children(Expr expr, std::span<const Child> children) {
  expr.first_child = static_cast<std::uint32_t>(children_.size());
  expr.child_count = static_cast<std::uint32_t>(children.size());
  for (const Child& child : children) reach(expr, child.id);
  children_.insert(children_.end(), children.begin(), children.end());
  return add(expr);
}

std::string_view Ast::keep(std::string_view name) { return arena_->copy(name); }

ExprId Ast::literal(Value value, std::uint32_t offset) {
  Expr expr;
  expr.offset = offset;
  expr.literal = value;
  return add(expr);
}
ExprId Ast::string_literal(std::string_view text, std::uint32_t offset) {
  return literal(Value::string(keep(text)), offset);
}
ExprId Ast::bytes_literal(std::string_view data, std::uint32_t offset) {
  return literal(Value::bytes(keep(data)), offset);
}

ExprId Ast::ident(std::string_view name, std::uint32_t offset) {
  Expr expr;
  expr.kind = ExprKind::kIdent;
  expr.offset = offset;
  expr.name = name;
  return add(expr);
}

ExprId Ast::select(ExprId operand, std::string_view field, std::uint32_t offset, bool test_only) {
  Expr expr;
  expr.kind = ExprKind::kSelect;
  expr.offset = offset;
  expr.operand = operand;
  expr.name = field;
  expr.test_only = test_only;
  reach(expr, operand);
  return add(expr);
}

ExprId Ast::call(std::string_view function, std::span<const ExprId> arguments, std::uint32_t offset) {
  return member_call(function, kNoExpr, arguments, offset);
}

ExprId Ast::member_call(std::string_view function, ExprId target, std::span<const ExprId> arguments,
                        std::uint32_t offset) {
  Expr expr;
  expr.kind = ExprKind::kCall;
  expr.offset = offset;
  expr.name = function;
  expr.operand = target;
  expr.member = target != kNoExpr;
  if (expr.member) reach(expr, target);
  expr.first_child = static_cast<std::uint32_t>(children_.size());
  expr.child_count = static_cast<std::uint32_t>(arguments.size());
  for (const ExprId argument : arguments) {
    reach(expr, argument);
    children_.push_back({argument, false, {}});
  }
  return add(expr);
}

ExprId Ast::list(std::span<const Child> elements, std::uint32_t offset) {
  Expr expr;
  expr.kind = ExprKind::kList;
  expr.offset = offset;
  return with_children(expr, elements);
}
ExprId Ast::list(std::initializer_list<ExprId> elements, std::uint32_t offset) {
  std::vector<Child> children;
  for (const ExprId element : elements) children.push_back({element, false, {}});
  return list(children, offset);
}

ExprId Ast::map(std::span<const Child> keys_and_values, std::uint32_t offset) {
  Expr expr;
  expr.kind = ExprKind::kMap;
  expr.offset = offset;
  return with_children(expr, keys_and_values);
}

ExprId Ast::structure(std::string_view type, std::span<const Child> fields, std::uint32_t offset) {
  Expr expr;
  expr.kind = ExprKind::kStruct;
  expr.offset = offset;
  expr.name = type;
  return with_children(expr, fields);
}

ExprId Ast::comprehension(const Comprehension& parts, std::uint32_t offset) {
  Expr expr;
  expr.kind = ExprKind::kComprehension;
  expr.offset = offset;
  expr.comprehension = static_cast<std::uint32_t>(comprehensions_.size());
  for (const ExprId part : {parts.range, parts.init, parts.condition, parts.step, parts.result}) reach(expr, part);
  comprehensions_.push_back(parts);
  return add(expr);
}

std::string Ast::qualified_name(ExprId id) const {
  const Expr& expr = exprs_[id];
  if (expr.kind == ExprKind::kIdent) return std::string(expr.name);
  if (expr.kind != ExprKind::kSelect || expr.test_only) return {};
  std::string out = qualified_name(expr.operand);
  if (out.empty()) return {};
  out += '.';
  out += expr.name;
  return out;
}

}  // namespace berth::cel
