#include "cli/command.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "cli/version.h"
#include "support/run_command.h"
#include "text/utf8.h"

namespace berth::cli {
namespace {

std::size_t widest(const std::string& text) {
  std::istringstream lines(text);
  std::size_t width = 0;
  for (std::string line; std::getline(lines, line);) width = std::max(width, text::display_width(line));
  return width;
}

TEST(Command, WithoutArgumentsHelpIsShownAndNothingDone) {
  const Ran ran = berth({});
  EXPECT_EQ(ran.code, kBadInput);
  EXPECT_NE(ran.out.find("plan"), std::string::npos);
  EXPECT_LE(widest(ran.out), 80U);
}

TEST(Command, UnknownNamesAreAnsweredWithNearOnes) {
  const Ran ran = berth({"paln"});
  EXPECT_EQ(ran.code, kBadInput);
  EXPECT_NE(ran.err.find("did you mean plan?"), std::string::npos) << ran.err;
  EXPECT_EQ(berth({"--frobnicate"}).code, kBadInput);
  EXPECT_NE(berth({"kubectl"}).err.find("--help"), std::string::npos);
}

TEST(Command, EveryHelpFitsTheTerminalAndEndsWithAnExample) {
  for (const Command& command : commands()) {
    const Ran ran = berth({std::string(command.name), "--help"});
    EXPECT_EQ(ran.code, kDone) << command.name;
    const std::size_t example = ran.out.rfind("Example:");
    ASSERT_NE(example, std::string::npos) << command.name;
    EXPECT_NE(ran.out.find("berth " + std::string(command.name), example), std::string::npos) << command.name;
    EXPECT_EQ(berth({"help", std::string(command.name)}).out, ran.out);
  }
}

TEST(Command, UsageErrorsAreOneSentenceAndExitOne) {
  for (const Command& command : commands()) {
    const Ran ran = berth({std::string(command.name), "--no-such-option"});
    EXPECT_EQ(ran.code, kBadInput) << command.name;
    EXPECT_TRUE(ran.out.empty()) << command.name;
    EXPECT_FALSE(ran.err.empty()) << command.name;
  }
}

TEST(Command, ADirectoryAsCelSuiteDoesNotAbort) {
  const Ran ran = berth({"cel", "--suite", BERTH_SOURCE_DIR});
  EXPECT_EQ(ran.code, kBadInput);
  EXPECT_NE(ran.err.find("this is a directory"), std::string::npos);
}

TEST(Command, VersionIsThatOfTheBuild) {
  EXPECT_EQ(berth({"--version"}).out, "berth " + std::string(kVersion) + "\n");
  std::ifstream file(std::string(BERTH_SOURCE_DIR) + "/CMakeLists.txt");
  std::stringstream text;
  text << file.rdbuf();
  EXPECT_NE(text.str().find("project(berth VERSION " + std::string(kVersion) + " "), std::string::npos);
}

}  // namespace
}  // namespace berth::cli
