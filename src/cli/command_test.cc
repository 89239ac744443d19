#include "cli/command.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <span>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "cli/version.h"
#include "support/run_command.h"
#include "support/source_directory.h"
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
    EXPECT_LE(widest(ran.out), 80U) << ran.out;
  }
}

TEST(Command, HelpFitsTheTerminalAndNamesTheValues) {
  const std::string plan = berth({"plan", "--help"}).out;
  EXPECT_NE(plan.find("Usage: berth plan [OPTIONS] FILE...\n"), std::string::npos) << plan;
  EXPECT_NE(plan.find("-o, --output json|wide|yaml  "), std::string::npos) << plan;
  EXPECT_NE(plan.find("    --config FILE  "), std::string::npos) << plan;
  const std::string openb = berth({"sim", "openb", "--help"}).out;
  EXPECT_LE(widest(openb), 80U) << openb;
  EXPECT_NE(openb.find("--threads N "), std::string::npos) << openb;
}

TEST(Command, UsageErrorsAreOneSentenceAndExitOne) {
  for (const Command& command : commands()) {
    const Ran ran = berth({std::string(command.name), "--no-such-option"});
    EXPECT_EQ(ran.code, kBadInput) << command.name;
    EXPECT_TRUE(ran.out.empty()) << command.name;
    EXPECT_FALSE(ran.err.empty()) << command.name;
  }
}

TEST(Command, UsageErrorsAreSentencesAndNotTheParsersOwn) {
  const std::string demo = std::string(support::source_directory()) + "/examples/demo";
  const std::vector<std::pair<std::vector<std::string>, std::string>> cases = {
      {{"plan", demo, "-o"}, "--output needs a value behind it, one of json, wide, yaml."},
      {{"plan", demo, "-o", "json", "-o", "wide"}, "--output is given 2 times; give it once."},
      {{"plan", demo, "-o", "xml"}, "--output cannot be 'xml'; write one of json, wide, yaml."},
      {{"plan", demo, "--config"}, "--config needs a value behind it, FILE."},
      {{"plan", demo, "--defragment", "--moves", "0"}, "--moves cannot be '0'; write a whole number from 1 to 1000."},
      {{"plan", demo, "--defragment", "--moves", "a"}, "--moves cannot be 'a'; write a whole number from 1 to 1000."},
      {{"plan", demo, "--defragment=maybe"}, "--defragment takes no value; write it alone."},
      {{"plan", demo, "--moves", "3"}, "--moves goes with --defragment only; add that, or leave --moves out."},
      {{"plan", demo, "--config", "c.yaml", "--profile", "berth"}, " exclude each other; leave one of them out."},
      {{"plan"}, "FILE is missing."},
      {{"plan", "--outptu", "json"}, "there is no option '--outptu'; near is --output."},
      {{"sim", "deadlock", "--seed", "x"}, "--seed cannot be 'x'; write a whole number."},
      {{"sim", "mig", "--card", "a100,b200"}, "--card cannot be 'b200'; write one of a100, h100."},
      {{"sim", "mig", "what"}, "'what' is a word too many; leave it out."},
  };
  for (const auto& [arguments, sentence] : cases) {
    const Ran ran = berth(arguments);
    EXPECT_EQ(ran.code, kBadInput) << sentence;
    std::string text = ran.err;  // without the wrapping
    for (std::size_t at = text.find("\n       "); at != std::string::npos; at = text.find("\n       "))
      text.replace(at, 8, " ");
    EXPECT_NE(text.find(sentence), std::string::npos) << text;
    EXPECT_NE(text.find("--help` shows how it is used."), std::string::npos) << text;
  }
}

