// Patterns of RE2, whose matching time is linear in the text whatever the pattern.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "cel/declarations.h"
#include "cel/eval_context.h"

namespace re2 {
class RE2;
}

namespace berth::cel {

// Null if the pattern is none, or too large to compile.
[[nodiscard]] std::shared_ptr<const re2::RE2> compile_pattern(std::string_view pattern);

// Whether the pattern matches somewhere in the text; the whole text.
[[nodiscard]] bool matches_part(const re2::RE2& pattern, std::string_view text);
[[nodiscard]] bool matches_whole(const re2::RE2& pattern, std::string_view text);
// The first match that starts at `from` or later; nothing if there is none.
[[nodiscard]] std::optional<std::string_view> first_match(const re2::RE2& pattern, std::string_view text,
                                                          std::size_t from);

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
