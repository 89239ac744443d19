#include "engine/score/card_packing.h"

#include <vector>

#include <gtest/gtest.h>

namespace berth::engine {
namespace {

std::int64_t score(std::int32_t count, std::int32_t milli, const std::vector<std::int32_t>& free) {
  ShapeView shape;
  shape.card_count = count;
  shape.card_milli = milli;
  NodeView node;
  node.card_free = free;
  return card_packing().score(shape, node).value;
}

TEST(CardPacking, FillsTheFullestNodeFirst) {
  EXPECT_EQ(score(1, 1000, {0, 0, 0, 1000}), 100);
  EXPECT_EQ(score(1, 1000, {0, 0, 1000, 1000}), 75);
  EXPECT_EQ(score(1, 1000, {1000, 1000, 1000, 1000}), 25);
}

TEST(CardPacking, TwoSinglesLeaveTheWideNodeToThePair) {
  EXPECT_GT(score(1, 1000, {1000}), score(1, 1000, {1000, 1000}));
  EXPECT_EQ(score(2, 1000, {1000, 1000}), 100);
}

TEST(CardPacking, SharesCountWithTheirThousandths) {
  EXPECT_EQ(score(1, 250, {750, 1000}), 25);
  EXPECT_EQ(score(1, 500, {500, 0}), 100);
}

TEST(CardPacking, PodsWithoutCardsStayAwayFromThem) {
  EXPECT_EQ(score(0, 0, {}), 100);
  EXPECT_EQ(score(0, 0, {1000, 1000}), 0);
  EXPECT_EQ(score(0, 0, {0, 0}), 0);
}

}  // namespace
}  // namespace berth::engine
