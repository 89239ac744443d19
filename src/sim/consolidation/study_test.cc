#include "sim/consolidation/study.h"

#include <cstdint>

#include <gtest/gtest.h>

namespace berth::sim::consolidation {
namespace {

TEST(ConsolidationStudy, OpensNineTenthsOfWhatTheExactSearchOpens) {
  const Study study{.size = {}, .worlds = 60, .seeds = {1}, .most_moves = {1, 2, 3}};
  for (const consolidation::Run& each : run_all(study, [](std::size_t) {})) {
    SCOPED_TRACE(each.most_moves);
    EXPECT_EQ(each.illegal, 0);
    EXPECT_LE(each.berth.nodes, each.exact.nodes);
    EXPECT_GT(each.exact.nodes, 5) << "the worlds are no test";
    EXPECT_GE(each.berth.nodes * 100, each.exact.nodes * 90);
  }
}

TEST(ConsolidationStudy, TheSameSeedGivesTheSameWorlds) {
  const Study study{.size = {}, .worlds = 10, .seeds = {7}, .most_moves = {2}};
  const consolidation::Run first = run(study, 7, 2);
  const consolidation::Run second = run(study, 7, 2);
  EXPECT_EQ(first.berth.moves, second.berth.moves);
  EXPECT_EQ(first.exact.nodes, second.exact.nodes);
  EXPECT_NE(run(study, 8, 2).nodes, 0);
}

}  // namespace
}  // namespace berth::sim::consolidation
