// Slices and claims that nobody would write on purpose: each gets an answer with a reason, soon, and never a crash.
#include <gtest/gtest.h>

#include <ctime>
#include <fstream>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "support/run_command.h"

namespace berth::cli {
namespace {

constexpr std::string_view kClass =
    R"({"apiVersion":"resource.k8s.io/v1","kind":"DeviceClass","metadata":{"name":"gpu"}})";

std::string slice(const std::string& name, int count, const std::string& content, int generation = 1) {
  return fmt::format(
      R"({{"apiVersion":"resource.k8s.io/v1","kind":"ResourceSlice","metadata":{{"name":"{}"}},"spec":{{)"
      R"("driver":"d.example.com","nodeName":"n1","pool":{{"name":"p","generation":{},)"
      R"("resourceSliceCount":{}}},{}}}}})",
      name, generation, count, content);
}

std::string devices(int count, const std::string& more) {
  std::string out = R"("devices":[)";
  for (int i = 0; i < count; ++i)
    out += fmt::format(R"({}{{"name":"d{}"{}}})", i == 0 ? "" : ",", i, fmt::vformat(more, fmt::make_format_args(i)));
  return out + "]";
}

std::string claim(const std::string& name, const std::string& request, const std::string& constraints = "") {
  return fmt::format(
      R"({{"apiVersion":"resource.k8s.io/v1","kind":"ResourceClaim","metadata":{{"name":"{}","namespace":"x"}},)"
      R"("spec":{{"devices":{{"requests":[{{"name":"r","exactly":{{"deviceClassName":"gpu"{}}}}}]{}}}}}}})",
      name, request, constraints);
}

class HostileDevices : public testing::Test {
 protected:
  void add(std::string object) { objects_.push_back(std::move(object)); }

