// Every case file of the project, and those of the shared set that speak the core alone, has the end it expects.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "sim/case/case_runner.h"
#include "support/source_directory.h"
#include "text/input.h"

namespace berth::sim {
namespace {

namespace fs = std::filesystem;

fs::path source() { return support::source_directory(); }

std::vector<std::string> case_files(const fs::path& folder) {
  std::vector<std::string> files;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder, ignored))
    if (entry.path().extension() == ".yaml") files.push_back(entry.path().string());
  std::ranges::sort(files);
  return files;
}

std::string read(const std::string& path) { return text::read_file(path).value(); }

std::string told(const CaseResult& result) {
  return fmt::format("{}\n{}\n{}", result.file, fmt::join(result.failures, "\n"), fmt::join(result.explanations, "\n"));
}

TEST(Cases, AllOfTheProjectPass) {
  const std::vector<std::string> files = case_files(source() / "tests" / "cases");
  EXPECT_GE(files.size(), 600U);
  for (const std::string& file : files) {
    const auto result = run_case(read(file), file);
    ASSERT_TRUE(result) << result.error().to_string();
    EXPECT_EQ(result->outcome, CaseResult::Outcome::kPassed) << told(*result);
    EXPECT_TRUE(result->unchecked.empty()) << file << ": a never line of ours has to be understood";
    EXPECT_EQ(result->name, fs::path(file).stem().string());
  }
}

// The order of nodes with equal scores is no part of any expectation.
TEST(Cases, TheEndDoesNotDependOnTheSeed) {
  for (const std::string& file : case_files(source() / "tests" / "cases")) {
    for (const std::uint64_t seed : {1ULL, 2ULL, 3ULL}) {
      const auto result = run_case(read(file), file, seed);
      ASSERT_TRUE(result) << result.error().to_string();
      EXPECT_EQ(result->outcome, CaseResult::Outcome::kPassed) << "seed " << seed << ": " << told(*result);
    }
  }
}

// The shared set lies beside the checkout where there is one (BERTH_SHARED).
TEST(Cases, TheSharedOnesThatAreSpokenPass) {
  const char* shared = std::getenv("BERTH_SHARED");
  const fs::path folder = (shared != nullptr ? fs::path(shared) : source() / ".." / "shared") / "cases";
  const std::vector<std::string> files = case_files(folder);
  if (files.empty()) GTEST_SKIP() << "no shared cases at " << folder;
  int passed = 0;
  for (const std::string& file : files) {
    const auto result = run_case(read(file), file);
    ASSERT_TRUE(result) << result.error().to_string();
    EXPECT_NE(result->outcome, CaseResult::Outcome::kFailed) << told(*result);
    if (result->outcome == CaseResult::Outcome::kPassed) ++passed;
  }
  EXPECT_EQ(passed, 10) << "07 speaks the core alone, 15, 16 and 17 claims as well, 01, 03 and 06 Volcano's objects, "
                           "12, 13 and 14 KAI's shares";
}

}  // namespace
}  // namespace berth::sim
