// Runs a whole command of `berth` in this process and keeps what it wrote. For tests that link src/cli.
#pragma once

#include <sstream>
#include <string>
#include <vector>

#include "cli/command.h"

namespace berth::cli {

struct Ran {
  int code = 0;
  std::string out;
  std::string err;
};

inline Ran berth(const std::vector<std::string>& arguments) {
  std::ostringstream out;
  std::ostringstream err;
  Console console{.out = out, .err = err};
  const int code = run(arguments, console);
  return {code, out.str(), err.str()};
}

}  // namespace berth::cli