  // The answers of both commands, in strict and in best mode; each within five seconds of the processor, which is some
  // twenty times what the slowest takes.
  std::string answers() {
    std::string claims;
    add(R"({"apiVersion":"v1","kind":"Node","metadata":{"name":"n1"},"status":{"allocatable":{"cpu":"8","memory":"64Gi","pods":"9"}}})");
    add(R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"p","namespace":"x"},"spec":{"resourceClaims":[{"name":"c",)"
        R"("resourceClaimName":"c0"}],"containers":[{"name":"m","image":"i"}]}})");
    const std::string path =
        testing::TempDir() + testing::UnitTest::GetInstance()->current_test_info()->name() + ".json";
    {
      std::ofstream file(path);
      file << R"({"apiVersion":"v1","kind":"List","items":[)";
      for (std::size_t i = 0; i < objects_.size(); ++i) file << (i == 0 ? "" : ",") << objects_[i];
      file << "]}";
    }
    std::string out;
    for (const std::vector<std::string>& arguments :
         {std::vector<std::string>{"allocate", "--mode", "strict", "--node", "n1", path},
          {"allocate", "--mode", "best", "--node", "n1", path},
          {"plan", path}}) {
      const std::clock_t start = std::clock();
      const Ran ran = berth(arguments);
      EXPECT_LT(std::clock() - start, std::clock_t{5} * CLOCKS_PER_SEC) << arguments[0];
      for (const char byte : ran.out + ran.err)
        EXPECT_TRUE(byte == '\n' || static_cast<unsigned char>(byte) >= 0x20) << "a control character";
      out += ran.out + ran.err + fmt::format("code {}\n", ran.code);
    }
    return out;
  }

 private:
  std::vector<std::string> objects_ = {std::string(kClass)};
};

TEST_F(HostileDevices, ASetOfAHundredThousandCountersIsRefusedInASentence) {
  std::string counters;
  for (int i = 0; i < 100'000; ++i) counters += fmt::format(R"({}"c{}":{{"value":"1"}})", i == 0 ? "" : ",", i);
  add(slice("a", 2, R"("sharedCounters":[{"name":"s","counters":{)" + counters + "}}]"));
  add(slice("b", 2, devices(1, "")));
  add(claim("c0", ""));
  const std::string out = answers();
  EXPECT_NE(out.find("32"), std::string::npos) << out.substr(0, 2000);
  EXPECT_LT(out.size(), 20'000U);
  EXPECT_NE(out.find("slices of its newest generation"), std::string::npos) << out.substr(0, 2000);
}

TEST_F(HostileDevices, SlicesThatAgreeOnNothingAreNotUsed) {
  for (int i = 0; i < 300; ++i) add(slice(fmt::format("s{}", i), i + 1, devices(1, ""), i % 3));
  add(claim("c0", ""));
  EXPECT_NE(answers().find("NoDevice"), std::string::npos);
}

TEST_F(HostileDevices, AThousandDevicesOfOneNameMakeThePoolInvalid) {
  for (int i = 0; i < 100; ++i) add(slice(fmt::format("s{}", i), 100, devices(1, "")));
  add(claim("c0", R"(,"allocationMode":"All")"));
  const std::string out = answers();
  EXPECT_NE(out.find("AllInvalidPool"), std::string::npos) << out;
  EXPECT_NE(out.find("two devices of one name"), std::string::npos) << out;
}

TEST_F(HostileDevices, CountersAtTheEndOfTheirRangeDoNotOverflow) {
  add(slice("a", 2, R"("sharedCounters":[{"name":"s","counters":{"c":{"value":"9223372036854775807"}}}])"));
  add(slice(
      "b", 2,
      devices(64,
              R"(,"consumesCounters":[{{"counterSet":"s","counters":{{"c":{{"value":"9223372036854775807"}}}}}}])")));
  add(claim("c0", R"(,"count":2)"));
  EXPECT_NE(answers().find("NoDevice"), std::string::npos);
}

// Which nine of 64 devices fit on the card is a knapsack; that none do is seen from the smallest.
TEST_F(HostileDevices, AKnapsackOfCountersIsAnsweredAtOnce) {
  add(slice("a", 2, R"("sharedCounters":[{"name":"s","counters":{"c":{"value":"1001"},"e":{"value":"777"}}}])"));
  std::string all = R"("devices":[)";
  for (int i = 0; i < 64; ++i)
    all += fmt::format(R"({}{{"name":"d{}","consumesCounters":[{{"counterSet":"s","counters":{{"c":{{"value":"{}"}},)"
                       R"("e":{{"value":"{}"}}}}}}]}})",
                       i == 0 ? "" : ",", i, 120 + 37 * i % 161, 50 + 23 * i % 41);
  add(slice("b", 2, all + "]"));
  add(claim("c0", R"(,"count":9)"));
  EXPECT_NE(answers().find("NoDevice"), std::string::npos);
}

TEST_F(HostileDevices, MoreClaimsThanDevicesAreNoSearch) {
  add(slice("a", 1, devices(128, R"(,"attributes":{{"a":{{"int":{0}}}}})")));
  for (int i = 0; i < 65; ++i) add(claim(fmt::format("c{}", i), R"(,"count":2)"));
  const std::string out = answers();
  EXPECT_NE(out.find("NoDevice"), std::string::npos) << out;
  EXPECT_EQ(out.find("SearchLimit"), std::string::npos) << out;
}

TEST_F(HostileDevices, ManyClaimsThatShareDevicesNameTheFirstThatHasNoRoom) {
  add(slice("a", 1, devices(32, R"(,"allowMultipleAllocations":true,"capacity":{{"m":{{"value":"100"}}}})")));
  for (int i = 0; i < 40; ++i) add(claim(fmt::format("c{}", i), R"(,"capacity":{"requests":{"m":"51"}})"));
  const std::string out = answers();
  EXPECT_NE(out.find("beside 32 claims"), std::string::npos) << out;
}

TEST_F(HostileDevices, OddNamesAreRefusedAndShownHarmlessly) {
  add(slice("a\\u001b[31m", 1, devices(1, "")));
  add(slice("b", 1, R"("devices":[{"name":")" + std::string(100'000, 'x') + R"("},{"name":"y\\u202e"}])"));
  add(slice("c", 1, R"("devices":[{"name":"ok","attributes":{"\u202e)" + std::string(1000, 'q') + R"(":{"int":1}}}])"));
  add(claim("c\\u0007", ""));
  add(claim("c0", ""));
  const std::string out = answers();
  EXPECT_NE(out.find("code 1"), std::string::npos);
  EXPECT_EQ(out.find("\u202e"), std::string::npos);
  EXPECT_LT(out.size(), 60'000U);
}

TEST_F(HostileDevices, ASelectorThatCostsTooMuchIsAnErrorOfItsDevices) {
  add(slice("a", 1, devices(128, "")));
  std::string expression = "a + b + c + d + e + f > 0";
  for (const char* name : {"f", "e", "d", "c", "b", "a"})
    expression = fmt::format("[1, 2, 3, 4, 5, 6, 7, 8].all({}, {})", name, expression);
  add(claim("c0", R"(,"selectors":[{"cel":{"expression":")" + expression + R"("}}])"));
  EXPECT_NE(answers().find("SelectorError"), std::string::npos);
}

}  // namespace
}  // namespace berth::cli
