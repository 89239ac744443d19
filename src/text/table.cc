#include "text/table.h"

#include <algorithm>

#include "text/utf8.h"

namespace berth::text {
namespace {

constexpr std::size_t kGap = 2;
constexpr std::size_t kNarrowest = 8;  // no column is squeezed below this

// Cuts a word that is wider than a line into pieces that are not.
void append_long_word(std::vector<std::string>& lines, std::string_view word, std::size_t width) {
  while (display_width(word) > width) {
    std::size_t bytes = 0;
    while (bytes < word.size()) {
      const std::size_t step = std::max<std::size_t>(1, utf8_sequence(word.substr(bytes)));
      if (bytes != 0 && display_width(word.substr(0, bytes + step)) > width) break;
      bytes += step;
    }
    lines.emplace_back(word.substr(0, bytes));
    word.remove_prefix(bytes);
  }
  lines.emplace_back(word);
}

}  // namespace

std::vector<std::string> wrap(std::string_view text, std::size_t width) {
  std::vector<std::string> lines;
  std::string line;
  while (!text.empty()) {
    const std::string_view word = text.substr(0, text.find(' '));
    text.remove_prefix(std::min(word.size() + 1, text.size()));
    if (word.empty()) continue;
    const std::size_t needed = display_width(line) + (line.empty() ? 0 : 1) + display_width(word);
    if (needed <= width) {
      if (!line.empty()) line += ' ';
      line += word;
      continue;
    }
    if (!line.empty()) lines.push_back(std::move(line));
    append_long_word(lines, word, width);
    line = std::move(lines.back());
    lines.pop_back();
  }
  lines.push_back(std::move(line));
  return lines;
}

void Table::add_row(std::vector<Cell> cells) {
  cells.resize(columns_.size());
  rows_.push_back(std::move(cells));
}

std::vector<std::size_t> Table::widths(const TableStyle& style) const {
  std::vector<std::size_t> widths(columns_.size());
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    if (style.header) widths[c] = display_width(columns_[c].title);
    for (const auto& row : rows_) widths[c] = std::max(widths[c], display_width(row[c].text));
  }
  if (style.width == 0) return widths;
  for (;;) {
    std::size_t total = style.indent + kGap * (columns_.empty() ? 0 : columns_.size() - 1);
    for (const std::size_t width : widths) total += width;
    if (total <= style.width) return widths;
    // The widest column that may give way gives what is too much, but no more than makes it second.
    std::size_t widest = columns_.size();
    std::size_t second = kNarrowest;
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      if (columns_[c].overflow == Overflow::kKeep || widths[c] <= kNarrowest) continue;
      if (widest == columns_.size() || widths[c] > widths[widest]) {
        if (widest != columns_.size()) second = std::max(second, widths[widest]);
        widest = c;
      } else {
        second = std::max(second, widths[c]);
      }
    }
    if (widest == columns_.size()) return widths;
    const std::size_t most = std::max<std::size_t>(1, widths[widest] - second);
    widths[widest] -= std::min(total - style.width, most);
  }
}

void Table::append_row(std::string& out, const std::vector<Cell>& row, const std::vector<std::size_t>& widths,
                       const TableStyle& style) const {
  std::vector<std::vector<std::string>> cells(row.size());
  std::size_t height = 1;
  for (std::size_t c = 0; c < row.size(); ++c) {
    const bool fits = display_width(row[c].text) <= widths[c];
    if (fits || columns_[c].overflow == Overflow::kKeep) {
      cells[c] = {row[c].text};
    } else if (columns_[c].overflow == Overflow::kWrap) {
      cells[c] = wrap(row[c].text, widths[c]);
    } else {
      cells[c] = {shorten(row[c].text, widths[c])};
    }
    height = std::max(height, cells[c].size());
  }
  for (std::size_t i = 0; i < height; ++i) {
    std::string line(style.indent, ' ');
    std::size_t owed = 0;  // spaces that are written only when text follows
    for (std::size_t c = 0; c < row.size(); ++c) {
      const std::string text = i < cells[c].size() ? cells[c][i] : std::string();
      const std::size_t width = display_width(text);
      const std::size_t padding = widths[c] > width ? widths[c] - width : 0;
      if (columns_[c].align == Align::kRight) owed += padding;
      if (!text.empty()) {
        line.append(owed, ' ');
        owed = 0;
        line += paint(text, row[c].color, style.color);
      }
      if (columns_[c].align == Align::kLeft) owed += padding;
      owed += kGap;
    }
    if (line.find_first_not_of(' ') == std::string::npos) line.clear();
    out += line;
    out += '\n';
  }
}

std::string Table::render(const TableStyle& style) const {
  const std::vector<std::size_t> fitted = widths(style);
  std::string out;
  const bool titled = std::any_of(columns_.begin(), columns_.end(), [](const Column& c) { return !c.title.empty(); });
  if (style.header && titled) {
    std::vector<Cell> titles;
    for (const Column& column : columns_) titles.emplace_back(column.title, Color::kDim);
    append_row(out, titles, fitted, style);
  }
  for (const auto& row : rows_) append_row(out, row, fitted, style);
  return out;
}

}  // namespace berth::text
