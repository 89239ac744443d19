// The exact search of the consolidation study against trying every sequence of moves.
#include <cstdint>

#include <gtest/gtest.h>

#include "reference/moves.h"
#include "sim/consolidation/exact.h"

namespace berth::sim::consolidation {
namespace {

reference::MoveWorld twin_of(const SmallWorld& world) {
  reference::MoveWorld twin;
  SmallWorld empty = world;
  for (const SmallPod& pod : world.pods) empty.take(pod);
  for (const SmallNode& node : empty.nodes) twin.nodes.push_back({node.cpu, {node.free.begin(), node.free.end()}});
  for (const SmallPod& pod : world.pods) {
    twin.pods.push_back({.cpu = pod.cpu, .cards = pod.cards, .milli = pod.milli, .movable = pod.movable});
    twin.put(twin.pods.size() - 1, pod.node);
  }
  return twin;
}

TEST(ConsolidationStudy, TheExactSearchOpensWhatEverySequenceOpens) {
  std::int64_t opened = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    SCOPED_TRACE(seed);
    const SmallWorld world = draw_world({.least_nodes = 2, .most_nodes = 4, .least_pods = 2, .most_pods = 6}, seed);
    for (int most_moves = 1; most_moves <= 3; ++most_moves) {
      reference::MoveWorld twin = twin_of(world);
      ASSERT_EQ(twin.idle_nodes(), world.free_nodes());
      const Opened exact = open_exactly(world, most_moves);
      ASSERT_EQ(twin.most_idle(most_moves) - twin.idle_nodes(), exact.nodes);
      ASSERT_LE(exact.moves, most_moves);
      opened += exact.nodes;
    }
  }
  EXPECT_GT(opened, 20) << "the worlds are no test";
}

}  // namespace
}  // namespace berth::sim::consolidation
