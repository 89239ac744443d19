// Macros: calls that the parser replaces by other expressions.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "cel/ast.h"

namespace berth::cel {

// A call that may be a macro's. An expander returns the replacement, kNoExpr if the call is not its own after all
// (`cel.bind` on a target that is not `cel`), or fails.
struct MacroCall {
  Ast& ast;
  ExprId target = kNoExpr;
  std::span<const ExprId> arguments;
  std::uint32_t offset = 0;
  Issue* issue = nullptr;  // filled by fail()

  ExprId fail(ExprId at, std::string message) const;
  // The variable that an argument names; fails (empty) if it is not a simple name.
  [[nodiscard]] std::string_view variable(std::size_t argument) const;
};

struct Macro {
  std::string_view name;
  bool receiver = false;
  std::uint8_t arguments = 0;
  ExprId (*expand)(const MacroCall& call) = nullptr;
};

// What target.map(x, ...) expands to.
[[nodiscard]] ExprId expand_map(const MacroCall& call);
// Evaluates `result` with `variable` bound to `init`: a loop over nothing.
[[nodiscard]] ExprId make_bind(Ast& ast, std::string_view variable, ExprId init, ExprId result, std::uint32_t offset);

// has, all, exists, exists_one, map (2 and 3 arguments), filter.
[[nodiscard]] std::span<const Macro> standard_macros();
// all, exists, existsOne, transformList, transformMap, transformMapEntry over two variables.
[[nodiscard]] std::span<const Macro> two_variable_macros();
// optMap, optFlatMap.
[[nodiscard]] std::span<const Macro> optional_macros();
// cel.bind.
[[nodiscard]] std::span<const Macro> binding_macros();

}  // namespace berth::cel
