#include "text/table.h"

#include <algorithm>
#include <utility>

#include "text/utf8.h"

namespace berth::text {
namespace {

constexpr std::size_t kGap = 2;
constexpr std::size_t kNarrowest = 8;  // no column is squeezed below this

// Where the piece of a word had better end: behind the last sign in it that joins the parts of names and lists, if that
// leaves no more than half of the line empty.
std::size_t end_of_piece(std::string_view piece) {
  const std::size_t joint = piece.find_last_of("-/,;=");
  return joint == std::string_view::npos || 2 * (joint + 1) < piece.size() ? piece.size() : joint + 1;
}

// Cuts a word that is wider than a line into pieces that are not.
void append_long_word(std::vector<std::string>& lines, std::string_view word, std::size_t width) {
  std::string piece;
  std::size_t used = 0;
  while (!word.empty()) {
    const std::string_view glyph = word.substr(0, std::max<std::size_t>(1, utf8_sequence(word)));
    const std::size_t columns = display_width(glyph);
    if (used + columns > width && !piece.empty()) {
      std::string rest = piece.substr(end_of_piece(piece));
      piece.resize(piece.size() - rest.size());
      lines.push_back(std::exchange(piece, std::move(rest)));
      used = display_width(piece);
    }
    piece += glyph;
    used += columns;
    word.remove_prefix(glyph.size());
  }
  lines.push_back(std::move(piece));
}

}  // namespace

std::vector<std::string> wrap(std::string_view text, std::size_t width) {
  std::vector<std::string> lines;
  std::string line;
  std::size_t used = 0;  // columns of the line
  for (std::size_t start = text.find_first_not_of(' '); start != std::string_view::npos;) {
    const std::size_t gap = line.empty() ? 0 : start;
    text.remove_prefix(start);
    const std::string_view word = text.substr(0, text.find(' '));
    text.remove_prefix(word.size());
    start = text.find_first_not_of(' ');
    const std::size_t columns = display_width(word);
    if (used + gap + columns <= width) {
      line.append(gap, ' ').append(word);
      used += gap + columns;
      continue;
    }
    if (!line.empty()) lines.push_back(std::move(line));
    append_long_word(lines, word, width);
    line = std::move(lines.back());
    lines.pop_back();
    used = display_width(line);
  }
  lines.push_back(std::move(line));
  return lines;
}

void Table::add_row(std::vector<Cell> cells) {
  cells.resize(columns_.size());
  for (Cell& cell : cells) cell.text = visible(cell.text);
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
