#include "sim/mixed/study.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "sim/mixed/objects.h"
#include "sim/mixed/optimum.h"

namespace berth::sim::mixed {
namespace {

std::size_t ask_named(std::string_view name) {
  const auto found = std::ranges::find(asks(), name, &Ask::name);
  EXPECT_NE(found, asks().end()) << name;
  return static_cast<std::size_t>(found - asks().begin());
}

TEST(MixedAsks, TakeTheLargerPartAndCountAsTheLeast) {
  const Ask& small = asks()[ask_named("1g-10gb")];
  EXPECT_EQ(small.takes(Card::kA100), 250);  // two memory slices of eight
  EXPECT_EQ(small.takes(Card::kH100), 125);
  EXPECT_EQ(small.size(), 125);
  EXPECT_FALSE(asks()[ask_named("7g-80gb")].served_by(Card::kA100));
  EXPECT_EQ(asks()[ask_named("share-10gi-40")].takes(Card::kA100), 408);  // 40 of 98 multiprocessors
}

TEST(MixedObjects, AreReadAsTheyAreMeant) {
  const Layout layout{.a100_nodes = 1, .h100_nodes = 2, .per_node = 2};
  const api::ObjectSet objects = objects_of(layout);
  EXPECT_EQ(objects.nodes.size(), 3U);
  EXPECT_EQ(objects.pods.size(), asks().size());
  EXPECT_EQ(objects.device_classes.size(), asks().size());
  EXPECT_EQ(objects.resource_claim_templates.size(), asks().size());
  ASSERT_EQ(objects.resource_slices.size(), 12U);
  std::size_t devices = 0;
  for (const auto& read : objects.resource_slices) devices += read.object.devices.size();
  EXPECT_EQ(devices, 6U * (1 + 7 + 4 + 3 + 2 + 1 + 1));
}

TEST(MixedCards, AreInOneModeAtATime) {
  Cards cards({.a100_nodes = 1, .h100_nodes = 0, .per_node = 1});
  const Ask& partition = asks()[ask_named("2g-10gb")];
  const Ask& share = asks()[ask_named("share-10gi-20")];
  ASSERT_TRUE(cards.take(share, {{.card = 0, .start = 0}}));
  EXPECT_FALSE(cards.fits(partition, 0));
  EXPECT_TRUE(cards.fits(share, 0));
  EXPECT_FALSE(cards.fits(asks()[ask_named("card")], 0));
  EXPECT_EQ(cards.free(), 750);
  EXPECT_EQ(cards.useless_to(partition), 750);
  cards.give_back(share, {{.card = 0, .start = 0}});
  EXPECT_EQ(cards.whole(), 1);
  ASSERT_TRUE(cards.take(partition, {{.card = 0, .start = 2}}));
  EXPECT_FALSE(cards.take(partition, {{.card = 0, .start = 2}}));
  EXPECT_FALSE(cards.fits(share, 0));
}

// All there is to try, without a thought: each pod on each card or, for several, on each set of cards, or left out.
std::int64_t by_trying(Cards& cards, const std::vector<std::size_t>& batch, std::size_t i = 0) {
  if (i == batch.size()) return 0;
  const Ask& ask = asks()[batch[i]];
  std::int64_t best = by_trying(cards, batch, i + 1);
  const auto attempt = [&](const Placement& placement) {
    if (!cards.take(ask, placement)) return;
    best = std::max(best, ask.size() + by_trying(cards, batch, i + 1));
    cards.give_back(ask, placement);
  };
  for (int card = 0; card < cards.layout().cards(); ++card) {
    if (ask.cards == 1) {
      for (int start = 0; start < mig::kSlices; ++start) {
        const auto its = starts(ask, cards.product_of(card));
        if (std::ranges::find(its, start) != its.end()) attempt({{.card = card, .start = start}});
      }
    } else if (ask.cards == 2) {
      for (int other = 0; other < card; ++other) attempt({{.card = other, .start = 0}, {.card = card, .start = 0}});
    }
  }
  return best;
}

TEST(MixedOptimum, IsWhatTryingEverythingFinds) {
  for (std::uint64_t seed = 1; seed <= 120; ++seed) {
    Random random(seed);
    const bool pairs = seed % 4 == 0;
    const Layout layout{.a100_nodes = 1, .h100_nodes = seed % 3 == 0 ? 2 : 1, .per_node = pairs ? 2 : 1};
    std::vector<std::size_t> batch;
    for (int i = 0; i < (pairs ? 4 : 5); ++i) batch.push_back(draw(random));
    if (pairs) batch.push_back(ask_named("cards-2"));
    Cards cards(layout);
    EXPECT_EQ(most(layout, batch), by_trying(cards, batch)) << seed;
    EXPECT_EQ(cards.holders(), 0);
  }
}

TEST(MixedStudy, WhatCameInAndDidNotLeaveIsThere) {
  const Load load{.layout = {.a100_nodes = 1, .h100_nodes = 1, .per_node = 4}, .arrivals = 250, .percent = 120};
  for (const Policy policy : kPolicies) {
    const mixed::Run result = run(load, policy, 3);
    EXPECT_EQ(result.overdrawn, 0) << name_of(policy);
    EXPECT_EQ(result.placed - result.left, result.held) << name_of(policy);
    EXPECT_GT(result.left, 0);
    EXPECT_GT(result.moments, 0);
    for (std::size_t k = 0; k < kKinds.size(); ++k) EXPECT_LE(result.accepted[k].pods, result.asked[k].pods);
    EXPECT_LE(result.useless, result.free * total_often());
  }
}

TEST(MixedStudy, NobodyGetsMoreThanTheOptimum) {
  const SmallWorlds small{.worlds = 1, .per_node = 1, .pods = 7};
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    const SmallWorld world = play(small, seed);
    EXPECT_LE(world.optimum, world.asked);
    for (std::size_t p = 0; p < kPolicies.size(); ++p) {
      EXPECT_LE(world.in_order[p], world.optimum) << seed;
      EXPECT_LE(world.largest_first[p], world.optimum) << seed;
    }
  }
}

// Of five seeds together, on nodes that are contended.
TEST(MixedStudy, BerthAcceptsMoreAndLeavesLessOfNoUse) {
  const Load load{.layout = {.a100_nodes = 2, .h100_nodes = 2, .per_node = 4}, .arrivals = 400, .percent = 100};
  std::array<std::int64_t, kPolicies.size()> accepted{};
  std::array<std::int64_t, kPolicies.size()> useless{};
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    for (std::size_t p = 0; p < kPolicies.size(); ++p) {
      const mixed::Run one = run(load, kPolicies[p], seed);
      for (const Count& count : one.accepted) accepted[p] += count.size;
      useless[p] += one.useless;
    }
  }
  const auto berth = static_cast<std::size_t>(Policy::kBerth);
  for (const Policy policy : {Policy::kUpstream, Policy::kBestMode, Policy::kBestFit}) {
    const auto other = static_cast<std::size_t>(policy);
    EXPECT_GT(accepted[berth], accepted[other]) << name_of(policy);
    if (policy != Policy::kBestFit) {
      EXPECT_LT(useless[berth], useless[other]) << name_of(policy);
    }
  }
}

TEST(MixedStudy, IsTheSameForAnyNumberOfThreads) {
  Study study;
  study.load.layout = {.a100_nodes = 1, .h100_nodes = 1, .per_node = 2};
  study.load.arrivals = 80;
  study.percents = {100};
  study.seeds = 2;
  study.small = {.worlds = 3, .per_node = 1, .pods = 5};
  std::size_t done = 0;
  const Results one = run_all(study, 1, [&](std::size_t parts) { done = parts; });
  const Results three = run_all(study, 3, {});
  EXPECT_EQ(done, parts(study));
  for (std::size_t p = 0; p < kPolicies.size(); ++p) {
    for (std::size_t seed = 0; seed < 2; ++seed) {
      const mixed::Run& a = one.runs[0][p][seed];
      const mixed::Run& b = three.runs[0][p][seed];
      EXPECT_EQ(a.placed, b.placed);
      EXPECT_EQ(a.useless, b.useless);
      EXPECT_EQ(a.whole, b.whole);
    }
  }
  for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(one.small[i].in_order, three.small[i].in_order);
}

}  // namespace
}  // namespace berth::sim::mixed
