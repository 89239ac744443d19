// Consolidation against trying every sequence of moves, on small worlds.
#include "engine/cycle/consolidation.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <memory>
#include <optional>
#include <span>
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
  LabelKeyId app_ = names_.label_keys.intern("app");
  LabelKeyId group_ = names_.label_keys.intern("group");
  LabelKeyId zone_ = names_.label_keys.intern("zone");
  NamespaceId namespace_ = names_.namespaces.intern("default");

  LabelValueId number_value(int number) { return names_.label_value(std::to_string(number)); }
  Selector selects(int group) {
    return {.requirements = {{.key = group_, .op = Operator::kIn, .values = {number_value(group)}}}};
  }

 public:
  explicit TwinWorlds(int disruptions = 1000) {
    Profile profile;
    profile.id = names_.profiles.intern("p");
    profile.filters = {Filter::kNodeUnschedulable, Filter::kNodeResourcesFit, Filter::kPodTopologySpread,
                       Filter::kInterPodAffinity};
    config_.profiles = {profile};
    world = std::make_unique<World>(config_, names_);
    BudgetInput budget;
    budget.name = names_.names.intern("default/budget");
    budget.namespace_ = namespace_;
    budget.selector.requirements = {{.key = app_, .op = Operator::kIn, .values = {names_.label_value("x")}}};
    budget.disruptions_allowed = disruptions;
    world->set_budget(budget);
  }

  void add_node(int cards, std::int64_t cpu, int zone = 0) {
    NodeInput node;
    node.name = names_.names.intern("n" + std::to_string(twin.nodes.size()));
    node.allocatable = {{kCpu, cpu}, {kPods, 100}, {gpu_, Amount{cards} * kMilliPerCard}};
    node.cards = {{gpu_, ProductId(0U), 0}};
    node.labels = {{zone_, number_value(zone)}};
    world->set_node(node);
    world->refresh();
    twin.nodes.push_back({cpu, std::vector<int>(static_cast<std::size_t>(cards), kMilliPerCard), zone});
  }

  // On a node, or pending.
  PodId add_pod(const MovePod& pod, std::optional<std::size_t> node, std::int32_t priority = 0) {
    PodInput input;
    input.name = names_.names.intern("default/p" + std::to_string(twin.pods.size()));
    input.shape.profile = config_.profiles.front().id;
    input.shape.namespace_ = namespace_;
    input.shape.labels = {{app_, names_.label_value("x")}, {group_, number_value(pod.group)}};
    if (pod.spread) input.shape.spread = {{.topology_key = zone_, .selector = selects(pod.group)}};
    if (pod.avoids)
      input.shape.required_anti_affinity = {
          {.selector = selects(*pod.avoids), .scope = {.namespaces = {namespace_}}, .topology_key = zone_}};
    input.shape.priority = priority;
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
  const ConsolidationPlan plan = consolidator.plan(std::span(&waiting, 1));
  ASSERT_EQ(plan.parts.size(), 1U);
  EXPECT_TRUE(plan.complete);
  EXPECT_GT(plan.questions, 0);
  const Consolidation& room = plan.parts.front();
  EXPECT_EQ(room.moves.size(), 2U);
  EXPECT_EQ(room.moved, 3000);
  EXPECT_EQ(worlds.carry_out(room.moves), 3000);
  EXPECT_TRUE(worlds.twin.fits(worlds.number(waiting), worlds.number(room.node)));
}

