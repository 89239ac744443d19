// Checks of a case's end: each `expect` entry against the pods as they are.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/case/case_file.h"
#include "sim/case/simulation.h"

namespace berth::sim {

struct CheckResult {
  std::vector<std::string> failures;      // "Pod/wide: expected running 1, got 0"
  std::vector<std::string> explanations;  // of the pending pods that the failed checks look at
};

[[nodiscard]] CheckResult check_expectation(const Expectation& expectation, Simulation& simulation);

// True if the literal is in the text, ASCII case ignored, and where it starts or ends with a digit no further digit
// follows there: "8" is not in "18" nor in "0.8".
[[nodiscard]] bool mentions(std::string_view text, std::string_view literal);

}  // namespace berth::sim
