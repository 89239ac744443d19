// Every line of the CEL conformance suite passes, or is listed in cel_skips with its reason; and so does every line of
// cel_go.jsonl, whose values are those of cel-go with the API server's libraries (oracle/celsuite), with cel_go_skips.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "cel/standard.h"
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

std::map<std::string, std::string> read_skips(const char* name) {
  std::map<std::string, std::string> skips;
  std::ifstream file(fs::path(support::source_directory()) / "tests/conformance" / name);
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

// Where cel-go is not as the specification has it, Berth can be either: device selectors are as in cel-go.
std::shared_ptr<const cel::Environment> cel_go() {
  cel::EnvironmentBuilder builder(cel::full_environment());
  cel::add_strings(builder);  // search behind the end of a text finds nothing
  cel::add_total_milliseconds(builder);
  builder.set_any_map_keys(true);
  return builder.build();
}

CelSuiteCounts run(const std::vector<fs::path>& files, const char* skip_file,
                   const std::shared_ptr<const cel::Environment>& environment) {
  const auto skips = read_skips(skip_file);
  std::map<std::string, bool> seen;
  CelSuiteCounts total;
  int expected = 0;
  for (const fs::path& path : files) {
    const auto look = [&](const CelLineResult& result) {
      const auto listed = skips.find(result.id);
      if (listed != skips.end()) {
        seen[result.id] = true;
        expected += result.kind == Kind::kFailed ? 1 : 0;
        EXPECT_NE(result.kind, Kind::kPassed) << result.id << " passes: take it out of " << skip_file;
      } else {
        EXPECT_EQ(result.kind, Kind::kPassed) << result.id << ": " << result.reason;
      }
    };
    const CelSuiteCounts counts = run_cel_lines(
        read_file(path), path.string(), look, [](const Error& error) { ADD_FAILURE() << error.to_string(); },
        environment);
    total.passed += counts.passed;
    total.failed += counts.failed;
    total.skipped += counts.skipped;
  }
  for (const auto& [id, reason] : skips)
    EXPECT_TRUE(seen.contains(id)) << id << " is in " << skip_file << ", but in no file";
  std::cout << "CEL conformance: " << total.passed << " passed, " << total.failed - expected << " failed, "
            << total.skipped << " skipped, " << expected << " otherwise for a reason\n";
  return total;
}

TEST(CelConformance, EveryLinePassesOrIsListedWithItsReason) {
  const std::vector<fs::path> files = suite_files();
  if (files.empty()) GTEST_SKIP() << "no conformance/cel/*.jsonl below $BERTH_SHARED or ../shared";
  run(files, "cel_skips", cel::full_environment());
}

TEST(CelConformance, EveryLineOfCelGoPassesOrIsListedWithItsReason) {
  const fs::path file = fs::path(support::source_directory()) / "tests/conformance/cel_go.jsonl";
  EXPECT_GT(run({file}, "cel_go_skips", cel_go()).passed, 1600);
}

TEST(CelConformance, ReasonsOtherThanMessagesAreFew) {
  int others = 0;
  for (const auto& [id, reason] : read_skips("cel_skips")) others += reason == "needs protobuf messages" ? 0 : 1;
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
  // NaN is NaN, and no other number is.
  EXPECT_EQ(run(R"({"expr": "0.0 / 0.0", "value": {"double_value": "NaN"}})"), Kind::kPassed);
  const auto list = [&](const char* expression, const char* second) {
    return run(fmt::format(R"({{"expr": "{}", "value": {{"list_value": {{"values": [{{"double_value": 1}}, {}]}}}}}})",
                           expression, second));
  };
  EXPECT_EQ(list("[1.0, 0.0 / 0.0]", R"({"double_value": "NaN"})"), Kind::kPassed);
  EXPECT_EQ(list("[1.0, 0.0 / 0.0]", R"({"double_value": 2})"), Kind::kFailed);
  EXPECT_EQ(list("[1.0, 2.0]", R"({"double_value": "NaN"})"), Kind::kFailed);
  EXPECT_EQ(list("[1.0, 2.0, 3.0]", R"({"double_value": 2})"), Kind::kFailed);
  const auto map = [&](const char* expression) {
    const char* wanted = R"([{"key": {"string_value": "a"}, "value": {"double_value": "NaN"}}])";
    return run(fmt::format(R"({{"expr": "{}", "value": {{"map_value": {{"entries": {}}}}}}})", expression, wanted));
  };
  EXPECT_EQ(map("{'a': 0.0 / 0.0}"), Kind::kPassed);
  EXPECT_EQ(map("{'a': 1.0}"), Kind::kFailed);
  EXPECT_EQ(map("{'b': 0.0 / 0.0}"), Kind::kFailed);
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
