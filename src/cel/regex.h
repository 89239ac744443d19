// Patterns of RE2, whose matching time is linear in the text whatever the pattern.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include <re2/re2.h>

#include "cel/declarations.h"
#include "cel/eval_context.h"

namespace berth::cel {

[[nodiscard]] inline re2::StringPiece to_piece(std::string_view text) { return {text.data(), text.size()}; }

// Null if the pattern is none, or too large to compile.
[[nodiscard]] std::shared_ptr<const re2::RE2> compile_pattern(std::string_view pattern);

// Prepare: compiles argument 1 when it is a constant.
[[nodiscard]] std::shared_ptr<const void> prepare_pattern(std::span<const Value* const> constants);

// Calls `use` with the pattern of argument 1.
template <class Use>
Value with_pattern(EvalContext& context, const Arguments& arguments, Use&& use) {
  if (arguments.prepared != nullptr) return use(*static_cast<const re2::RE2*>(arguments.prepared));
  const auto pattern = compile_pattern(arguments[1].as_text());
  if (pattern == nullptr) return context.fail("invalid regular expression: " + std::string(arguments[1].as_text()));
  return use(*pattern);
}

}  // namespace berth::cel
