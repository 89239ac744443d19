#include "text/csv.h"

#include <algorithm>

namespace berth::text {
namespace {

// Reads one record starting at `at`; advances `at` past its line end and `line` past the lines it spans.
Result<std::vector<std::string>> read_record(std::string_view text, std::size_t& at, std::int32_t& line,
                                             const std::string& file) {
  std::vector<std::string> cells(1);
  const std::int32_t first_line = line;
  bool quoted = false;
  while (at < text.size()) {
    const char byte = text[at++];
    if (quoted) {
      if (byte == '"' && at < text.size() && text[at] == '"') {
        cells.back() += '"';
        ++at;
      } else if (byte == '"') {
        quoted = false;
      } else {
        if (byte == '\n') ++line;
        cells.back() += byte;
      }
    } else if (byte == '"' && cells.back().empty()) {
      quoted = true;
    } else if (byte == ',') {
      cells.emplace_back();
    } else if (byte == '\n') {
      ++line;
      break;
    } else if (byte != '\r') {
      cells.back() += byte;
    }
  }
  if (quoted) {
    return fail(ErrorCode::kSyntax, "A quoted cell is never closed; add the missing double quote.",
                Place{.file = file, .line = first_line});
  }
  return cells;
}

}  // namespace

int CsvTable::column(std::string_view name) const {
  const auto found = std::ranges::find(header, name);
  return found == header.end() ? -1 : static_cast<int>(found - header.begin());
}

Result<CsvTable> parse_csv(std::string_view text, const std::string& file) {
  CsvTable table;
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  std::size_t at = 0;
  std::int32_t line = 1;
  while (at < text.size()) {
    const std::int32_t row_line = line;
    BERTH_TRY(std::vector<std::string> cells, read_record(text, at, line, file));
    if (cells.size() == 1 && cells[0].empty()) continue;  // an empty line
    if (table.header.empty()) {
      table.header = std::move(cells);
      std::vector<std::string> names = table.header;
      std::ranges::sort(names);
      if (const auto twice = std::ranges::adjacent_find(names); twice != names.end()) {
        return fail(ErrorCode::kSyntax, "The header names the column \"" + *twice + "\" twice; remove or rename one.",
                    Place{.file = file, .line = row_line});
      }
      continue;
    }
    if (cells.size() != table.header.size()) {
      return fail(ErrorCode::kSyntax,
                  "This row has " + std::to_string(cells.size()) + " cells where the header has " +
                      std::to_string(table.header.size()) + "; make them equal.",
                  Place{.file = file, .line = row_line});
    }
    table.rows.push_back(std::move(cells));
    table.lines.push_back(row_line);
  }
  if (table.header.empty()) {
    return fail(ErrorCode::kSyntax, "The file is empty; it needs a header line that names its columns.",
                Place{.file = file});
  }
  return table;
}

Result<CsvTable> parse_csv(std::string_view text, const std::string& file,
                           std::initializer_list<std::string_view> columns, std::string_view kind) {
  BERTH_TRY(CsvTable table, parse_csv(text, file));
  for (const std::string_view name : columns) {
    if (table.column(name) < 0) {
      return fail(
          ErrorCode::kInvalid,
          "The header has no column \"" + std::string(name) + "\"; this is not " + std::string(kind) + " of that kind.",
          Place{.file = file, .line = 1});
    }
  }
  return table;
}

}  // namespace berth::text
