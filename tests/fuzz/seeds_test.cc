// Every fuzzer over its seeds, whole and cut in half: what it asks for must hold there at the least. Fuzzing itself
// takes clang and minutes (make fuzz); this notices in every build when a fuzzer no longer fits what it tests. A
// requirement that does not hold aborts.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <ostream>
#include <string>
#include <vector>

#include "support/source_directory.h"

// fuzzers.inc has a line FUZZER(name) for each fuzz/name.cc; the build gives each entry point the file's name.
#define FUZZER(name) extern "C" int name(const std::uint8_t* data, std::size_t size);
#include <fuzzers.inc>
#undef FUZZER

namespace berth {
namespace {

struct Fuzzer {
  std::string name;
  int (*run)(const std::uint8_t*, std::size_t);
};
std::ostream& operator<<(std::ostream& out, const Fuzzer& fuzzer) { return out << fuzzer.name; }

std::vector<Fuzzer> fuzzers() {
#define FUZZER(name) {#name, name},
  return {
#include <fuzzers.inc>
  };
#undef FUZZER
}

std::vector<std::filesystem::path> seeds_of(const std::string& fuzzer) {
  const std::string name = fuzzer.substr(0, fuzzer.find("_fuzz"));
  std::vector<std::filesystem::path> files;
  for (const auto& entry :
       std::filesystem::directory_iterator(std::string(support::source_directory()) + "/fuzz/seeds/" + name)) {
    files.push_back(entry.path());
  }
  std::ranges::sort(files);
  return files;
}

class Seeds : public testing::TestWithParam<Fuzzer> {};

TEST_P(Seeds, HoldWhatTheFuzzerRequires) {
  const auto run = [](const std::string& text) {
    EXPECT_EQ(GetParam().run(reinterpret_cast<const std::uint8_t*>(text.data()), text.size()), 0);
  };
  run("");
  const std::vector<std::filesystem::path> files = seeds_of(GetParam().name);
  ASSERT_FALSE(files.empty());
  for (const std::filesystem::path& path : files) {
    std::ifstream file(path, std::ios::binary);
    const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
    run(text);
    run(text.substr(0, text.size() / 2));
  }
}

INSTANTIATE_TEST_SUITE_P(Each, Seeds, testing::ValuesIn(fuzzers()),
                         [](const testing::TestParamInfo<Fuzzer>& each) { return each.param.name; });

}  // namespace
}  // namespace berth
