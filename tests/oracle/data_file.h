// The files that the programs under oracle/ write: gzipped text, a line of JSON with a header and one per world.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "text/input.h"
#include "text/json_reader.h"
#include "text/value.h"

namespace berth::oracle {

// The text of a member, or nothing.
[[nodiscard]] std::string string_of(const text::Value& value, std::string_view name);

// Calls visit(root) for each line, in order, and stops at the first error, which visit returns as Result<void>.
template <class Visit>
[[nodiscard]] Result<void> for_each_line(const std::string& path, Visit visit) {
  BERTH_TRY(const std::string content, text::read_file(path));
  std::string_view rest = content;
  while (!rest.empty()) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(rest.size(), line.size() + 1));
    BERTH_TRY(const text::Document document, text::parse_json(line));
    BERTH_TRY_VOID(visit(document.root()));
  }
  return {};
}

// The data files of the repository whose names start so, in order, and the one that the environment variable names.
[[nodiscard]] std::vector<std::string> data_files(std::string_view prefix, const char* variable);

}  // namespace berth::oracle
