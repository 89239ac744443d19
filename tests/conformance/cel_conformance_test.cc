// Every line of the CEL conformance suite passes, or is listed in cel_skips with its reason.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "cli/cel_suite.h"
#include "support/source_directory.h"

namespace berth::cli {
namespace {

namespace fs = std::filesystem;
using Kind = CelLineResult::Kind;

std::string read_file(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

std::map<std::string, std::string> read_skips() {
  std::map<std::string, std::string> skips;
  std::ifstream file(fs::path(support::source_directory()) / "tests/conformance/cel_skips");
  for (std::string line; std::getline(file, line);) {
    const std::size_t gap = line.find("  ");
    if (line.starts_with('#') || gap == std::string::npos) continue;
    skips[line.substr(0, gap)] = line.substr(gap + 2);
  }
  return skips;
}

std::vector<fs::path> suite_files() {
  const char* shared = std::getenv("BERTH_SHARED");
  const fs::path root = shared != nullptr ? fs::path(shared) : fs::path(support::source_directory()) / "../shared";
  std::vector<fs::path> files;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(root / "conformance/cel", ignored)) {
    if (entry.path().extension() == ".jsonl") files.push_back(entry.path());
  }
  std::ranges::sort(files);
  return files;
}

TEST(CelConformance, EveryLinePassesOrIsListedWithItsReason) {
  const std::vector<fs::path> files = suite_files();
  if (files.empty()) GTEST_SKIP() << "no conformance/cel/*.jsonl below $BERTH_SHARED or ../shared";
  const auto skips = read_skips();
  std::map<std::string, bool> seen;
  CelSuiteCounts total;
  for (const fs::path& path : files) {
    const auto look = [&](const CelLineResult& result) {
      const auto listed = skips.find(result.id);
      if (listed != skips.end()) {
        seen[result.id] = true;
        EXPECT_NE(result.kind, Kind::kPassed) << result.id << " passes: take it out of cel_skips";
      } else {
        EXPECT_EQ(result.kind, Kind::kPassed) << result.id << ": " << result.reason;
      }
    };
    const CelSuiteCounts counts = run_cel_lines(read_file(path), path.string(), look,
                                                [](const Error& error) { ADD_FAILURE() << error.to_string(); });
    total.passed += counts.passed;
    total.failed += counts.failed;
    total.skipped += counts.skipped;
  }
  for (const auto& [id, reason] : skips) EXPECT_TRUE(seen.contains(id)) << id << " is in cel_skips, but in no file";
  std::cout << "CEL conformance: " << total.passed << " passed, " << total.failed << " failed, " << total.skipped
            << " skipped\n";
}

TEST(CelConformance, ReasonsOtherThanMessagesAreFew) {
  int others = 0;
  for (const auto& [id, reason] : read_skips()) others += reason == "needs protobuf messages" ? 0 : 1;
  EXPECT_LE(others, 10);
}

TEST(CelConformance, JudgesLines) {
  const auto run = [](std::string_view line) {
    Kind kind = Kind::kSkipped;
    run_cel_lines(
        line, "test", [&](const CelLineResult& result) { kind = result.kind; },
        [](const Error& error) { ADD_FAILURE() << error.to_string(); });
    return kind;
  };
  EXPECT_EQ(run(R"({"expr": "1 + 1", "value": {"int64_value": "2"}})"), Kind::kPassed);
  EXPECT_EQ(run(R"({"expr": "1 + 1", "value": {"int64_value": "3"}})"), Kind::kFailed);
  EXPECT_EQ(run(R"({"expr": "1 + 1", "value": {"uint64_value": "2"}})"), Kind::kFailed);
  EXPECT_EQ(run(R"({"expr": "1 + 1"})"), Kind::kFailed);
  EXPECT_EQ(run(R"({"expr": "1 / 0", "eval_error": {"errors": []}})"), Kind::kPassed);
  EXPECT_EQ(run(R"({"expr": "1 / 1", "eval_error": {"errors": []}})"), Kind::kFailed);
  EXPECT_EQ(run(R"({"expr": "TestAllTypes{}", "container": "cel.expr.conformance.proto3"})"), Kind::kSkipped);
}

TEST(CelConformance, ALineThatIsNotJsonDoesNotStopTheOthers) {
  std::vector<Error> errors;
  const CelSuiteCounts counts = run_cel_lines(
      "{\n{\"expr\": \"true\"}\n", "test", [](const CelLineResult&) {},
      [&](const Error& error) { errors.push_back(error); });
  ASSERT_EQ(errors.size(), 1U);
  EXPECT_EQ(errors[0].place.line, 1);
  EXPECT_EQ(counts.passed, 1);
}

}  // namespace
}  // namespace berth::cli