TEST(Command, AnUnsetVariableAsNameOfAFileIsNoSilentDefault) {
  const std::string demo = std::string(support::source_directory()) + "/examples/demo";
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"plan", "--config", "", demo},
        {"plan", "-n", "", demo},
        {"explain", "-n", "", "Pod/x", demo},
        {"plan", ""},
        {"plan", demo, ""},
        {"case", ""},
        {"sim", "openb", "--nodes", "a.csv", "--pods", "b.csv", "--policy", "fgd", "--svg", ""}}) {
    const Ran ran = berth(arguments);
    EXPECT_EQ(ran.code, kBadInput);
    EXPECT_TRUE(ran.out.empty()) << ran.out;
    EXPECT_NE(ran.err.find("berth"), std::string::npos);
    EXPECT_LE(std::ranges::count(ran.err, '\n'), 3) << ran.err;
  }
  EXPECT_NE(berth({"plan", "--config", "", demo}).err.find("--config is given an empty value"), std::string::npos);
  EXPECT_NE(berth({"plan", ""}).err.find("FILE is given an empty name"), std::string::npos);
  EXPECT_NE(berth({"plan", "--config", "/dev/zero", demo}).err.find("This is a device"), std::string::npos);
}

TEST(Command, ExplainWithANamespaceForTheKindSaysWhatToWrite) {
  const std::string file = testing::TempDir() + "/namespace.yaml";
  std::ofstream(file) << "apiVersion: v1\nkind: Pod\nmetadata: {name: good, namespace: team-a}\n"
                      << "spec: {containers: [{name: c}]}\n";
  EXPECT_NE(berth({"explain", "team-a/good", file}).err.find("write -n team-a"), std::string::npos);
  EXPECT_NE(berth({"explain", "team-b/good", file}).err.find("is no kind whose pods"), std::string::npos);
}

TEST(Command, ADirectoryAsCelSuiteDoesNotAbort) {
  const Ran ran = berth({"cel", "--suite", support::source_directory()});
  EXPECT_EQ(ran.code, kBadInput);
  EXPECT_NE(ran.err.find("This is a directory"), std::string::npos);
}

// No byte that steers a terminal: neither escape sequences nor bidirectional overrides.
void expect_harmless(const std::string& text) {
  for (const char byte : text) EXPECT_TRUE(byte == '\n' || static_cast<unsigned char>(byte) >= 0x20) << text;
  EXPECT_EQ(text.find("\u202e"), std::string::npos) << text;
}

TEST(Command, EscapeSequencesInNamesDoNotReachTheTerminal) {
  const std::string evil = "a\x1b[2J\x07\u202eb";
  const std::string file = testing::TempDir() + "/" + evil + ".yaml";
  std::ofstream(file) << "apiVersion: \"v\\e[31m\"\nkind: \"K\\e]0;owned\\a\u202e\"\nmetadata: {name: x}\n---\n"
                      << "apiVersion: v1\nkind: Pod\nmetadata: {name: \"x\\e[5m\"}\n---\n"
                      << "apiVersion: v1\nkind: Pod\nmetadata: {name: p, \"\\e[5m\": 1}\n"
                      << "spec: {containers: [{name: c, resources: {requests: {cpu: \"\\e[1m\"}}}]}\n";
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"plan", file},
        {"explain", evil, file},
        {"explain", "Pod/" + evil, file},
        {"case", file},
        {"case", evil},
        {"cel", "'" + evil + "'"},
        {"cel", evil},
        {"cel", "{'" + evil + "': 1}[2]"},
        {"cel", "--suite", file},
        {evil},
        {"--" + evil},
        {"plan", "-o", evil, file},
        {"plan", "--config", file, file},
        {"sim", evil},
        {"sim", "openb", "--nodes", file, "--pods", file, "--policy", evil},
        {"sim", "openb", "--nodes", file, "--pods", file, "--policy", "fgd"}}) {
    const Ran ran = berth(arguments);
    expect_harmless(ran.out);
    expect_harmless(ran.err);
    EXPECT_LE(std::max(widest(ran.out), widest(ran.err)), 80U) << ran.out << ran.err;
  }
  EXPECT_NE(berth({"plan", file}).out.find("\\x1b]0;owned\\x07\\u202e"), std::string::npos)
      << berth({"plan", file}).out;
}

