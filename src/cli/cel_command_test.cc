// `berth cel EXPR -f slices.yaml`: a row per device, and what is wrong with the names in the expression.
#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include "support/run_command.h"
#include "support/source_directory.h"
#include "text/json_reader.h"
#include "text/value.h"

namespace berth::cli {
namespace {

std::string slices() { return std::string(support::source_directory()) + "/examples/dra/driver-slices.yaml"; }
std::string cluster() { return std::string(support::source_directory()) + "/examples/dra/cluster.yaml"; }

TEST(CelOnDevices, EachDeviceHasARowWithItsAnswer) {
  const Ran ran = berth({"cel", R"(device.attributes["driver.example.com"].type == "gpu")", "-f", slices()});
  EXPECT_EQ(ran.code, kDone) << ran.err;
  EXPECT_NE(ran.out.find("true    driver.example.com  large-1/gpu-0"), std::string::npos) << ran.out;
  EXPECT_NE(ran.out.find("false   driver.example.com  large-1/nic-0"), std::string::npos) << ran.out;
  EXPECT_NE(ran.out.find("3 of 4 devices: true; 0 errors"), std::string::npos) << ran.out;
}

TEST(CelOnDevices, AnErrorIsShownWithTheDeviceAndExitTwo) {
  const Ran ran = berth({"cel", R"(device.capacity["driver.example.com"].memory == quantity("64Gi"))", "-f", slices()});
  EXPECT_EQ(ran.code, kNotEverything);
  EXPECT_NE(ran.out.find("error"), std::string::npos);
  EXPECT_NE(ran.out.find("no such key: memory"), std::string::npos) << ran.out;
  EXPECT_NE(ran.out.find("1 error"), std::string::npos) << ran.out;
}

TEST(CelOnDevices, ManyDevicesAreGroupedByTheirAnswers) {
  const Ran ran = berth({"cel", R"(device.attributes["gpu.nvidia.com"].type == "mig")", "-f", cluster()});
  EXPECT_EQ(ran.code, kDone);
  EXPECT_NE(ran.out.find("75 devices"), std::string::npos) << ran.out;
  EXPECT_NE(ran.out.find("3 devices"), std::string::npos) << ran.out;
}

TEST(CelOnDevices, AWrongDomainIsNamedWithTheRightOneUnderACaret) {
  const Ran ran = berth({"cel", R"(device.attributes["mig.nvidia.com"].profile == "1g.10gb")", "-f", cluster()});
  EXPECT_NE(ran.out.find("device.attributes[\"gpu.nvidia.com\"].profile"), std::string::npos) << ran.out;
  EXPECT_NE(ran.out.find('^'), std::string::npos) << ran.out;
}

TEST(CelOnDevices, JsonHasTheSame) {
  const Ran ran = berth(
      {"cel", R"(device.capacity["driver.example.com"].memory == quantity("64Gi"))", "-f", slices(), "-o", "json"});
  const auto document = text::parse_json(ran.out);
  ASSERT_TRUE(document.has_value()) << ran.out;
  const text::Value* devices = document->root().find("devices");
  ASSERT_NE(devices, nullptr);
  ASSERT_EQ(devices->items().size(), 4U);
  EXPECT_TRUE(devices->items()[0].find("value")->is_true());
  EXPECT_NE(devices->items()[2].find("error"), nullptr);
  EXPECT_EQ(document->root().find("matching")->as_int64().value_or(0), 2);
}

TEST(CelOnDevices, WhatDoesNotCompileOrHasNoSliceIsBadInput) {
  EXPECT_EQ(berth({"cel", "device.nothing", "-f", slices()}).code, kBadInput);
  EXPECT_EQ(berth({"cel", "1 +", "-f", slices()}).code, kBadInput);
  const std::string empty = testing::TempDir() + "/no-slices.yaml";
  std::ofstream(empty) << "apiVersion: v1\nkind: Namespace\nmetadata: {name: a}\n";
  const Ran ran = berth({"cel", "true", "-f", empty});
  EXPECT_EQ(ran.code, kBadInput);
  EXPECT_NE(ran.err.find("no ResourceSlice"), std::string::npos);
}

TEST(CelOnDevices, FeaturesChangeTheLanguage) {
  const std::string expression = "device.allowMultipleAllocations";
  EXPECT_EQ(berth({"cel", expression, "-f", slices()}).out.find("refuses"), std::string::npos);
  const Ran off = berth({"cel", expression, "-f", slices(), "--features", "DRAConsumableCapacity=false"});
  EXPECT_EQ(off.code, kDone) << "what is stored goes on working";
  EXPECT_NE(off.out.find("The API server refuses the expression in new objects"), std::string::npos) << off.out;
}

TEST(CelOnDevices, WhatIsBehindTwoDashesIsNoOptionThoughFilesStandBefore) {
  const Ran behind_files = berth({"cel", "-f", slices(), "--", "-size(device.driver) < 0"});
  EXPECT_EQ(behind_files.code, kDone) << behind_files.err;
  EXPECT_NE(behind_files.out.find("4 of 4 devices: true"), std::string::npos) << behind_files.out;
  EXPECT_EQ(berth({"cel", "--filename=" + slices(), "--", "-size(device.driver) < 0"}).code, kDone);
  EXPECT_EQ(berth({"cel", "-f", slices(), slices(), "--", "-size('a') < 0"}).code, kDone);
  EXPECT_EQ(berth({"cel", "--", "-size('a') < 0"}).code, kDone);
  EXPECT_EQ(berth({"cel", "-o", "json", "--", "-size('a') < 0"}).code, kDone);
  EXPECT_EQ(berth({"cel", "-size('a') < 0", "-f", slices(), "--"}).code, kBadInput) << "there is no option -s";
  EXPECT_EQ(berth({"cel", "0 < 1", "-f", slices(), "--"}).code, kDone);
}

TEST(CelOnDevices, AnUnknownVersionIsRefusedWithoutDevicesToo) {
  const Ran ran = berth({"cel", "--kubernetes", "1.33", "1 + 1"});
  EXPECT_EQ(ran.code, kBadInput);
  EXPECT_NE(ran.err.find("1.33"), std::string::npos) << ran.err;
  EXPECT_EQ(berth({"cel", "--features", "Nothing=true", "1 + 1"}).code, kBadInput);
  EXPECT_EQ(berth({"cel", "--kubernetes", "1.34", "1 + 1"}).code, kDone);
}

}  // namespace
}  // namespace berth::cli
