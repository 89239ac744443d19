#include "sim/mig/study.h"

#include <algorithm>
#include <cstdint>

#include <gtest/gtest.h>

#include "sim/mig/card.h"
#include "sim/mig/node.h"
#include "sim/mig/optimum.h"

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

// All there is to try: each claim on each card, or left out.
std::int64_t by_trying(const Batch& batch, std::size_t profile = 0, int left = 0) {
  if (left == 0) {
    if (profile == kProfiles) return 0;
    const int next = batch.claims[profile];
    if (next == 0) return by_trying(batch, profile + 1);
    return by_trying(batch, profile, next);
  }
  const auto go_on = [&](const Batch& then) {
    return left == 1 ? by_trying(then, profile + 1) : by_trying(then, profile, left - 1);
  };
  std::int64_t most = go_on(batch);
  const Profile& its = profiles()[profile];
  for (std::size_t c = 0; c < batch.cards.size(); ++c) {
    for (const int start : its.starts) {
      Batch then = batch;
      UsedCard& card = then.cards[c];
      card.multiprocessors += its.multiprocessors[static_cast<std::size_t>(batch.card)];
      if ((card.slices & its.mask(start)) != 0 || card.multiprocessors > multiprocessors(batch.card)) continue;
      card.slices |= its.mask(start);
      most = std::max(most, its.slices + go_on(then));
    }
  }
  return most;
}

TEST(MigOptimum, IsWhatTryingEverythingFinds) {
  for (std::uint64_t seed = 1; seed <= 150; ++seed) {
    const BatchWorld world = batch_world(seed % 2 == 0 ? Card::kA100 : Card::kH100, 2, 4, seed);
    EXPECT_EQ(most_slices(world.batch), by_trying(world.batch)) << seed;
  }
}

TEST(MigOptimum, WhatIsKnownChangesNothing) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const BatchWorld world = batch_world(Card::kH100, 4, 14, seed);
    const std::int64_t most = most_slices(world.batch);
    EXPECT_EQ(most_slices(world.batch, most - 1), most) << seed;
    EXPECT_EQ(most_slices(world.batch, most), most) << seed;
  }
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

// The most multiprocessors that any partitions take which fit beside each other in the memory slices left.
int most_multiprocessors(std::size_t card, Mask taken) {
  int most = 0;
  for (const Profile& profile : profiles()) {
    for (const int start : profile.starts) {
      if ((taken & profile.mask(start)) != 0) continue;
      const auto then = static_cast<Mask>(taken | profile.mask(start));
      most = std::max(most, profile.multiprocessors[card] + most_multiprocessors(card, then));
    }
  }
  return most;
}

// So what can be cut from an A100 can be cut from an H100, and the study's numbers are the same.
TEST(MigCards, MultiprocessorsNeverRunOutBeforeMemorySlices) {
  EXPECT_EQ(most_multiprocessors(0, 0), 98);
  EXPECT_EQ(multiprocessors(Card::kA100), 98);
  EXPECT_EQ(most_multiprocessors(1, 0), 132);
  EXPECT_EQ(multiprocessors(Card::kH100), 132);
}

}  // namespace
}  // namespace berth::sim::mig
