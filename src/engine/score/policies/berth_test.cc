#include "engine/score/policies/berth.h"

#include <vector>

#include <gtest/gtest.h>

namespace berth::engine {
namespace {

using Cards = std::vector<std::int32_t>;
constexpr std::int64_t kStreams = ExpectedFill::kStreams;

const ProductId kT4(0U);
const ProductId kG2(1U);

NodeView node(Amount cpu, const Cards& cards, ProductId product = kG2) {
  return {.free_cpu = cpu, .card_free = cards, .product = product, .pods_by_kind = {}};
}

TargetWorkload only(TargetShape shape) {
  shape.count = 1;
  return TargetWorkload({std::move(shape)});
}

TEST(ExpectedFill, CountsWhatOneShapeLeaves) {
  const TargetWorkload halves = only({.cpu = 1000, .card_count = 1, .card_milli = 400});
  const ExpectedFill fill(halves);
  EXPECT_EQ(fill.unfilled(64'000, Cards{1000}, kG2), 200 * kStreams) << "two fit into a card";
  EXPECT_EQ(fill.unfilled(1000, Cards{1000}, kG2), 600 * kStreams) << "there is CPU for one";
  EXPECT_EQ(fill.unfilled(64'000, Cards{0, 300}, kG2), 300 * kStreams) << "none fits";
  EXPECT_EQ(fill.unfilled(64'000, Cards{}, kG2), 0);
}

TEST(ExpectedFill, TakesWholeCardsTogetherOrNotAtAll) {
  const TargetWorkload pairs = only({.cpu = 1000, .card_count = 2, .card_milli = 1000});
  const ExpectedFill fill(pairs);
  EXPECT_EQ(fill.unfilled(64'000, Cards{1000, 1000, 1000, 900}, kG2), 1900 * kStreams);
}

TEST(ExpectedFill, ShapesOfAnotherProductPassBy) {
  const TargetWorkload wants_t4 = only({.cpu = 1000, .card_count = 1, .card_milli = 1000, .products = {kT4}});
  const ExpectedFill fill(wants_t4);
  EXPECT_EQ(fill.unfilled(64'000, Cards{1000}, kG2), 1000 * kStreams);
  EXPECT_EQ(fill.unfilled(64'000, Cards{1000}, kT4), 0);
}

TEST(ExpectedFill, OrderOfCardsDoesNotMatter) {
  const TargetWorkload mix({{.cpu = 4000, .card_count = 1, .card_milli = 460, .count = 5},
                            {.cpu = 2000, .card_count = 1, .card_milli = 320, .count = 3},
                            {.cpu = 8000, .card_count = 1, .card_milli = 1000, .count = 7},
                            {.cpu = 4000, .count = 2}});
  const ExpectedFill fill(mix);
  EXPECT_EQ(fill.unfilled(40'000, Cards{1000, 540, 0, 680}, kG2), fill.unfilled(40'000, Cards{0, 680, 540, 1000}, kG2));
  EXPECT_LT(fill.unfilled(40'000, Cards{1000, 540, 0, 680}, kG2), fill.unfilled(4000, Cards{1000, 540, 0, 680}, kG2));
}

TEST(Scarcity, FewPlacesAreWorthMore) {
  const TargetWorkload mix({{.cpu = 1000, .card_count = 1, .card_milli = 1000, .products = {kT4}, .count = 1},
                            {.cpu = 1000, .card_count = 1, .card_milli = 1000, .products = {}, .count = 1}});
  Scarcity scarcity(mix);
  const Cards one{1000};
  const std::vector<NodeView> nodes = {node(8000, one, kT4), node(8000, one), node(8000, one), node(8000, one)};
  scarcity.weigh(nodes);
  std::vector<std::uint16_t> on_t4;
  std::vector<std::uint16_t> on_g2;
  scarcity.append_places(8000, one, kT4, on_t4);
  scarcity.append_places(8000, one, kG2, on_g2);
  EXPECT_EQ(on_t4, (std::vector<std::uint16_t>{1, 1}));
  EXPECT_EQ(on_g2, (std::vector<std::uint16_t>{0, 1}));
  // Of four free GPUs each shape has two: one place of 2,000 milli, or four of 500.
  EXPECT_EQ(scarcity.worth(on_t4), 2500 * Scarcity::kUnit);
  EXPECT_EQ(scarcity.worth(on_g2), 500 * Scarcity::kUnit);
}

class BerthPolicyTest : public testing::Test {
 protected:
  std::int64_t value(const ShapeView& shape, const NodeView& on) { return policy_.score(shape, on).value; }

  const ShapeView whole_{.cpu = 4000, .card_count = 1, .card_milli = 1000, .products = {}};
  const ShapeView share_{.cpu = 1000, .card_count = 1, .card_milli = 500, .products = {}};
  BerthPolicy policy_{TargetWorkload({{.cpu = 4000, .card_count = 1, .card_milli = 1000, .count = 6},
                                      {.cpu = 1000, .card_count = 1, .card_milli = 500, .count = 3},
                                      {.cpu = 32'000, .card_count = 8, .card_milli = 1000, .count = 1}})};
};

TEST_F(BerthPolicyTest, KeepsNodesWithEightFreeCardsWhole) {
  const Cards idle(8, 1000);
  const Cards used = {0, 0, 0, 0, 1000, 1000, 1000, 1000};
  policy_.weigh(std::vector<NodeView>{node(96'000, idle), node(80'000, used)});
  EXPECT_GT(value(whole_, node(80'000, used)), value(whole_, node(96'000, idle)));
}

TEST_F(BerthPolicyTest, SharesFillTheCardThatIsOpen) {
  const Cards cards = {1000, 500, 1000};
  const PolicyScore score = policy_.score(share_, node(64'000, cards));
  EXPECT_EQ(score.card, 1);
}

TEST_F(BerthPolicyTest, OrderOfCardsDoesNotReachTheScore) {
  const Cards one = {1000, 500, 0};
  const Cards other = {0, 1000, 500};
  EXPECT_EQ(value(share_, node(64'000, one)), value(share_, node(64'000, other)));
  EXPECT_EQ(policy_.score(share_, node(64'000, other)).card, 2);
}

TEST_F(BerthPolicyTest, EqualGainsGoToTheNodeWithLessRoom) {
  // Both cards are of no use to anybody else, so that a pod without GPU costs nothing on either.
  const ShapeView cpu_only{.cpu = 100};
  const Cards little = {10};
  const Cards less = {5};
  EXPECT_GT(value(cpu_only, node(8000, less)), value(cpu_only, node(8000, little)));
  EXPECT_GT(value(cpu_only, node(4000, less)), value(cpu_only, node(8000, less)));
}

TEST_F(BerthPolicyTest, IsWeighedAgainWhenFreeRoomHasChangedByA16th) {
  EXPECT_TRUE(policy_.is_due(8000));
  const Cards idle(8, 1000);
  const std::uint64_t before = policy_.revision();
  policy_.weigh(std::vector<NodeView>{node(96'000, idle)});
  EXPECT_NE(policy_.revision(), before);
  EXPECT_FALSE(policy_.is_due(7500));
  EXPECT_TRUE(policy_.is_due(7499));
  EXPECT_TRUE(policy_.is_due(8501));
}

// Cards of which no product is known were those of every product that no pod names.
TEST(Scarcity, CardsWithoutAProductAreAProductOfTheirOwn) {
  const TargetWorkload mix(
      {{.cpu = 1000, .card_count = 1, .card_milli = 1000, .products = {ProductId::none()}, .count = 1}});
  const Scarcity scarcity(mix);
  const Cards one{1000};
  std::vector<std::uint16_t> places;
  scarcity.append_places(8000, one, kG2, places);
  scarcity.append_places(8000, one, ProductId::none(), places);
  EXPECT_EQ(places, (std::vector<std::uint16_t>{0, 1}));
  EXPECT_EQ(ExpectedFill(mix).unfilled(8000, one, kG2), 1000 * kStreams);
  ShapePrices prices(mix);
  prices.settle(std::vector<NodeView>{node(8000, one), node(8000, one, ProductId::none())});
  const std::vector<std::int64_t> free{1000};
  EXPECT_EQ(prices.earnings(8000, free, kG2), 0);
  EXPECT_GT(prices.earnings(8000, free, ProductId::none()), 0);
}

TEST_F(BerthPolicyTest, AFullClusterIsNotWeighedAtEveryChange) {
  const Cards full(8, 0);
  policy_.weigh(std::vector<NodeView>(200, node(96'000, full)));
  EXPECT_FALSE(policy_.is_due(1000)) << "one card of 1,600";
  EXPECT_TRUE(policy_.is_due(2000));
}

TEST_F(BerthPolicyTest, PodsWithoutCardsGoWhereThereAreNone) {
  const ShapeView cpu_only{.cpu = 100};
  const Cards free = {1000};
  const Cards none = {};
  const std::int64_t difference = value(cpu_only, node(8000, none)) - value(cpu_only, node(8000, free));
  EXPECT_GT(difference, 99 * policy_.unit()) << "a hundred points less the ties";
  EXPECT_LT(value(whole_, node(8000, none)), policy_.unit()) << "and pods with cards win nothing there";
}

TEST_F(BerthPolicyTest, WholeCardsAreWorthTheirNumberInUnits) {
  policy_.expect(TargetWorkload({{.cpu = 1000, .card_count = 1, .card_milli = 1000, .count = 1}}));
  const Cards two = {1000, 1000};
  policy_.weigh(std::vector<NodeView>{node(96'000, two)});
  const std::int64_t one_of_two = value(whole_, node(96'000, two));
  // Twice what the card earns, half of what stays unused, three twentieths of a place: between one and three GPUs.
  EXPECT_LT(one_of_two, -10 * policy_.unit());
  EXPECT_GT(one_of_two, -30 * policy_.unit());
}

TEST_F(BerthPolicyTest, SharesOfSeveralCardsTakeTheTightest) {
  const ShapeView both{.cpu = 1000, .card_count = 2, .card_milli = 300, .products = {}};
  const Cards loose = {1000, 1000, 1000};
  const Cards tight = {300, 300, 1000};
  EXPECT_GT(value(both, node(64'000, tight)), value(both, node(64'000, loose)));
  EXPECT_EQ(policy_.score(both, node(64'000, tight)).card, -1) << "the rule of the engine";
}

TEST_F(BerthPolicyTest, OfManyRestsTheTightestAreTried) {
  Cards cards;
  for (std::int32_t i = 0; i < 40; ++i) cards.push_back(1000 - 10 * i);
  // The tightest that fills its card is one of them.
  EXPECT_EQ(policy_.score({.cpu = 1000, .card_count = 1, .card_milli = 610, .products = {}}, node(64'000, cards)).card,
            39);
  const std::int32_t card =
      policy_.score({.cpu = 1000, .card_count = 1, .card_milli = 10, .products = {}}, node(64'000, cards)).card;
  EXPECT_GE(card, 24);
}

TEST_F(BerthPolicyTest, SharesByMemoryTakeWhatTheNodeSays) {
  const ShapeView by_memory{.cpu = 1000, .card_count = 1, .card_milli = 0, .products = {}};
  const Cards cards = {1000, 500, 1000};
  NodeView on = node(64'000, cards);
  on.card_milli = 500;
  EXPECT_EQ(policy_.score(by_memory, on).value, value(share_, node(64'000, cards)));
  EXPECT_EQ(policy_.score(by_memory, on).card, 1);
}

TEST_F(BerthPolicyTest, OvercommittedNodesAreFull) {
  const ShapeView nothing{.cpu = 0};
  const Cards over = {-500, 0};
  const Cards full = {0, 0};
  EXPECT_EQ(value(nothing, node(-2000, over)), value(nothing, node(0, full)));
}

TEST_F(BerthPolicyTest, RestartedItIsAsMadeAnew) {
  const Cards idle(8, 1000);
  const Cards used = {0, 0, 0, 0, 1000, 1000, 1000, 1000};
  const std::vector<NodeView> early = {node(96'000, idle), node(96'000, idle)};
  const std::vector<NodeView> late = {node(96'000, idle), node(80'000, used)};
  BerthPolicy fresh(policy_.expected());
  fresh.weigh(late);
  policy_.weigh(early);
  policy_.weigh(late);
  EXPECT_NE(value(share_, late[0]), fresh.score(share_, late[0]).value) << "prices follow the cluster";
  policy_.restart(0, 0);
  EXPECT_TRUE(policy_.is_due(12'000));
  policy_.weigh(late);
  EXPECT_EQ(value(share_, late[0]), fresh.score(share_, late[0]).value);
}

// Nodes of which one card is in use and of which seven are: the second will not soon be whole, the first may, the more
// so the more of what came has left.
TEST_F(BerthPolicyTest, WherePodsLeaveNearlyEmptyNodesAreLeftToBecomeWhole) {
  policy_.expect(TargetWorkload({}));
  const Cards one_used = {0, 1000, 1000, 1000, 1000, 1000, 1000, 1000};
  const Cards seven_used = {0, 0, 0, 0, 0, 0, 0, 1000};
  const std::vector<NodeView> nodes = {node(80'000, one_used), node(80'000, seven_used)};
  const auto difference = [&](std::int64_t started, std::int64_t left) {
    policy_.pod_started(started);
    policy_.pod_left(left);
    policy_.weigh(nodes);
    return value(whole_, nodes[1]) - value(whole_, nodes[0]);
  };
  const std::int64_t nobody = difference(16'000, 0);
  EXPECT_EQ(difference(0, 10), nobody) << "one share of a card that leaves is no reason to think that all will";
  const std::int64_t half = difference(0, 7'990);
  EXPECT_GT(half, nobody);
  const std::int64_t all = difference(0, 8'000);
  EXPECT_GT(all, half);
  for (int i = 0; i < 8; ++i) difference(32'000, 0);
  EXPECT_EQ(difference(32'000, 0), nobody) << "what left long ago is forgotten";
}

TEST_F(BerthPolicyTest, ExpectingNothingIsBestFit) {
  policy_.expect(TargetWorkload({}));
  EXPECT_TRUE(policy_.is_due(8000));
  const Cards idle(8, 1000);
  const Cards used = {0, 0, 0, 1000};
  EXPECT_GT(value(whole_, node(80'000, used)), value(whole_, node(80'000, idle)));
}

}  // namespace
}  // namespace berth::engine
