// Table: columns of text for a terminal. Widths are those of the characters as shown, not of their bytes.
//
//   Table table({{"POD"}, {"GPUS", Align::kRight}, {"WHY", Align::kLeft, Overflow::kWrap}});
//   table.add_row({"team-a/train-0", "8", "no node has 8 free GPUs"});
//   out << table.render({.width = 80});
//
// Columns are separated by two spaces and nothing is written behind the last text of a line. Where the table is wider
// than the terminal, its widest column that may give way does: wrapped at spaces, or shortened with an ellipsis.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "text/color.h"

namespace berth::text {

enum class Align : std::uint8_t { kLeft, kRight };
enum class Overflow : std::uint8_t {
  kKeep,  // never narrowed
  kShorten,
  kWrap,
};

struct Column {
  std::string title;
  Align align = Align::kLeft;
  Overflow overflow = Overflow::kKeep;
};

struct Cell {
  std::string text;
  Color color = Color::kNone;
  Cell() = default;
  Cell(std::string content,
       Color paint_color = Color::kNone)  // NOLINT(google-explicit-constructor): rows read as lists
      : text(std::move(content)), color(paint_color) {}
  Cell(const char* content) : text(content) {}  // NOLINT(google-explicit-constructor)
};

struct TableStyle {
  std::size_t width = 80;  // columns to fit; 0: as wide as it gets
  std::size_t indent = 0;  // spaces before each line
  ColorMode color = ColorMode::kNever;
  bool header = true;  // the titles come first, if any column has one
};

class Table {
 public:
  explicit Table(std::vector<Column> columns) : columns_(std::move(columns)) {}

  // Missing cells are empty; a row has at most as many cells as there are columns. Control characters are made visible,
  // so a cell is one line and its colour is that of the cell.
  void add_row(std::vector<Cell> cells);
  [[nodiscard]] std::size_t rows() const { return rows_.size(); }
  // Lines, each ended by a line break; empty for a table without rows and titles.
  [[nodiscard]] std::string render(const TableStyle& style = {}) const;

 private:
  [[nodiscard]] std::vector<std::size_t> widths(const TableStyle& style) const;
  void append_row(std::string& out, const std::vector<Cell>& row, const std::vector<std::size_t>& widths,
                  const TableStyle& style) const;

  std::vector<Column> columns_;
  std::vector<std::vector<Cell>> rows_;
};

// The text in lines of at most `width` columns, broken at spaces. Longer words are cut, behind a joint such as '-' or
// '/' if there is one in the second half of the line. Spaces where a line breaks go, all others stay. At least one
// line.
[[nodiscard]] std::vector<std::string> wrap(std::string_view text, std::size_t width);

}  // namespace berth::text
