// Consolidation against trying every sequence of moves, on small worlds.
#include "engine/cycle/consolidation.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/random.h"
#include "engine/topology/topology.h"
#include "engine/world/world.h"
#include "reference/moves.h"

namespace berth::engine {
namespace {

using reference::MovePod;
using reference::MoveWorld;

// The same cluster twice: for the engine and for the twin.
class TwinWorlds {
  Config config_;
  Names names_;
  ResourceId gpu_ = names_.resources.intern("nvidia.com/gpu");
  Labels labels_;

 public:
  explicit TwinWorlds(int disruptions = 1000) {
    Profile profile;
    profile.id = names_.profiles.intern("p");
    profile.filters = {Filter::kNodeUnschedulable, Filter::kNodeResourcesFit};
    config_.profiles = {profile};
    world = std::make_unique<World>(config_, names_);
    const LabelKeyId key = names_.label_keys.intern("app");
    const LabelValueId value = names_.label_value("x");
    labels_ = {{key, value}};
    BudgetInput budget;
    budget.name = names_.names.intern("default/budget");
    budget.namespace_ = names_.namespaces.intern("default");
    budget.selector.requirements = {{.key = key, .op = Operator::kIn, .values = {value}}};
    budget.disruptions_allowed = disruptions;
    world->set_budget(budget);
  }

  void add_node(int cards, std::int64_t cpu) {
    NodeInput node;
    node.name = names_.names.intern("n" + std::to_string(twin.nodes.size()));
    node.allocatable = {{kCpu, cpu}, {kPods, 100}, {gpu_, Amount{cards} * kMilliPerCard}};
    node.cards = {{gpu_, ProductId(0U), 0}};
    world->set_node(node);
    world->refresh();
    twin.nodes.push_back({cpu, std::vector<int>(static_cast<std::size_t>(cards), kMilliPerCard)});
  }

  // On a node, or pending.
  PodId add_pod(const MovePod& pod, std::optional<std::size_t> node) {
    PodInput input;
    input.name = names_.names.intern("default/p" + std::to_string(twin.pods.size()));
    input.shape.profile = config_.profiles.front().id;
    input.shape.namespace_ = names_.namespaces.intern("default");
    input.shape.labels = labels_;
    if (pod.cpu > 0) input.shape.requests = {{kCpu, pod.cpu}};
    if (pod.cards > 0) input.shape.cards = {{gpu_, pod.cards, pod.milli, {}}};
    input.created = static_cast<Time>(twin.pods.size());
    if (node) input.node = names_.names.intern("n" + std::to_string(*node));
    const PodId id = world->set_pod(input);
    movable.resize(world->pod_slots(), false);
    movable[id.index()] = pod.movable;
    ids.push_back(id);
    twin.pods.push_back(pod);
    if (node) twin.put(twin.pods.size() - 1, *node);
    return id;
  }

  std::size_t number(PodId pod) const { return static_cast<std::size_t>(std::ranges::find(ids, pod) - ids.begin()); }
  std::size_t number(NodeId node) const {
    const std::string name(names_.names.text(world->node(node).input.name));
    return std::stoul(name.substr(1));
  }

  // Carries the moves out in the twin, each legal at its turn; the price.
  std::int64_t carry_out(const std::vector<Move>& moves) {
    std::int64_t price = 0;
    for (const Move& move : moves) {
      const std::size_t pod = number(move.pod);
      EXPECT_TRUE(twin.pods[pod].movable && !twin.pods[pod].moved);
      EXPECT_EQ(twin.pods[pod].node, number(move.from));
      twin.take(pod);
      EXPECT_TRUE(twin.fits(pod, number(move.to)));
      twin.put(pod, number(move.to));
      twin.pods[pod].moved = true;
      price += twin.pods[pod].price();
    }
    return price;
  }

