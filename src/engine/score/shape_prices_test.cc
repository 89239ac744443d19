#include "engine/score/shape_prices.h"

#include <vector>

#include <gtest/gtest.h>

namespace berth::engine {
namespace {

using Cards = std::vector<std::int32_t>;
using Free = std::vector<std::int64_t>;
constexpr std::int64_t kUnit = ShapePrices::kUnit;
constexpr Amount kPlenty = 64'000;  // CPU

const ProductId kT4(0U);
const ProductId kG2(1U);

std::vector<NodeView> nodes(std::size_t count, const Cards& cards, ProductId product = kG2) {
  return std::vector<NodeView>(count, {.free_cpu = 64'000, .card_free = cards, .product = product, .pods_by_kind = {}});
}

TEST(ShapePrices, AFillerThatComesTooSeldomCostsWhatItUses) {
  // Ten cards can hold ten large shares; twelve come, and one small one that would fill any rest.
  const TargetWorkload mix({{.cpu = 100, .card_count = 1, .card_milli = 800, .count = 10},
                            {.cpu = 100, .card_count = 1, .card_milli = 200, .count = 1}});
  ShapePrices prices(mix);
  EXPECT_EQ(prices.earnings(kPlenty, Free{1000, 200}, kG2), 0) << "before settle()";
  const Cards eight(8, 1000);
  prices.settle(nodes(100, eight));
  EXPECT_EQ(prices.prices()[0], 0);
  EXPECT_GT(prices.prices()[1], 190 * kUnit);
  EXPECT_LT(prices.earnings(kPlenty, Free{200}, kG2), 10 * kUnit) << "nobody will come for it";
  EXPECT_NEAR(static_cast<double>(prices.earnings(kPlenty, Free{1000}, kG2)), 800.0 * kUnit, 10.0 * kUnit);
}

TEST(ShapePrices, AFillerThatComesOftenEnoughIsFree) {
  const TargetWorkload mix({{.cpu = 100, .card_count = 1, .card_milli = 800, .count = 1},
                            {.cpu = 100, .card_count = 1, .card_milli = 200, .count = 3}});
  ShapePrices prices(mix);
  const Cards eight(8, 1000);
  prices.settle(nodes(100, eight));
  EXPECT_LT(prices.prices()[1], 10 * kUnit);
  EXPECT_GT(prices.earnings(kPlenty, Free{200}, kG2), 190 * kUnit);
}

TEST(ShapePrices, WholeCardsOfANodeAreTakenTogether) {
  const TargetWorkload eights({{.cpu = 100, .card_count = 8, .card_milli = 1000, .count = 1}});
  ShapePrices prices(eights);
  const Cards eight(8, 1000);
  prices.settle(nodes(10, eight));
  EXPECT_EQ(prices.earnings(kPlenty, Free(7, 1000), kG2), 0);
  const std::int64_t of_eight = prices.earnings(kPlenty, Free(8, 1000), kG2);
  EXPECT_GT(of_eight, 7000 * kUnit) << "as many come as fit";
  EXPECT_EQ(prices.earnings(kPlenty, Free(15, 1000), kG2), of_eight);
  EXPECT_EQ(prices.earnings(kPlenty, Free(16, 1000), kG2), 2 * of_eight);
  EXPECT_EQ(prices.earnings(kPlenty, Free(40, 1000), kG2), 5 * of_eight);
}

TEST(ShapePrices, AProductThatNobodyWantsEarnsNothing) {
  const TargetWorkload wants_t4({{.cpu = 100, .card_count = 1, .card_milli = 1000, .products = {kT4}, .count = 1}});
  ShapePrices prices(wants_t4);
  const Cards one{1000};
  std::vector<NodeView> all = nodes(5, one);
  for (const NodeView& node : nodes(5, one, kT4)) all.push_back(node);
  prices.settle(all);
  EXPECT_EQ(prices.earnings(kPlenty, Free{1000}, kG2), 0);
  EXPECT_EQ(prices.earnings(kPlenty, Free{1000}, kT4), 1000 * kUnit) << "twice as many come as find room";
}

TEST(ShapePrices, CpuCountsWhereItRunsOut) {
  const TargetWorkload mix({{.cpu = 8000, .card_count = 1, .card_milli = 1000, .count = 1}});
  ShapePrices prices(mix);
  const Cards four(4, 1000);
  prices.settle(nodes(10, four));
  const Free two(2, 1000);
  EXPECT_EQ(prices.earnings(16'000, two, kG2), prices.earnings(64'000, two, kG2)) << "there is enough for both";
  const std::int64_t for_one = prices.earnings(8000, two, kG2);
  EXPECT_GE(for_one, 1000 * kUnit);
  EXPECT_LT(for_one, 1100 * kUnit) << "the prices of CPU are a grid, so it is not exact";
  EXPECT_EQ(prices.earnings(0, two, kG2), 0);
}

TEST(ShapePrices, OrderOfCardsDoesNotMatter) {
  const TargetWorkload mix({{.cpu = 100, .card_count = 1, .card_milli = 460, .count = 5},
                            {.cpu = 100, .card_count = 1, .card_milli = 1000, .count = 7}});
  ShapePrices prices(mix);
  const Cards cards{1000, 540, 460, 0};
  prices.settle(nodes(20, cards));
  EXPECT_EQ(prices.earnings(kPlenty, Free{1000, 540, 0, 460}, kG2),
            prices.earnings(kPlenty, Free{0, 460, 540, 1000}, kG2));
}

}  // namespace
}  // namespace berth::engine
