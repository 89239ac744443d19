// Parses the text of an expression into an Ast, expanding macros on the way. O(length of the text).
//
// Grammar: the CEL specification's, with optional selection (a.?b, a[?b], [?x], {?k: v}), quoted field names (a.`b-c`)
// and trailing commas in lists, maps and messages.
#pragma once

#include <cstddef>
#include <expected>
#include <string>
#include <string_view>
#include <vector>

#include "cel/ast.h"
#include "cel/macro.h"

namespace berth::cel {

struct ParseOptions {
  std::vector<Macro> macros;
  std::size_t max_length = 100'000;  // bytes
  int max_nesting = 250;             // parentheses, brackets, arguments within each other
  bool optional_syntax = true;
};

// What is wrong with an expression, with the text it points into.
struct CompileFailure {
  Source source;
  std::vector<Issue> issues;
  [[nodiscard]] std::string to_string() const { return render_issues(source, issues); }
};

[[nodiscard]] std::expected<Ast, CompileFailure> parse(std::string_view text, const ParseOptions& options);

}  // namespace berth::cel
