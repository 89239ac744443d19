// The tree of a parsed expression.
//
// Nodes are numbered and never change once made. Macros may use one node in two places (the target of optMap), so the
// tree is in truth a graph without cycles; `weight` counts a node as often as it is reached, and is bounded, so that
// every walk over the graph as a tree is bounded too. Names are views of the source or of texts the Ast keeps.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cel/source.h"
#include "cel/value.h"

namespace berth::cel {

using ExprId = std::uint32_t;
inline constexpr ExprId kNoExpr = 0;

enum class ExprKind : std::uint8_t { kLiteral, kIdent, kSelect, kCall, kList, kMap, kStruct, kComprehension };

struct Expr {
  ExprKind kind = ExprKind::kLiteral;
  bool test_only = false;         // kSelect made by has()
  bool member = false;            // kCall in the form target.f(...)
  std::uint16_t depth = 1;        // height of the tree below and with this node
  std::uint32_t weight = 1;       // nodes of that tree
  std::uint32_t offset = 0;       // in the source
  ExprId operand = kNoExpr;       // of kSelect; target of a member call
  std::uint32_t first_child = 0;  // see Ast::children
  std::uint32_t child_count = 0;
  std::uint32_t comprehension = 0;  // index, for kComprehension
  std::string_view name;            // variable, field, function or type name
  Value literal;
};

// An argument; an element; a key or its value; a field's value.
struct Child {
  ExprId id = kNoExpr;
  bool optional = false;  // [?x], {?key: value}, T{?field: value}
  std::string_view name;  // field of kStruct
};

// for each element of range (iter, or iter and iter2): while condition, accu = step; then result. The one loop of CEL,
// and the only binder: everything that binds a name is a macro that makes one.
struct Comprehension {
  ExprId range = kNoExpr;
  std::string_view iter;
  std::string_view iter2;  // empty: one variable
  std::string_view accu;
  ExprId init = kNoExpr;
  ExprId condition = kNoExpr;
  ExprId step = kNoExpr;
  ExprId result = kNoExpr;
};

// Names that no source text can spell.
inline constexpr std::string_view kAccumulator = "@result";
inline constexpr std::string_view kUnusedIterator = "#unused";

class Ast {
 public:
  static constexpr std::uint32_t kMaxWeight = 100'000;
  static constexpr std::uint16_t kMaxDepth = 1'000;

  explicit Ast(Source source);
  Ast(Ast&&) = default;
  Ast& operator=(Ast&&) = default;

  [[nodiscard]] const Source& source() const { return *source_; }
  [[nodiscard]] ExprId root() const { return root_; }
  void set_root(ExprId root) { root_ = root; }
  [[nodiscard]] std::size_t size() const { return exprs_.size(); }
  [[nodiscard]] const Expr& operator[](ExprId id) const { return exprs_[id]; }
  [[nodiscard]] std::span<const Child> children(const Expr& expr) const {
    return {children_.data() + expr.first_child, expr.child_count};
  }
  [[nodiscard]] const Comprehension& comprehension(const Expr& expr) const {
    return comprehensions_[expr.comprehension];
  }
  // "a.b.c" for a chain of plain selections on a variable; empty for everything else.
  [[nodiscard]] std::string qualified_name(ExprId id) const;
  // True once a node passed kMaxDepth or kMaxWeight; the parser then gives up.
  [[nodiscard]] bool too_large() const { return too_large_; }

  ExprId literal(Value value, std::uint32_t offset);
  ExprId string_literal(std::string_view text, std::uint32_t offset);
  ExprId bytes_literal(std::string_view data, std::uint32_t offset);
  ExprId ident(std::string_view name, std::uint32_t offset);
  ExprId select(ExprId operand, std::string_view field, std::uint32_t offset, bool test_only = false);
  ExprId call(std::string_view function, std::span<const ExprId> arguments, std::uint32_t offset);
  ExprId call(std::string_view function, std::initializer_list<ExprId> arguments, std::uint32_t offset) {
    return call(function, std::span(arguments.begin(), arguments.size()), offset);
  }
  ExprId member_call(std::string_view function, ExprId target, std::span<const ExprId> arguments, std::uint32_t offset);
  ExprId list(std::span<const Child> elements, std::uint32_t offset);
  ExprId list(std::initializer_list<ExprId> elements, std::uint32_t offset);
  ExprId map(std::span<const Child> keys_and_values, std::uint32_t offset);
  ExprId structure(std::string_view type, std::span<const Child> fields, std::uint32_t offset);
  ExprId comprehension(const Comprehension& parts, std::uint32_t offset);
  // A copy of a name that lives as long as the tree.
  std::string_view keep(std::string_view name);

 private:
  ExprId add(Expr expr);
  void reach(Expr& expr, ExprId child) const;
  ExprId with_children(Expr expr, std::span<const Child> children);

  std::unique_ptr<Source> source_;
  std::unique_ptr<Arena> arena_;  // texts of literals and names
  std::vector<Expr> exprs_;
  std::vector<Child> children_;
  std::vector<Comprehension> comprehensions_;
  ExprId root_ = kNoExpr;
  bool too_large_ = false;
};

// Names of the functions that operators stand for.
namespace operators {
inline constexpr std::string_view kAnd = "_&&_";
inline constexpr std::string_view kOr = "_||_";
inline constexpr std::string_view kNot = "!_";
inline constexpr std::string_view kNegate = "-_";
inline constexpr std::string_view kConditional = "_?_:_";
inline constexpr std::string_view kEqual = "_==_";
inline constexpr std::string_view kNotEqual = "_!=_";
inline constexpr std::string_view kLess = "_<_";
inline constexpr std::string_view kLessEqual = "_<=_";
inline constexpr std::string_view kGreater = "_>_";
inline constexpr std::string_view kGreaterEqual = "_>=_";
inline constexpr std::string_view kAdd = "_+_";
inline constexpr std::string_view kSubtract = "_-_";
inline constexpr std::string_view kMultiply = "_*_";
inline constexpr std::string_view kDivide = "_/_";
inline constexpr std::string_view kModulo = "_%_";
inline constexpr std::string_view kIn = "@in";
inline constexpr std::string_view kIndex = "_[_]";
inline constexpr std::string_view kOptionalIndex = "_[?_]";
inline constexpr std::string_view kOptionalSelect = "_?._";
inline constexpr std::string_view kNotStrictlyFalse = "@not_strictly_false";
}  // namespace operators

}  // namespace berth::cel
