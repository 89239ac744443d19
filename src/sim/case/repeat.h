// `repeat` of a header: documents that stand for many, with {key} where the entries differ.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "sim/case/case_file.h"
#include "sim/case/header_values.h"
#include "text/value.h"

namespace berth::sim::case_header {

// What one entry of `for` fills in: key -> text.
using Filling = std::map<std::string, std::string, std::less<>>;

struct Repeat {
  At where;
  std::string ref;
  std::vector<Filling> fillings;
  bool used = false;
};

[[nodiscard]] Result<Repeat> repeat_of(const Value& value, const At& where);

// Fills the documents of the body in; `refs` gets "Kind/name" of each. An entry that names no document is an error, and
// so are more documents than a case may have. O(expanded text).
[[nodiscard]] Result<void> expand(std::string_view body, std::vector<Repeat>& repeats, CaseFile& out,
                                  std::vector<std::string>& refs);

}  // namespace berth::sim::case_header
