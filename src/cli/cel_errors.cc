#include "cli/cel_errors.h"

#include <algorithm>
#include <cstddef>
#include <ostream>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "report/layout.h"
#include "text/utf8.h"

namespace berth::cli {

std::string excerpt(const cel::Source& source, cel::Position position) {
  static constexpr std::string_view kIndent = "    ";
  static constexpr std::size_t kBefore = 40;
  std::vector<std::string> before;  // characters as shown
  std::string_view rest = source.line(position.line);
  const auto next = [&rest] {
    const std::string_view character = rest.substr(0, std::max<std::size_t>(1, text::utf8_sequence(rest)));
    rest.remove_prefix(character.size());
    return text::visible(character);
  };
  while (!rest.empty() && before.size() + 1 < static_cast<std::size_t>(position.column)) before.push_back(next());
  std::size_t first = before.size();
  std::size_t width = 0;
  while (first > 0 && width + text::display_width(before[first - 1]) <= kBefore)
    width += text::display_width(before[--first]);
  std::string line;
  for (std::size_t i = first; i < before.size(); ++i) line += before[i];
  const std::size_t caret = width;
  while (!rest.empty()) {
    const std::string shown = next();
    width += text::display_width(shown);
    if (kIndent.size() + width > report::kColumns) break;
    line += shown;
  }
  return fmt::format("{}{}\n{}{}^\n", kIndent, line, kIndent, std::string(caret, ' '));
}

void complain_about(const cel::CompileFailure& failure, Console& console) {
  static constexpr std::size_t kMost = 5;
  for (std::size_t i = 0; i < failure.issues.size() && i < kMost; ++i) {
    const cel::Issue& issue = failure.issues[i];
    complain(console, fmt::format("line {} column {}: {}", issue.position.line, issue.position.column, issue.message));
    console.err << excerpt(failure.source, issue.position);
  }
  if (failure.issues.size() > kMost)
    complain(console, fmt::format("{} more errors are in the output of -o json.", failure.issues.size() - kMost));
}

}  // namespace berth::cli
