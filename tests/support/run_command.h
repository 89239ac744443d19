// Runs a whole command of `berth` in this process and keeps what it wrote. For tests that link src/cli.
#pragma once

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

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

// Writes the text into the running test's own file and gives its path.
inline std::string input_file(const std::string& text) {
  std::string path = testing::TempDir() + testing::UnitTest::GetInstance()->current_test_info()->name() + ".yaml";
  std::ofstream(path) << text;
  return path;
}

}  // namespace berth::cli
