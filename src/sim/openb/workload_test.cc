#include "sim/openb/workload.h"

#include <algorithm>
#include <numeric>

#include <gtest/gtest.h>

namespace berth::sim::openb {
namespace {

std::vector<TracePod> ten_pods() {
  std::vector<TracePod> pods;
  for (int i = 0; i < 10; ++i) {
    pods.push_back(
        {.name = "p" + std::to_string(i), .cpu_milli = i < 9 ? 0 : 1000, .gpus = 1, .gpu_milli = i < 9 ? 500 : 1000});
  }
  return pods;
}

std::int64_t total(const std::vector<TracePod>& pods, const std::vector<std::uint32_t>& order) {
  std::int64_t sum = 0;
  for (const std::uint32_t i : order) sum += pods[i].total_milli();
  return sum;
}

TEST(OpenbWorkload, InflatesUpToTheLimitAndKeepsEveryPod) {
  const auto pods = ten_pods();  // 5,500 milli
  Random random(42);
  const auto order = inflate(pods, 20'000, random);
  EXPECT_LE(total(pods, order), 20'000);
  EXPECT_GT(total(pods, order), 20'000 - 1000);
  std::vector<std::uint32_t> head(order.begin(), order.begin() + 10);
  std::ranges::sort(head);
  std::vector<std::uint32_t> all(10);
  std::iota(all.begin(), all.end(), 0U);
  EXPECT_EQ(head, all);
  Random again(42);
  EXPECT_EQ(inflate(pods, 20'000, again), order);
}

TEST(OpenbWorkload, CutsAListThatAsksForTooMuch) {
  const auto pods = ten_pods();
  Random random(1);
  const auto order = inflate(pods, 3'000, random);
  EXPECT_LE(total(pods, order), 3'000);
  EXPECT_GT(total(pods, order), 1'500);
}

TEST(OpenbWorkload, TargetCoversTheMostFrequentShapes) {
  auto pods = ten_pods();
  engine::Names names;
  // 9 of 10 pods are of one shape: 90 % is not enough, so the second is in as well.
  EXPECT_EQ(target_workload(pods, 95, names).shapes().size(), 2U);
  EXPECT_EQ(target_workload(pods, 95, names).shapes()[0].cpu, 100) << "no CPU request counts as 100 milli";
  for (int i = 0; i < 10; ++i) pods.push_back(pods[0]);
  EXPECT_EQ(target_workload(pods, 95, names).shapes().size(), 1U) << "19 of 20 are exactly 95 %";
  EXPECT_EQ(target_workload(pods, 96, names).shapes().size(), 2U);
}

}  // namespace
}  // namespace berth::sim::openb
