// Runs one case file and says whether its end is the expected one.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "sim/case/case_file.h"

namespace berth::sim {

struct CaseResult {
  enum class Outcome : std::uint8_t { kPassed, kFailed, kNotSpoken };
  Outcome outcome = Outcome::kPassed;
  std::string file;
  std::string name;
  std::string title;
  std::vector<std::string> not_spoken;    // what the file speaks and this version does not
  std::vector<std::string> failures;      // expected and got, broken invariants, never lines that came true
  std::vector<std::string> explanations;  // of pods that failed checks look at, as whole texts
  std::vector<std::string> unchecked;     // never lines and invariants that were not looked at, or not always
};

// Errors: the file cannot be read as a case.
[[nodiscard]] Result<CaseResult> run_case(std::string_view text, std::string_view file, std::uint64_t seed = 0);

}  // namespace berth::sim
