#include "sim/deadlock/study.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "sim/deadlock/results.h"

namespace berth::sim::deadlock {
namespace {

// Two gangs of two pods, a pod per node.
constexpr Load kPairs{.nodes = 2, .cards_per_node = 8, .pods = 2, .cards = 8, .runs_for = 100, .between_arrivals = 1};

std::vector<Trial> all_orders(const Load& load, Interleaving arrivals) {
  std::ranges::sort(arrivals);
  std::vector<Trial> result;
  do {
    result.push_back(run_trial(load, arrivals));
  } while (std::ranges::next_permutation(arrivals).found);
  return result;
}

std::int64_t deadlocked(const std::vector<Trial>& trials, std::size_t way) {
  return std::ranges::count_if(trials, [&](const Trial& trial) { return trial.ways[way].stuck > 0; });
}

// Of the 6 orders of AABB, the first two pods are of one gang in 2; in the 4 others each gang holds a node for ever.
TEST(DeadlockStudy, TwoPairsOnTwoNodesDeadlockInFourOfSixOrders) {
  const std::vector<Trial> trials = all_orders(kPairs, {0, 0, 1, 1});
  ASSERT_EQ(trials.size(), 6U);
  EXPECT_EQ(deadlocked(trials, 0), 4);
  EXPECT_EQ(deadlocked(trials, 1), 0);
  for (const Trial& trial : trials) {
    EXPECT_TRUE(trial.ways[0].stuck == 0 || trial.ways[0].stuck == 2);
    EXPECT_EQ(trial.ways[1].held, 0);
  }
}

// With a third node one of the gangs has both pods among the first three, and hands its nodes on.
TEST(DeadlockStudy, APigeonholeMoreAndNothingDeadlocks) {
  Load load = kPairs;
  load.nodes = 3;
  EXPECT_EQ(deadlocked(all_orders(load, {0, 0, 1, 1}), 0), 0);
}

// Three pairs on two nodes. The first two pods are of one gang with probability 1/5, and of the rest the same holds
// for the next two with 1/3: of the 90 orders 6 end.
TEST(DeadlockStudy, ThreePairsOnTwoNodesRunInSixOfNinetyOrders) {
  const std::vector<Trial> trials = all_orders(kPairs, {0, 0, 1, 1, 2, 2});
  ASSERT_EQ(trials.size(), 90U);
  EXPECT_EQ(deadlocked(trials, 0), 84);
  EXPECT_EQ(deadlocked(trials, 1), 0);
}

TEST(DeadlockStudy, WhoRunsAndWhoHoldsIsCountedToTheSecond) {
  // A B A B: Berth starts A at 2 and B when A has ended.
  const Trial trial = run_trial(kPairs, {0, 1, 0, 1});
  EXPECT_EQ(trial.ways[1].makespan, 202);
  EXPECT_EQ(trial.ways[1].held, 0);
  // Pod by pod A holds a node from 0 and B one from 1, until Berth is done.
  EXPECT_EQ(trial.ways[0].stuck, 2);
  EXPECT_EQ(trial.ways[0].held, 8 * (202 + 201));

  // A A B B: A runs from 1 to 101, its first pod held 8 cards for a second; B's pods wait and start together.
  const Trial other = run_trial(kPairs, {0, 0, 1, 1});
  for (const Trial::Way& way : other.ways) EXPECT_EQ(way.makespan, 201);
  EXPECT_EQ(other.ways[0].held, 8);
  EXPECT_EQ(other.ways[1].held, 0);
}

TEST(DeadlockStudy, ManyThreadsFindWhatOneFinds) {
  Study study{.load = kPairs, .percents = {100, 200, 300}, .trials = 30};
  study.load.nodes = 4;
  const std::vector<Level> one = run_all(study, 1);
  EXPECT_EQ(one, run_all(study, 5));
  EXPECT_EQ(one[0].ways[0].deadlocked, 0) << "all fit";
  EXPECT_GT(one[2].ways[0].deadlocked, 0);
  for (const Level& level : one) EXPECT_EQ(level.ways[1], (Level::Way{0, 0, level.ways[1].makespan}));
  study.seed = 2;
  EXPECT_NE(one, run_all(study, 1));
}

TEST(DeadlockStudy, TheTableFitsEightyColumns) {
  const Study study{.load = {}, .percents = {100, 300}, .trials = 2};
  const std::string table = render_table(study, run_all(study, 2), {});
  std::size_t start = 0;
  for (std::size_t end = table.find('\n'); end != std::string::npos; start = end + 1, end = table.find('\n', start)) {
    EXPECT_LE(end - start, 80U);
  }
  EXPECT_NE(table.find("1.00"), std::string::npos);
  EXPECT_NE(render_csv(run_all(study, 1)).find("3.00,12,berth,2,0,0.0,"), std::string::npos);
}

}  // namespace
}  // namespace berth::sim::deadlock
