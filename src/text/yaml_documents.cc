#include "text/yaml_documents.h"

#include <algorithm>

#include "text/utf8.h"

namespace berth::text {
namespace {

constexpr std::string_view kStart = "---";
constexpr std::string_view kEnd = "...";

// The marker must stand alone: followed by white space or nothing.
bool is_marker(std::string_view line, std::string_view marker) {
  if (!line.starts_with(marker)) return false;
  return line.size() == marker.size() ||
         std::string_view(" \t\r\n").find(line[marker.size()]) != std::string_view::npos;
}

// A mark in front of the document or between its bare `---` line, which is dropped with it then, and its content. The
// number of lines dropped.
std::int32_t drop_byte_order_mark(std::string_view& text) {
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  if (!is_marker(text, kStart)) return 0;
  const std::size_t end = text.find('\n');
  if (end == std::string_view::npos || !text.substr(end + 1).starts_with(kByteOrderMark)) return 0;
  const std::size_t content = text.find_first_not_of(" \t\r", kStart.size());
  if (content != end && text[content] != '#') return 0;
  text.remove_prefix(end + 1 + kByteOrderMark.size());
  return 1;
}

// True if the text holds a directive and else only comments and blank lines.
bool only_directives(std::string_view text) {
  bool directive = false;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    const std::size_t first = line.find_first_not_of(" \t\r");
    if (line.starts_with('%')) {
      directive = true;
    } else if (first != std::string_view::npos && line[first] != '#') {
      return false;
    }
    text.remove_prefix(std::min(line.size() + 1, text.size()));
  }
  return directive;
}

}  // namespace

std::optional<YamlChunk> YamlDocuments::next() {
  line_ += drop_byte_order_mark(rest_);
  if (rest_.empty()) return std::nullopt;
  std::size_t cut = rest_.size();
  for (std::size_t at = rest_.find('\n'); at != std::string_view::npos; at = rest_.find('\n', at + 1)) {
    const std::size_t line = at + 1;
    if (line < rest_.size() && rest_[line] == kByteOrderMark[0]) {
      const std::string_view marked = rest_.substr(line);
      if (marked.starts_with(kByteOrderMark) && is_marker(marked.substr(kByteOrderMark.size()), kStart)) {
        cut = line;
        break;
      }
    }
    if (line >= rest_.size() || (rest_[line] != '-' && rest_[line] != '.')) continue;
    if (is_marker(rest_.substr(line), kStart)) {
      if (rest_.front() == '%' || rest_.front() == '#' || rest_.front() == '\n')
        if (only_directives(rest_.substr(0, line))) continue;
      cut = line;
      break;
    }
    if (is_marker(rest_.substr(line), kEnd)) {
      const std::size_t end = rest_.find('\n', line);
      cut = end == std::string_view::npos ? rest_.size() : end + 1;
      break;
    }
  }
  const YamlChunk chunk{rest_.substr(0, cut), line_};
  line_ += static_cast<std::int32_t>(std::count(chunk.text.begin(), chunk.text.end(), '\n'));
  rest_.remove_prefix(cut);
  return chunk;
}

}  // namespace berth::text