TEST(Command, AVeryLongNameDoesNotFillTheTerminal) {
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"explain", "Pod/" + std::string(100'000, 'x'),
                                 std::string(support::source_directory()) + "/examples/demo"},
        {"explain", std::string(100'000, 'x') + "/y", std::string(support::source_directory()) + "/examples/demo"},
        {std::string(100'000, 'x')}}) {
    const Ran ran = berth(arguments);
    EXPECT_EQ(ran.code, kBadInput);
    EXPECT_LE(std::ranges::count(ran.err, '\n'), 30);
  }
  EXPECT_NE(berth({std::string(100'000, 'x')}).err.find("--help"), std::string::npos) << "the end is there";
}

TEST(Command, ASeedBelowZeroIsRefused) {
  const Ran ran = berth({"plan", "--seed", "-1", "x"});
  EXPECT_EQ(ran.code, kBadInput);
  EXPECT_NE(ran.err.find("--seed: '-1' is not a whole number"), std::string::npos) << ran.err;
  EXPECT_NE(berth({"case", "--seed", "1x", "x"}).err.find("'1x'"), std::string::npos);
}

TEST(Command, LongCelErrorsAndValuesFitTheTerminal) {
  std::string sum = "1";
  for (int i = 0; i < 100; ++i) sum += " + 1";
  const Ran broken = berth({"cel", sum + " +* " + sum});
  EXPECT_EQ(broken.code, kBadInput);
  EXPECT_LE(widest(broken.err), 80U) << broken.err;
  EXPECT_NE(broken.err.find("+ 1 +* 1"), std::string::npos) << broken.err;
  const Ran list = berth({"cel", "[" + sum + ", '" + std::string(9000, 'x') + "']"});
  EXPECT_EQ(list.code, kDone);
  EXPECT_LE(widest(list.out), 80U);
  EXPECT_NE(list.out.find("-o json has all"), std::string::npos) << list.out;
}

TEST(Command, CelSuitesHonourTheOutputFormat) {
  const std::string file = testing::TempDir() + "/suite.jsonl";
  std::ofstream(file) << "{\"name\": \"a\", \"expr\": \"true\"}\n{\n{\"name\": \"b\", \"expr\": \"false\"}\n";
  const Ran ran = berth({"cel", "--suite", file, "-o", "json"});
  EXPECT_EQ(ran.code, kBadInput) << "one line is no JSON";
  EXPECT_EQ(ran.out.find('{'), 0U) << ran.out;
  EXPECT_NE(ran.out.find("\"outcome\": \"Failed\""), std::string::npos) << ran.out;
  EXPECT_NE(ran.out.find("\"line\": 2"), std::string::npos) << ran.out;
  EXPECT_NE(ran.out.find("\"passed\": 1"), std::string::npos) << ran.out;
}

TEST(Command, AnExceptionThatEscapesIsASentenceAndNoAbort) {
  const Command broken{
      "broken", "", [](std::span<const std::string>, Console&) -> int { throw std::length_error("vector::reserve"); }};
  std::ostringstream out;
  std::ostringstream err;
  Console console{.out = out, .err = err};
  EXPECT_EQ(run(broken, {}, console), kBadInput);
  EXPECT_NE(err.str().find("vector::reserve"), std::string::npos) << err.str();
  EXPECT_NE(err.str().find("report it"), std::string::npos) << err.str();
}

TEST(Command, VersionIsThatOfTheBuild) {
  EXPECT_EQ(berth({"--version"}).out, "berth " + std::string(kVersion) + "\n");
  std::ifstream file(std::string(support::source_directory()) + "/CMakeLists.txt");
  std::stringstream text;
  text << file.rdbuf();
  EXPECT_NE(text.str().find("project(berth VERSION " + std::string(kVersion) + " "), std::string::npos);
}

}  // namespace
}  // namespace berth::cli
