// The type checker: resolves names and overloads, deduces the type of every node.
#pragma once

#include <cstdint>
#include <expected>
#include <memory>
#include <vector>

#include <boost/container/small_vector.hpp>

#include "cel/ast.h"
#include "cel/environment.h"

namespace berth::cel {

// What a node refers to.
struct Reference {
  enum class Kind : std::uint8_t { kNone, kLocal, kVariable, kType, kFunction };
  Kind kind = Kind::kNone;
  const Variable* variable = nullptr;
  TypeRef type = nullptr;  // of kType: the type that the name denotes
  const Function* function = nullptr;
  // The target of a member call is the name's first part: `math.greatest(x)` calls a global function.
  bool namespaced = false;
  boost::container::small_vector<const Overload*, 2> overloads;  // those that the argument types allow
};

// An expression with its types. Refers to the environment, which it keeps alive.
struct CheckedAst {
  Ast ast;
  std::shared_ptr<const Environment> environment;
  std::unique_ptr<TypePool> pool;
  std::vector<TypeRef> types;         // by ExprId
  std::vector<Reference> references;  // by ExprId
  bool checked = false;               // false: names are resolved as far as they can be, all types are dyn

  [[nodiscard]] TypeRef result_type() const { return types[ast.root()]; }
};

[[nodiscard]] std::expected<CheckedAst, CompileFailure> check(Ast ast, std::shared_ptr<const Environment> environment);

// Resolves names without types: what is undeclared is found out when it is evaluated.
[[nodiscard]] CheckedAst leave_unchecked(Ast ast, std::shared_ptr<const Environment> environment);

// parse() and check().
[[nodiscard]] std::expected<CheckedAst, CompileFailure> compile(std::string_view text,
                                                                std::shared_ptr<const Environment> environment);

}  // namespace berth::cel