TEST(Consolidation, ABudgetThatAllowsNoDisruptionKeepsEverybody) {
  TwinWorlds worlds(0);
  for (int i = 0; i < 2; ++i) worlds.add_node(2, 64'000);
  worlds.add_pod(cards(1), 0);
  worlds.add_pod(cards(1), 1);
  const PodId waiting = worlds.add_pod(cards(2), std::nullopt);
  Consolidator consolidator(*worlds.world, worlds.movable);
  EXPECT_TRUE(consolidator.plan(std::span(&waiting, 1)).parts.empty());
  EXPECT_TRUE(consolidator.plan({}).parts.empty());
}

TEST(Consolidation, WhoMayNotMoveStays) {
  TwinWorlds worlds;
  for (int i = 0; i < 2; ++i) worlds.add_node(2, 64'000);
  worlds.add_pod({.cpu = 1000, .cards = 1, .movable = false}, 0);
  worlds.add_pod(cards(1), 1);
  Consolidator consolidator(*worlds.world, worlds.movable);
  const std::vector<Consolidation> plan = consolidator.plan({}).parts;
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
  const std::vector<Consolidation> plan = consolidator.plan(std::span(&waiting, 1)).parts;
  ASSERT_EQ(plan.size(), 1U);
  EXPECT_EQ(plan.front().pod, waiting);
  EXPECT_TRUE(plan.front().moves.empty());
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
  const std::vector<Consolidation> plan = consolidator.plan(waiting).parts;
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

MovePod random_rules(MovePod pod, Random& random) {
  pod.group = static_cast<int>(random.between(0, 1));
  pod.spread = random.chance(1, 3);
  if (random.chance(1, 6)) pod.avoids = static_cast<int>(random.between(0, 1));
  return pod;
}

void fill(TwinWorlds& worlds, std::uint64_t seed, bool rules = false) {
  Random random(seed);
  const auto nodes = static_cast<std::size_t>(random.between(2, 4));
  for (std::size_t i = 0; i < nodes; ++i) {
    const std::int64_t cpu = random.between(3, 12) * 1000;
    const auto count = static_cast<int>(random.between(1, 4));
    worlds.add_node(count, cpu, rules ? static_cast<int>(random.between(0, 1)) : 0);
  }
  for (std::int64_t i = random.between(2, 7); i > 0; --i) {
    MovePod pod{.cpu = random.between(1, 3) * 500, .cards = static_cast<int>(random.between(1, 2))};
    if (random.chance(1, 3)) {
      pod.cards = 1;
      pod.milli = static_cast<int>(random.between(1, 4)) * 200;
    }
    pod.movable = random.chance(9, 10);
    if (rules) pod = random_rules(pod, random);
    const std::size_t node = random.below(nodes);
    worlds.twin.pods.push_back(pod);
    const bool fits = worlds.twin.fits(worlds.twin.pods.size() - 1, node);
    worlds.twin.pods.pop_back();
    if (fits) worlds.add_pod(pod, node);
  }
}

struct Tally {
  std::int64_t reached = 0;
  std::int64_t possible = 0;
};

std::string words(const Tally& tally) {
  return std::to_string(tally.reached) + " of " + std::to_string(tally.possible);
}

// Nodes opened, and how many every sequence of moves can open.
Tally open_in_worlds(bool rules) {
  constexpr int kMoves = 3;
  Tally tally;
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    SCOPED_TRACE(seed);
    TwinWorlds worlds;
    fill(worlds, seed, rules);
    const int before = worlds.twin.idle_nodes();
    const int most = worlds.twin.most_idle(kMoves) - before;
    Consolidator consolidator(*worlds.world, worlds.movable, {.most_moves = kMoves});
    const std::vector<Consolidation> plan = consolidator.plan({}).parts;
    std::size_t moves = 0;
    for (const Consolidation& part : plan) {
      EXPECT_EQ(worlds.carry_out(part.moves), part.moved);
      moves += part.moves.size();
    }
    EXPECT_LE(moves, static_cast<std::size_t>(kMoves));
    EXPECT_EQ(worlds.twin.idle_nodes() - before, static_cast<int>(plan.size()));
    EXPECT_LE(static_cast<int>(plan.size()), most);
    tally.reached += std::ssize(plan);
    tally.possible += most;
  }
  return tally;
}

// Pods that get room at the least price, and those that can have it by moves at all.
Tally make_room_in_worlds(bool rules) {
  constexpr int kMoves = 3;
  Tally tally;
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    SCOPED_TRACE(seed);
    TwinWorlds worlds;
    fill(worlds, seed + 1000, rules);
    Random random(seed);
    MovePod wanted{.cpu = 1000, .cards = static_cast<int>(random.between(1, 4))};
    if (rules) wanted = random_rules(wanted, random);
    const PodId waiting = worlds.add_pod(wanted, std::nullopt);
    const std::size_t pending = worlds.number(waiting);
    const auto exact = worlds.twin.cheapest_room(pending, kMoves);
    Consolidator consolidator(*worlds.world, worlds.movable, {.most_moves = kMoves});
    const std::vector<Consolidation> plan = consolidator.plan(std::span(&waiting, 1)).parts;
    const bool found = !plan.empty() && plan.front().pod == waiting;
    if (found) {
      EXPECT_EQ(worlds.carry_out(plan.front().moves), plan.front().moved);
      EXPECT_TRUE(worlds.twin.fits(pending, worlds.number(plan.front().node)));
      EXPECT_TRUE(exact && plan.front().moved >= *exact);
    }
    if (!exact || *exact == 0) continue;
    ++tally.possible;
    if (found && plan.front().moved == *exact) ++tally.reached;
  }
  return tally;
}

// More than `worlds` were possible, and so many percent of them were reached.
void expect_reached(const Tally& tally, std::int64_t worlds, std::int64_t percent) {
  EXPECT_GT(tally.possible, worlds) << "the worlds are no test";
  EXPECT_GE(tally.reached * 100, tally.possible * percent) << words(tally);
  testing::Test::RecordProperty("reached", words(tally));
}

TEST(Consolidation, OpensNearlyAsManyNodesAsEverySequenceTried) { expect_reached(open_in_worlds(false), 100, 90); }

TEST(Consolidation, MakesRoomAtNearlyAlwaysTheLeastPrice) { expect_reached(make_room_in_worlds(false), 40, 95); }

TEST(Consolidation, OpensNodesWhereRulesAmongPodsAllowIt) { expect_reached(open_in_worlds(true), 80, 90); }

// What it plans holds; what moves on other nodes than the pod's own would allow, it does not see.
TEST(Consolidation, MakesRoomWhereRulesAmongPodsAllowIt) { expect_reached(make_room_in_worlds(true), 40, 75); }

// One node in each of two zones that has room, one that would have; the only pod that may move stays in its zone.
TEST(Consolidation, AMovedPodInTheSameZoneKeepsTheWaitingPodOut) {
  TwinWorlds worlds;
  for (const int zone : {0, 0, 1, 1}) worlds.add_node(2, 64'000, zone);
  for (const std::size_t node : {0U, 1U, 3U}) worlds.add_pod({.cpu = 1000, .cards = 1, .movable = false}, node);
  worlds.add_pod({.cpu = 1000, .cards = 1, .group = 1, .avoids = {}}, 2);
  worlds.add_pod({.cpu = 63'000, .cards = 0, .movable = false}, 0);
  worlds.add_pod({.cpu = 63'000, .cards = 0, .movable = false}, 1);
  for (const MovePod& wanted : {MovePod{.cpu = 1000, .cards = 2, .group = 1, .spread = true},
                                MovePod{.cpu = 1000, .cards = 2, .group = 2, .avoids = 1}}) {
    const PodId waiting = worlds.add_pod(wanted, std::nullopt);
    Consolidator consolidator(*worlds.world, worlds.movable);
    for (const Consolidation& part : consolidator.plan(std::span(&waiting, 1)).parts) EXPECT_NE(part.pod, waiting);
  }
}

TEST(Consolidation, NobodyMovesForAPodOfLowerPriority) {
  for (const std::int32_t priority : {9, 10}) {
    TwinWorlds worlds;
    for (std::size_t i = 0; i < 2; ++i) {
      worlds.add_node(2, 64'000);
      worlds.add_pod(cards(1), i, 10);
    }
    const PodId waiting = worlds.add_pod(cards(2), std::nullopt, priority);
    Consolidator consolidator(*worlds.world, worlds.movable);
    const std::vector<Consolidation> plan = consolidator.plan(std::span(&waiting, 1)).parts;
    ASSERT_EQ(plan.size(), 1U);
    EXPECT_EQ(plan.front().pod, priority < 10 ? PodId::none() : waiting);
  }
}

TEST(Consolidation, AHardPodLeavesQuestionsToTheOthers) {
  TwinWorlds worlds;
  for (std::size_t node = 0; node < 12; ++node) {
    worlds.add_node(8, 64'000);
    for (int i = 0; i < 3; ++i) worlds.add_pod({.cpu = 20'000 + 500 * (i % 2), .cards = 2}, node);
  }
  for (std::size_t node = 12; node < 14; ++node) {
    worlds.add_node(4, 10'000);
    worlds.add_pod({.cpu = 1000, .cards = 2}, node);
  }
  const std::vector<PodId> waiting = {worlds.add_pod({.cpu = 2000, .cards = 8}, std::nullopt),
                                      worlds.add_pod({.cpu = 5000, .cards = 4}, std::nullopt)};
  Consolidator consolidator(*worlds.world, worlds.movable, {.question_limit = 30'000});
  const ConsolidationPlan plan = consolidator.plan(waiting);
  EXPECT_FALSE(plan.complete);
  EXPECT_GT(plan.questions, 10'000);
  EXPECT_LT(plan.questions, 40'000);
  ASSERT_FALSE(plan.parts.empty());
  EXPECT_EQ(plan.parts.front().pod, waiting[1]);
}

TEST(Consolidation, PartitionsCountAsPartsOfACard) {
  TwinWorlds worlds;
  for (std::size_t i = 0; i < 2; ++i) worlds.add_node(4, 64'000);
  worlds.add_pod(cards(2), 0);
  worlds.add_pod(cards(2), 1);
  Consolidator consolidator(*worlds.world, worlds.movable, {.worth = std::vector<Amount>(100, 1000 / 7)});
  const std::vector<Consolidation> plan = consolidator.plan({}).parts;
  ASSERT_EQ(plan.size(), 1U);
  EXPECT_EQ(plan.front().moved, 2000 * (1000 / 7) / 1000);
}

}  // namespace
}  // namespace berth::engine