  std::unique_ptr<World> world;
  MoveWorld twin;
  std::vector<bool> movable;
  std::vector<PodId> ids;
};

MovePod cards(int count) { return {.cpu = 1000, .cards = count}; }

TEST(Consolidation, TwoSmallMovesMakeRoomForFour) {
  TwinWorlds worlds;
  for (int i = 0; i < 3; ++i) worlds.add_node(8, 128'000);
  const std::vector<std::vector<int>> running = {{4, 2, 1}, {4, 2}, {4, 2, 1}};
  for (std::size_t node = 0; node < running.size(); ++node) {
    for (const int count : running[node]) worlds.add_pod(cards(count), node);
  }
  const PodId waiting = worlds.add_pod(cards(4), std::nullopt);
  Consolidator consolidator(*worlds.world, worlds.movable);
  const auto plan = consolidator.make_room(waiting);
  ASSERT_TRUE(plan);
  EXPECT_EQ(plan->moves.size(), 2U);
  EXPECT_EQ(plan->moved, 3000);
  EXPECT_FALSE(consolidator.gave_up());
  EXPECT_EQ(worlds.carry_out(plan->moves), 3000);
  EXPECT_TRUE(worlds.twin.fits(worlds.number(waiting), worlds.number(plan->node)));
}

TEST(Consolidation, ABudgetThatAllowsNoDisruptionKeepsEverybody) {
  TwinWorlds worlds(0);
  for (int i = 0; i < 2; ++i) worlds.add_node(2, 64'000);
  worlds.add_pod(cards(1), 0);
  worlds.add_pod(cards(1), 1);
  const PodId waiting = worlds.add_pod(cards(2), std::nullopt);
  Consolidator consolidator(*worlds.world, worlds.movable);
  EXPECT_FALSE(consolidator.make_room(waiting));
  EXPECT_TRUE(consolidator.open_nodes().empty());
}

TEST(Consolidation, WhoMayNotMoveStays) {
  TwinWorlds worlds;
  for (int i = 0; i < 2; ++i) worlds.add_node(2, 64'000);
  worlds.add_pod({.cpu = 1000, .cards = 1, .movable = false}, 0);
  worlds.add_pod(cards(1), 1);
  Consolidator consolidator(*worlds.world, worlds.movable);
  const std::vector<Consolidation> plan = consolidator.open_nodes();
  ASSERT_EQ(plan.size(), 1U);
  ASSERT_EQ(plan.front().moves.size(), 1U);
  EXPECT_EQ(worlds.number(plan.front().moves.front().from), 1U);
  EXPECT_EQ(worlds.number(plan.front().node), 1U);
}

TEST(Consolidation, WhatFitsNeedsNoMoves) {
  TwinWorlds worlds;
  worlds.add_node(2, 64'000);
  const PodId waiting = worlds.add_pod(cards(2), std::nullopt);
  Consolidator consolidator(*worlds.world, worlds.movable);
  const auto plan = consolidator.make_room(waiting);
  ASSERT_TRUE(plan);
  EXPECT_TRUE(plan->moves.empty());
}

TEST(Consolidation, PodsThatWaitComeFirstAndKeepTheirPlaces) {
  TwinWorlds worlds;
  for (int i = 0; i < 4; ++i) worlds.add_node(4, 64'000);
  const std::vector<int> running = {3, 3, 1, 1};
  for (std::size_t node = 0; node < running.size(); ++node) worlds.add_pod(cards(running[node]), node);
  const PodId first = worlds.add_pod(cards(4), std::nullopt);
  const PodId second = worlds.add_pod(cards(2), std::nullopt);
  Consolidator consolidator(*worlds.world, worlds.movable);
  const std::vector<PodId> waiting = {first, second};
  const std::vector<Consolidation> plan = consolidator.plan(waiting);
  // One single goes to a node with three; the other node takes the second pod, and then no node can be opened.
  ASSERT_EQ(plan.size(), 2U);
  for (const Consolidation& part : plan) {
    worlds.carry_out(part.moves);
    ASSERT_TRUE(worlds.twin.fits(worlds.number(part.pod), worlds.number(part.node)));
    worlds.twin.put(worlds.number(part.pod), worlds.number(part.node));
  }
  EXPECT_EQ(plan[0].pod, first);
  EXPECT_EQ(plan[0].moved, 1000);
  EXPECT_EQ(plan[1].pod, second);
  EXPECT_TRUE(plan[1].moves.empty());
  EXPECT_EQ(worlds.world->pod(first).state, PodState::kPending) << "a plan only";
}

void fill(TwinWorlds& worlds, std::uint64_t seed) {
  Random random(seed);
  const auto nodes = static_cast<std::size_t>(random.between(2, 4));
  for (std::size_t i = 0; i < nodes; ++i)
    worlds.add_node(static_cast<int>(random.between(1, 4)), random.between(3, 12) * 1000);
  for (std::int64_t i = random.between(2, 7); i > 0; --i) {
    MovePod pod{.cpu = random.between(1, 3) * 500, .cards = static_cast<int>(random.between(1, 2))};
    if (random.chance(1, 3)) {
      pod.cards = 1;
      pod.milli = static_cast<int>(random.between(1, 4)) * 200;
    }
    pod.movable = random.chance(9, 10);
    const std::size_t node = random.below(nodes);
    worlds.twin.pods.push_back(pod);
    const bool fits = worlds.twin.fits(worlds.twin.pods.size() - 1, node);
    worlds.twin.pods.pop_back();
    if (fits) worlds.add_pod(pod, node);
  }
}

TEST(Consolidation, OpensNearlyAsManyNodesAsEverySequenceTried) {
  constexpr int kMoves = 3;
  std::int64_t opened = 0;
  std::int64_t possible = 0;
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    SCOPED_TRACE(seed);
    TwinWorlds worlds;
    fill(worlds, seed);
    const int before = worlds.twin.idle_nodes();
    const int most = worlds.twin.most_idle(kMoves) - before;
    Consolidator consolidator(*worlds.world, worlds.movable, {.most_moves = kMoves});
    const std::vector<Consolidation> plan = consolidator.open_nodes();
    std::size_t moves = 0;
    for (const Consolidation& part : plan) {
      ASSERT_EQ(worlds.carry_out(part.moves), part.moved);
      moves += part.moves.size();
    }
    ASSERT_LE(moves, static_cast<std::size_t>(kMoves));
    ASSERT_EQ(worlds.twin.idle_nodes() - before, static_cast<int>(plan.size()));
    ASSERT_LE(static_cast<int>(plan.size()), most);
    opened += static_cast<std::int64_t>(plan.size());
    possible += most;
  }
  EXPECT_GT(possible, 100) << "the worlds are no test";
  EXPECT_GE(opened * 100, possible * 90) << opened << " of " << possible;
  RecordProperty("opened", std::to_string(opened) + " of " + std::to_string(possible));
}

TEST(Consolidation, MakesRoomAtNearlyAlwaysTheLeastPrice) {
  constexpr int kMoves = 3;
  int least = 0;
  int solvable = 0;
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    SCOPED_TRACE(seed);
    TwinWorlds worlds;
    fill(worlds, seed + 1000);
    Random random(seed);
    const PodId waiting = worlds.add_pod({.cpu = 1000, .cards = static_cast<int>(random.between(1, 4))}, std::nullopt);
    const std::size_t pending = worlds.number(waiting);
    const auto exact = worlds.twin.cheapest_room(pending, kMoves);
    Consolidator consolidator(*worlds.world, worlds.movable, {.most_moves = kMoves});
    const auto plan = consolidator.make_room(waiting);
    if (plan) {
      ASSERT_EQ(worlds.carry_out(plan->moves), plan->moved);
      ASSERT_TRUE(worlds.twin.fits(pending, worlds.number(plan->node)));
      ASSERT_TRUE(exact);
      ASSERT_GE(plan->moved, *exact);
    }
    if (!exact || *exact == 0) continue;
    ++solvable;
    if (plan && plan->moved == *exact) ++least;
  }
  EXPECT_GT(solvable, 40) << "the worlds are no test";
  EXPECT_GE(least * 100, solvable * 95) << least << " of " << solvable;
}

}  // namespace
}  // namespace berth::engine
