#include "engine/world/cards.h"

#include <gtest/gtest.h>

namespace berth::engine {
namespace {

CardGroup group(std::size_t cards, std::int64_t memory) {
  CardGroup result;
  result.free.assign(cards, kMilliPerCard);
  result.whole_free = static_cast<std::int32_t>(cards);
  result.largest_free = kMilliPerCard;
  result.memory_bytes = memory;
  if (memory > 0) result.memory_free.assign(cards, memory);
  return result;
}

CardRequest by_milli(std::int32_t milli, std::int32_t count = 1) {
  return {.resource = {}, .count = count, .milli = milli, .products = {}, .memory_bytes = 0};
}
CardRequest by_memory(std::int64_t bytes, std::int32_t count = 1) {
  return {.resource = {}, .count = count, .milli = 0, .products = {}, .memory_bytes = bytes};
}

int place_all(CardGroup& cards, const CardRequest& request) {
  int placed = 0;
  for (; cards.has_room(request) && placed < 10'000; ++placed) cards.take(cards.choose(request, -1));
  return placed;
}

TEST(Cards, MemoryIsAHardWall) {
  CardGroup cards = group(1, 46068);
  EXPECT_EQ(cards.shares_left(by_memory(2000)), 23);
  EXPECT_EQ(place_all(cards, by_memory(2000)), 23);
  EXPECT_EQ(cards.memory_free[0], 68);
  EXPECT_GE(cards.free[0], 0);
  EXPECT_EQ(place_all(cards, by_memory(68)), 1);
  EXPECT_FALSE(cards.has_room(by_memory(1)));
}

TEST(Cards, TwoHalvesFitAndThreeDoNot) {
  for (const std::int64_t memory : {0, 46068, 46069}) {
    CardGroup cards = group(1, memory);
    EXPECT_EQ(place_all(cards, by_milli(500)), 2) << memory;
  }
}

// 0.3333 and 0.3334 of a card: counted in thousandths, rounded up, three of neither fitted.
TEST(Cards, ThreeThirdsFitAndThreeThatAreALittleMoreDoNot) {
  for (const std::int64_t memory : {std::int64_t{0}, std::int64_t{80} << 30U}) {
    CardRequest less = by_milli(333);
    less.millionths = 300'000;
    CardRequest more = by_milli(333);
    more.millionths = 400'000;
    CardGroup cards = group(1, memory);
    EXPECT_EQ(cards.shares_left(less), 3);
    EXPECT_EQ(cards.shares_left(more), 2);
    EXPECT_EQ(place_all(cards, less), 3) << memory;
    EXPECT_EQ(cards.exact_free(0), 100'000);
    EXPECT_EQ(cards.free[0], 0);

    cards = group(2, memory);
    EXPECT_EQ(place_all(cards, more), 4) << memory;
    EXPECT_EQ(cards.free, (std::vector<std::int32_t>{333, 333})) << "333.2 of each";
    EXPECT_TRUE(cards.has_room(by_milli(333)));
    EXPECT_FALSE(cards.has_room(by_milli(334)));
    EXPECT_TRUE(cards.enough_in_sum(more)) << "but in no one card";
    const CardAssignment third = cards.choose(less, 0);
    EXPECT_TRUE(third.cards.empty()) << "not on the card that a policy names, either";

    cards = group(1, memory);
    const CardAssignment one = cards.choose(more, -1);
    cards.take(one);
    EXPECT_EQ(cards.whole_free, 0);
    cards.give_back(one);
    EXPECT_EQ(cards.whole_free, 1);
    EXPECT_EQ(cards.exact_free(0), 1'000'000'000);
  }
}

TEST(Cards, SharesOfBothKindsAreOnOneLedger) {
  CardGroup cards = group(1, 40000);
  cards.take(cards.choose(by_milli(500), -1));
  EXPECT_EQ(cards.memory_free[0], 20000);
  EXPECT_EQ(place_all(cards, by_memory(7000)), 2);
  EXPECT_FALSE(cards.has_room(by_milli(200))) << "6000 of 40000 are left";
  EXPECT_TRUE(cards.has_room(by_milli(150)));
  EXPECT_FALSE(cards.has_room({.resource = {}, .count = 1, .products = {}})) << "no whole card";
}

// A policy sees milli alone, and by these a third share of 333 fits.
TEST(Cards, ACardThatAPolicyNamesIsNotTakenWhenItsMemoryIs) {
  CardGroup cards = group(2, 30000);
  cards.take(cards.choose(by_memory(10001), 0));
  cards.take(cards.choose(by_memory(10001), 0));
  EXPECT_EQ(cards.free[0], 334);
  EXPECT_EQ(cards.choose(by_memory(10001), 0).cards, std::vector<std::uint16_t>{1});
  EXPECT_EQ(cards.choose(by_memory(9000), 0).cards, std::vector<std::uint16_t>{0});
}

TEST(Cards, SharesOfSeveralCardsSitOnDifferentOnes) {
  CardGroup cards = group(3, 0);
  cards.take(cards.choose(by_milli(600), -1));
  EXPECT_TRUE(cards.has_room(by_milli(500, 2)));
  const CardAssignment assignment = cards.choose(by_milli(500, 2), -1);
  EXPECT_EQ(assignment.cards, (std::vector<std::uint16_t>{1, 2}));
  cards.take(assignment);
  EXPECT_FALSE(cards.has_room(by_milli(600, 2)));
  cards.give_back(assignment);
  EXPECT_EQ(cards.free[2], kMilliPerCard);
}

TEST(Cards, MemoryThatIsNotKnownServesNoShareByMemory) {
  EXPECT_FALSE(group(1, 0).large_enough(by_memory(1)));
  EXPECT_FALSE(group(1, 100).large_enough(by_memory(101)));
  EXPECT_TRUE(group(1, 100).large_enough(by_memory(100)));
}

}  // namespace
}  // namespace berth::engine
