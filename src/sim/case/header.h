// The header of a case file: the comment block on top, as YAML.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "sim/case/case_file.h"
#include "sim/case/repeat.h"
#include "text/value.h"

namespace berth::sim::case_header {

// The comment block without "# ", and the rest from the first line that is neither comment nor blank.
[[nodiscard]] std::pair<std::string, std::string_view> split_header(std::string_view text);

// Reads all keys into the file, but for `repeat`, whose entries are returned by themselves.
[[nodiscard]] Result<void> read_header(const text::Value& header, CaseFile& out, std::vector<Repeat>& repeats);

// One entry each of `steps` and `expect`.
[[nodiscard]] Result<CaseStep> step_of(const text::Value& value, const At& where);
[[nodiscard]] Result<Expectation> expectation_of(const text::Value& value, const At& where);

}  // namespace berth::sim::case_header
