#include "cli/shell.h"

#include <gtest/gtest.h>

#include <vector>

namespace berth::cli {
namespace {

TEST(Shell, HintsDoNotRunWhatIsInAName) {
  EXPECT_EQ(shell_word("examples/demo"), "examples/demo");
  EXPECT_EQ(shell_word(""), "''");
  EXPECT_EQ(shell_word("a; rm -rf b"), "'a; rm -rf b'");
  EXPECT_EQ(shell_word("it's"), "'it'\\''s'");
  EXPECT_EQ(shell_word("a\x1b[31m'\\"), "$'a\\x1b[31m\\'\\\\'");
  EXPECT_EQ(shell_word("$(id)"), "'$(id)'");
}

TEST(Shell, LongHintsBreakBetweenWords) {
  const std::vector<std::string> words = {"berth", "explain", std::string(40, 'a'), std::string(40, 'b')};
  EXPECT_EQ(shell_command("Next: ", words),
            "Next: berth explain " + std::string(40, 'a') + " \\\n        " + std::string(40, 'b') + "\n");
  EXPECT_EQ(shell_command("Next: ", std::vector<std::string>{"berth", "plan"}), "Next: berth plan\n");
}

}  // namespace
}  // namespace berth::cli
