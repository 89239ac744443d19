// CSV with a header line (RFC 4180: commas, double quotes, CRLF or LF). For trace files of a few megabytes; one pass.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace berth::text {

struct CsvTable {
  std::vector<std::string> header;
  std::vector<std::vector<std::string>> rows;  // each as long as the header
  std::vector<std::int32_t> lines;             // 1-based line of each row

  // Position of a column by name, or -1.
  [[nodiscard]] int column(std::string_view name) const;
};

// Errors: kSyntax for an open quote or a row whose number of cells differs from the header's; the place names the line.
Result<CsvTable> parse_csv(std::string_view text, const std::string& file);

// The same for a file that has to have these columns and may have others. `kind` says what it should be, "an openb
// list". Errors: kInvalid for a column that is missing, too.
Result<CsvTable> parse_csv(std::string_view text, const std::string& file,
                           std::initializer_list<std::string_view> columns, std::string_view kind);

}  // namespace berth::text
