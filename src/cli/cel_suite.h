// Runs conformance lines of the CEL specification: one JSON object a line with an expression and what it should give.
//
// Keys of a line: suite, section, name, expr, container, disable_check, check_only, type_env, bindings, and one of
// value, typed_result, eval_error, none of which means true. Lines that need protobuf messages are skipped.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"
#include "cel/environment.h"
#include "cel/lib/libraries.h"
#include "text/value.h"

namespace berth::cli {

struct CelLineResult {
  enum class Kind : std::uint8_t { kPassed, kFailed, kSkipped };
  Kind kind = Kind::kPassed;
  std::string id;      // suite/section/name
  std::string reason;  // why it failed or was skipped
};

struct CelSuiteCounts {
  int passed = 0;
  int failed = 0;
  int skipped = 0;
};

[[nodiscard]] CelLineResult run_cel_line(const text::Value& line,
                                         const std::shared_ptr<const cel::Environment>& environment);

// Runs the lines of a file's content; `report` sees each result, `complain` each line that is not JSON.
CelSuiteCounts run_cel_lines(std::string_view content, std::string_view file,
                             const std::function<void(const CelLineResult&)>& report,
                             const std::function<void(Error)>& complain,
                             const std::shared_ptr<const cel::Environment>& environment = cel::full_environment());

}  // namespace berth::cli
