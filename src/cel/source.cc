#include "cel/source.h"

#include <algorithm>

#include <fmt/format.h>

#include "cel/utf8.h"

namespace berth::cel {

Source::Source(std::string text, std::string name) : text_(std::move(text)), name_(std::move(name)) {
  line_starts_.push_back(0);
  for (std::size_t i = 0; i < text_.size(); ++i) {
    if (text_[i] == '\n') line_starts_.push_back(static_cast<std::uint32_t>(i + 1));
  }
}

Position Source::position(std::uint32_t offset) const {
  offset = std::min(offset, static_cast<std::uint32_t>(text_.size()));
  const auto after = std::upper_bound(line_starts_.begin(), line_starts_.end(), offset);
  const auto line = static_cast<std::int32_t>(after - line_starts_.begin());
  const std::uint32_t start = line_starts_[static_cast<std::size_t>(line - 1)];
  const std::string_view before = text().substr(start, offset - start);
  return {line, static_cast<std::int32_t>(utf8::count(before)) + 1};
}

std::string_view Source::line(std::int32_t number) const {
  if (number < 1 || static_cast<std::size_t>(number) > line_starts_.size()) return {};
  const std::uint32_t start = line_starts_[static_cast<std::size_t>(number - 1)];
  std::string_view rest = text().substr(start);
  rest = rest.substr(0, rest.find('\n'));
  if (rest.ends_with('\r')) rest.remove_suffix(1);
  return rest;
}

std::string render_issues(const Source& source, const std::vector<Issue>& issues) {
  std::string out;
  for (const Issue& issue : issues) {
    if (!out.empty()) out += '\n';
    out += fmt::format("ERROR: {}:{}:{}: {}\n | {}\n | {}^", source.name(), issue.position.line, issue.position.column,
                       issue.message, source.line(issue.position.line),
                       std::string(static_cast<std::size_t>(issue.position.column - 1), '.'));
  }
  return out;
}

}  // namespace berth::cel
