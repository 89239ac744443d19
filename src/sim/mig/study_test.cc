#include "sim/mig/study.h"

#include <cstdint>

#include <gtest/gtest.h>

#include "sim/mig/node.h"

namespace berth::sim::mig {
namespace {

using engine::devices::Mode;

TEST(MigNode, SmallPartitionsGoWhereTheySpareLargeOnes) {
  Node node(Card::kH100, 2);
  EXPECT_EQ(node.ask(0, Mode::kStrict)->start, 0);
  for (const int start : {6, 4, 5}) {
    const auto chosen = node.ask(0, Mode::kBest);
    ASSERT_TRUE(chosen);
    EXPECT_EQ(chosen->card, 0);
    EXPECT_GE(chosen->start, 4) << start;
    node.take(*chosen);
  }
  EXPECT_EQ(node.taken(0), 0x70);
  EXPECT_EQ(node.ask(4, Mode::kBest)->card, 0);  // 4g still starts at 0, and the other card stays whole
}

TEST(MigNode, WhatIsGivenBackIsFree) {
  Node node(Card::kA100, 1);
  const auto whole = node.ask(5, Mode::kBest);
  ASSERT_TRUE(whole);
  node.take(*whole);
  EXPECT_FALSE(node.ask(0, Mode::kBest));
  EXPECT_FALSE(node.ask(0, Mode::kStrict));
  node.give_back(*whole);
  EXPECT_TRUE(node.ask(5, Mode::kStrict));
}

TEST(MigStudy, NothingBeatsTheOptimumAndBestComesCloseToIt) {
  std::int64_t optimum = 0;
  std::int64_t first_fit = 0;
  std::int64_t best = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    const SmallWorld world = small_world(Card::kA100, 8, seed);
    optimum += world.optimum.slices;
    for (const Policy policy : kPolicies) {
      EXPECT_LE(world.online[static_cast<std::size_t>(policy)].slices, world.optimum.slices) << seed;
      EXPECT_LE(world.batch[static_cast<std::size_t>(policy)].slices, world.optimum.slices) << seed;
    }
    first_fit += world.batch[static_cast<std::size_t>(Policy::kFirstFit)].slices;
    best += world.batch[static_cast<std::size_t>(Policy::kBest)].slices;
  }
  EXPECT_GE(best * 100, optimum * 98);
  EXPECT_GT(best, first_fit);
}

TEST(MigStudy, BestAcceptsMoreMemorySlicesThanFirstFitAndIsRepeatable) {
  const Load load{.card = Card::kA100, .cards = 4, .arrivals = 600, .percent = 100};
  std::int64_t first_fit = 0;
  std::int64_t best = 0;
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    const mig::Run once = run(load, seed);
    const mig::Run again = run(load, seed);
    for (std::size_t p = 0; p < kPolicies.size(); ++p) EXPECT_EQ(once.accepted[p].slices, again.accepted[p].slices);
    EXPECT_LE(once.accepted[0].claims, once.asked.claims);
    first_fit += once.accepted[static_cast<std::size_t>(Policy::kFirstFit)].slices;
    best += once.accepted[static_cast<std::size_t>(Policy::kBest)].slices;
  }
  EXPECT_GT(best, first_fit);
}

}  // namespace
}  // namespace berth::sim::mig
