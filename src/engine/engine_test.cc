#include "engine/engine.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "engine/topology/topology.h"
#include "engine/world/world.h"

namespace berth::engine {
namespace {

// A world in a few lines: nodes of 4 cores and 8 cards, pods of one profile with every filter.
class EngineTest : public testing::Test {
 protected:
  Names names;
  const ResourceId gpu = names.resources.intern("nvidia.com/gpu");
  const ProfileId profile_id = names.profiles.intern("default-scheduler");
  const LabelKeyId hostname = names.label_keys.intern("kubernetes.io/hostname");
  const LabelKeyId zone = names.label_keys.intern("topology.kubernetes.io/zone");
  const LabelKeyId app = names.label_keys.intern("app");
  const NamespaceId space = names.namespaces.intern("default");

  Config config() {
    Profile profile;
    profile.id = profile_id;
    for (std::size_t i = 0; i < kFilterCount; ++i) profile.filters.push_back(static_cast<Filter>(i));
    profile.scores = {{Score::kNodeResourcesFit, 1}, {Score::kBalancedAllocation, 1}, {Score::kTaintToleration, 3}};
    profile.fit_resources = {{kCpu, 1}, {kMemory, 1}};
    profile.balanced_resources = {{kCpu, 1}, {kMemory, 1}};
    return Config{.profiles = {profile}};
  }
  Event node(const std::string& name, const std::string& zone_name = "z1", Amount cards = 8) {
    NodeInput input;
    input.name = names.names.intern(name);
    input.labels = {{hostname, names.label_value(name)}, {zone, names.label_value(zone_name)}};
    input.allocatable = {{kCpu, 4000}, {kMemory, Amount{16} << 30U}, {kPods, 110}, {gpu, cards * kMilliPerCard}};
    input.cards = {{gpu, ProductId::none(), 0}};
    return NodeChanged{input};
  }
  PodInput pod(const std::string& name, Amount cpu, std::int32_t cards = 0, std::int32_t milli = kMilliPerCard) {
    PodInput input;
    input.name = names.names.intern("default/" + name);
    input.shape.profile = profile_id;
    input.shape.namespace_ = space;
    input.shape.labels = {{app, names.label_value(name.substr(0, 1))}};
    input.shape.requests = {{kCpu, cpu}};
    input.shape.nonzero_cpu = cpu;
    input.shape.nonzero_memory = Amount{200} << 20U;
    if (cards > 0) input.shape.cards = {{gpu, cards, milli, {}}};
    return input;
  }
  Selector app_is(const std::string& value) {
    return {false, {Requirement{app, Operator::kIn, {names.label_value(value)}, {}}}};
  }
  AffinityTerm near(const std::string& value, LabelKeyId key) { return {app_is(value), {{space}, {}}, key}; }
};

TEST_F(EngineTest, PlacesPodsByPriorityThenAge) {
  Engine engine(config(), names);
  PodInput old = pod("old", 3000);
  PodInput young = pod("young", 3000);
  young.created = 5;
  PodInput high = pod("high", 3000);
  high.created = 9;
  high.shape.priority = 10;
  const auto result =
      engine.step(std::vector<Event>{node("n1"), node("n2"), PodChanged{young}, PodChanged{old}, PodChanged{high}}, 10);
  ASSERT_EQ(result.decisions.size(), 2U);
  EXPECT_EQ(result.decisions[0].pod, engine.find_pod(high.name));
  EXPECT_EQ(result.decisions[1].pod, engine.find_pod(old.name));
  ASSERT_EQ(result.pending.size(), 1U);
  EXPECT_EQ(result.pending[0].pod, engine.find_pod(young.name));
  EXPECT_EQ(result.pending[0].reason_class, ReasonClass::kBusy);
}

TEST_F(EngineTest, SharesSitOnTheTightestCardAndWholeCardsOnTheLowestFree) {
  Engine engine(config(), names);
  std::vector<Event> events{node("n1")};
  PodInput first = pod("a", 100, 1, 400);
  PodInput second = pod("b", 100, 1, 700);
  PodInput third = pod("c", 100, 1, 300);
  PodInput whole = pod("d", 100, 2);
  std::int64_t age = 0;
  for (PodInput* input : {&first, &second, &third, &whole}) {
    input->created = age++;
    events.emplace_back(PodChanged{*input});
  }
  const auto result = engine.step(events, 0);
  ASSERT_EQ(result.decisions.size(), 4U);
  using Cards = std::vector<std::uint16_t>;
  EXPECT_EQ(result.decisions[0].cards[0].cards, (Cards{0}));
  EXPECT_EQ(result.decisions[1].cards[0].cards, (Cards{1}));
  EXPECT_EQ(result.decisions[2].cards[0].cards, (Cards{1}));
  EXPECT_EQ(result.decisions[3].cards[0].cards, (Cards{2, 3}));
}

TEST_F(EngineTest, RequiredAffinityLetsTheFirstStartAndTheRestFollow) {
  Engine engine(config(), names);
  std::vector<Event> events{node("n1", "z1"), node("n2", "z2"), node("n3", "z1")};
  for (int i = 0; i < 4; ++i) {
    PodInput input = pod("x" + std::to_string(i), 1500);
    input.shape.required_affinity = {near("x", zone)};
    events.emplace_back(PodChanged{input});
  }
  const auto result = engine.step(events, 0);
  ASSERT_FALSE(result.decisions.empty());
  const LabelValueId first = engine.world().node(result.decisions[0].node).input.labels[1].value;
  for (const Decision& decision : result.decisions) {
    EXPECT_EQ(engine.world().node(decision.node).input.labels[1].value, first);
  }
}

TEST_F(EngineTest, HostnameAntiAffinityLeavesTheSurplusPendingWithTopologyNoFit) {
  Engine engine(config(), names);
  std::vector<Event> events{node("n1"), node("n2")};
  for (int i = 0; i < 3; ++i) {
    PodInput input = pod("x" + std::to_string(i), 100);
    input.shape.required_anti_affinity = {near("x", hostname)};
    events.emplace_back(PodChanged{input});
  }
  const auto result = engine.step(events, 0);
  EXPECT_EQ(result.decisions.size(), 2U);
  ASSERT_EQ(result.pending.size(), 1U);
  EXPECT_EQ(result.pending[0].reason_class, ReasonClass::kTopologyNoFit);
  const Reason reason = engine.explain(result.pending[0].pod);
  EXPECT_EQ(reason.topology_key, hostname);
  EXPECT_EQ(reason.nodes[static_cast<std::size_t>(NodeCause::kPodAntiAffinity)], 2U);
}

TEST_F(EngineTest, AFreedCardWakesTheParkedPod) {
  Engine engine(config(), names);
  PodInput holder = pod("h", 100, 8);
  holder.node = names.names.intern("n1");
  PodInput waiting = pod("w", 100, 1);
  auto result = engine.step(std::vector<Event>{node("n1"), PodChanged{holder}, PodChanged{waiting}}, 0);
  EXPECT_TRUE(result.decisions.empty());
  ASSERT_EQ(result.pending.size(), 1U);
  const Reason reason = engine.explain(result.pending[0].pod);
  EXPECT_EQ(reason.reason_class, ReasonClass::kBusy);
  EXPECT_EQ(reason.resource, gpu);
  EXPECT_EQ(reason.missing, kMilliPerCard);
  ASSERT_EQ(reason.holders.size(), 1U);
  EXPECT_EQ(reason.holders[0].pod, engine.find_pod(holder.name));
  result = engine.step(std::vector<Event>{PodRemoved{holder.name}}, 1);
  EXPECT_EQ(result.decisions.size(), 1U);
}

TEST_F(EngineTest, PreemptionEvictsTheLeastAndNeverWithoutAPlan) {
  Engine engine(config(), names);
  std::vector<Event> events{node("n1"), node("n2")};
  for (int i = 0; i < 4; ++i) {
    PodInput input = pod("low" + std::to_string(i), 2000);
    input.shape.priority = i;
    input.node = names.names.intern(i < 2 ? "n1" : "n2");
    events.emplace_back(PodChanged{input});
  }
  PodInput high = pod("high", 2000);
  high.shape.priority = 100;
  events.emplace_back(PodChanged{high});
  PodInput never = pod("never", 2000);
  never.shape.priority = 50;
  never.shape.preempts = false;
  events.emplace_back(PodChanged{never});
  const auto result = engine.step(events, 0);
  ASSERT_EQ(result.decisions.size(), 2U);
  EXPECT_EQ(result.decisions[0].kind, Decision::Kind::kEvict);
  EXPECT_EQ(result.decisions[0].pod, engine.find_pod(names.names.find("default/low0")));
  EXPECT_EQ(result.decisions[0].beneficiary, engine.find_pod(high.name));
  EXPECT_EQ(result.decisions[1].kind, Decision::Kind::kPlace);
  ASSERT_EQ(result.pending.size(), 1U);
  EXPECT_EQ(engine.explain(result.pending[0].pod).preemption, Reason::Preemption::kNever);
}

// Two nodes with a pod each that a budget of no disruptions protects, and one that needs the room of either.
struct EngineBudgetTest : EngineTest {
  std::vector<Event> events() {
    std::vector<Event> result{node("n1"), node("n2")};
    for (int i = 0; i < 2; ++i) {
      PodInput input = pod("victim" + std::to_string(i), 4000);
      input.shape.priority = i;
      input.node = names.names.intern(i == 0 ? "n1" : "n2");
      result.emplace_back(PodChanged{input});
    }
    PodInput high = pod("high", 4000);
    high.shape.priority = 100;
    result.emplace_back(PodChanged{high});
    return result;
  }
  BudgetInput budget() {
    return {.name = names.names.intern("default/keep"),
            .namespace_ = space,
            .selector = app_is("v"),
            .disruptions_allowed = 0,
            .disrupted = {}};
  }
};

TEST_F(EngineBudgetTest, AnEvictionThatBreaksABudgetSaysSo) {
  Engine engine(config(), names);
  std::vector<Event> all = events();
  const BudgetInput keep = budget();
  all.emplace_back(BudgetChanged{keep});
  const auto result = engine.step(all, 0);
  ASSERT_EQ(result.decisions.size(), 2U);
  EXPECT_EQ(result.decisions[0].pod, engine.find_pod(names.names.find("default/victim0")));
  EXPECT_EQ(result.decisions[0].broken_budgets, (std::vector{BrokenBudget{keep.name, 0, 1}}));
  EXPECT_TRUE(result.decisions[1].broken_budgets.empty());
}

TEST_F(EngineBudgetTest, APodWhoseEvictionIsCountedAlreadyBreaksNoBudget) {
  Engine engine(config(), names);
  std::vector<Event> all = events();
  BudgetInput keep = budget();
  keep.disrupted = {names.names.intern("default/victim1")};
  all.emplace_back(BudgetChanged{keep});
  const auto result = engine.step(all, 0);
  ASSERT_EQ(result.decisions.size(), 2U);
  EXPECT_EQ(result.decisions[0].pod, engine.find_pod(names.names.find("default/victim1")));
  EXPECT_TRUE(result.decisions[0].broken_budgets.empty());
}

TEST_F(EngineTest, ReasonClassesTellApartWhatLiftingWouldHelp) {
  Engine engine(config(), names);
  auto cordoned = std::get<NodeChanged>(node("n1"));
  cordoned.node.unschedulable = true;
  PodInput small = pod("s", 1000);
  PodInput huge = pod("t", 64000);
  auto result = engine.step(std::vector<Event>{cordoned, PodChanged{small}, PodChanged{huge}}, 0);
  EXPECT_EQ(engine.explain(engine.find_pod(small.name)).reason_class, ReasonClass::kNodeExcluded);
  EXPECT_EQ(engine.explain(engine.find_pod(huge.name)).reason_class, ReasonClass::kNeverFits);
}

TEST_F(EngineTest, EnoughInSumButNotInOneCardIsFragmented) {
  Engine engine(config(), names);
  std::vector<Event> events{node("n1", "z1", 2)};
  for (int i = 0; i < 2; ++i) {
    PodInput input = pod("a" + std::to_string(i), 100, 1, 600);
    input.node = names.names.intern("n1");
    events.emplace_back(PodChanged{input});
  }
  PodInput half = pod("half", 100, 1, 500);
  events.emplace_back(PodChanged{half});
  engine.step(events, 0);
  const Reason reason = engine.explain(engine.find_pod(half.name));
  EXPECT_EQ(reason.reason_class, ReasonClass::kFragmented);
  EXPECT_EQ(reason.best_found, 400);
  EXPECT_EQ(reason.sum_free, 800);
  EXPECT_EQ(reason.nodes[static_cast<std::size_t>(NodeCause::kCardFragmented)], 1U);
}

TEST_F(EngineTest, APodBoundBeforeTheCardsAppearedHoldsThemOnceTheyDo) {
  Engine engine(config(), names);
  PodInput early = pod("early", 100, 2);
  early.node = names.names.intern("n1");
  engine.apply(std::vector<Event>{node("n1", "z1", 0), PodChanged{early}}, 0);
  const PodId id = engine.find_pod(early.name);
  using Cards = std::vector<std::uint16_t>;
  engine.apply(std::vector<Event>{node("n1", "z1", 4)}, 1);
  ASSERT_EQ(engine.world().pod(id).cards.size(), 1U);
  EXPECT_EQ(engine.world().pod(id).cards[0].cards, (Cards{0, 1}));
  // A share may not come to sit on a card that is taken.
  const auto result =
      engine.step(std::vector<Event>{PodChanged{pod("wide", 100, 3)}, PodChanged{pod("pair", 100, 2)}}, 2);
  ASSERT_EQ(result.decisions.size(), 1U);
  EXPECT_EQ(result.decisions[0].cards[0].cards, (Cards{2, 3}));
}

TEST_F(EngineTest, ANodeThatLosesCardsMovesItsPodsToThoseThatAreLeft) {
  Engine engine(config(), names);
  PodInput first = pod("a", 100, 1);
  first.node = names.names.intern("n1");
  first.cards = {{.resource = gpu, .cards = {5}}};
  PodInput second = pod("b", 100, 1);
  second.node = first.node;
  second.cards = {{.resource = gpu, .cards = {0}}};
  engine.apply(std::vector<Event>{node("n1"), PodChanged{first}, PodChanged{second}, node("n1", "z1", 2)}, 0);
  using Cards = std::vector<std::uint16_t>;
  EXPECT_EQ(engine.world().pod(engine.find_pod(first.name)).cards.at(0).cards, (Cards{1}));
  EXPECT_EQ(engine.world().pod(engine.find_pod(second.name)).cards.at(0).cards, (Cards{0}));
  EXPECT_EQ(engine.world().card_group(engine.find_node(first.node), gpu)->whole_free, 0);
}

TEST_F(EngineTest, WhatCannotHelpAParkedPodDoesNotHaveItTriedAgain) {
  Engine engine(config(), names);
  std::vector<Event> events{node("n1"), node("n2"), PodChanged{pod("wide", 100, 9)}, PodChanged{pod("pair", 100, 2)}};
  for (int i = 0; i < 2; ++i) {
    PodInput full = pod("full" + std::to_string(i), 100, 8);
    full.created = -1;
    events.emplace_back(PodChanged{full});
  }
  EXPECT_EQ(engine.step(events, 0).pending.size(), 2U);
  const std::vector<Event> freed{PodRemoved{names.names.intern("default/full0")}};
  const auto result = engine.step(freed, 1);
  ASSERT_EQ(result.decisions.size(), 1U);
  EXPECT_EQ(result.decisions[0].pod, engine.find_pod(names.names.intern("default/pair")));
  EXPECT_TRUE(result.pending.empty()) << "no node has nine cards, whoever leaves";
}

TEST_F(EngineTest, OfManyAlikeAsManyAreTriedAsFindRoomAndOneMore) {
  Engine engine(config(), names);
  std::vector<Event> events{node("n1")};
  for (int i = 0; i < 20; ++i) {
    PodInput alike = pod("a" + std::to_string(i), 1000);
    alike.created = i;
    events.emplace_back(PodChanged{alike});
  }
  EXPECT_EQ(engine.step(events, 0).decisions.size(), 4U);
  const std::vector<Event> freed{PodRemoved{names.names.intern("default/a0")},
                                 PodRemoved{names.names.intern("default/a2")}};
  const auto result = engine.step(freed, 1);
  ASSERT_EQ(result.decisions.size(), 2U);
  EXPECT_EQ(result.decisions[0].pod, engine.find_pod(names.names.intern("default/a4")));
  EXPECT_EQ(result.decisions[1].pod, engine.find_pod(names.names.intern("default/a5")));
  EXPECT_EQ(result.pending.size(), 1U);
}

TEST_F(EngineTest, AChangedNodeKeepsItsRankAndTakesWhatItNowCan) {
  Engine engine(config(), names);
  PodInput choosy = pod("x", 100);
  choosy.shape.node_selectors = {{{NodeTerm{{Requirement{zone, Operator::kIn, {names.label_value("z9")}, {}}}, {}}}}};
  EXPECT_TRUE(engine.step(std::vector<Event>{node("n1"), node("n2"), PodChanged{choosy}}, 0).decisions.empty());
  const std::uint64_t layout = engine.world().layout();
  const auto result = engine.step(std::vector<Event>{node("n2", "z9")}, 1);
  ASSERT_EQ(result.decisions.size(), 1U);
  EXPECT_EQ(result.decisions[0].node, engine.find_node(names.names.intern("n2")));
  EXPECT_EQ(engine.world().layout(), layout);
}

TEST_F(EngineTest, WhatIsTooLargeForEveryNodeRunsOnceALargerOneComes) {
  Engine engine(config(), names);
  const PodInput large = pod("large", 9000);
  auto result = engine.step(std::vector<Event>{node("n1"), node("n2"), PodChanged{large}}, 1);
  EXPECT_TRUE(result.decisions.empty());
  ASSERT_EQ(result.pending.size(), 1U);
  EXPECT_EQ(result.pending[0].reason_class, ReasonClass::kNeverFits);
  // A node that is large enough and cordoned is another reason, full or empty.
  NodeChanged larger = std::get<NodeChanged>(node("n3"));
  larger.node.allocatable[0].amount = 16000;
  larger.node.unschedulable = true;
  result = engine.step(std::vector<Event>{larger}, 2);
  EXPECT_EQ(engine.explain(engine.find_pod(large.name)).reason_class, ReasonClass::kNodeExcluded);
  EXPECT_FALSE(engine.explain(engine.find_pod(large.name)).excluded_are_full);
  PodInput holder = pod("holder", 12000);
  holder.node = larger.node.name;
  result = engine.step(std::vector<Event>{PodChanged{holder}}, 3);
  EXPECT_EQ(engine.explain(engine.find_pod(large.name)).reason_class, ReasonClass::kNodeExcluded);
  EXPECT_TRUE(engine.explain(engine.find_pod(large.name)).excluded_are_full);
  larger.node.unschedulable = false;
  result = engine.step(std::vector<Event>{larger, PodRemoved{holder.name}}, 4);
  ASSERT_EQ(result.decisions.size(), 1U);
  EXPECT_EQ(result.decisions[0].node, engine.find_node(larger.node.name));
}

TEST_F(EngineTest, ALongListOfNodesLeavesTheSearchToTheIndex) {
  Engine engine(config(), names);
  std::vector<Event> events;
  NameRequirement served;
  for (int i = 0; i < 100; ++i) {
    events.push_back(node("n" + std::to_string(i)));
    if (i >= 50) served.names.push_back(names.names.find("n" + std::to_string(i)));
  }
  PodInput many = pod("many", 100);
  many.shape.volume_selectors = {NodeSelector{{NodeTerm{{}, {served}}}}};
  served.names.resize(2);
  PodInput few = pod("few", 100);
  few.shape.volume_selectors = {NodeSelector{{NodeTerm{{}, {served}}}}};
  events.insert(events.end(), {PodChanged{many}, PodChanged{few}});
  EXPECT_EQ(engine.step(events, 0).decisions.size(), 2U);
  const World& world = engine.world();
  const PodId in_many = engine.find_pod(many.name);
  EXPECT_FALSE(world.shape_of(in_many).narrowed_to);
  EXPECT_GE(world.pod(in_many).node.index(), 50U);
  EXPECT_TRUE(world.shape_of(engine.find_pod(few.name)).narrowed_to);
}

TEST_F(EngineTest, MemoryFollowsTheShapesThatPodsHave) {
  Engine engine(config(), names);
  engine.apply(std::vector<Event>{node("n1", "z1"), node("n2", "z2")}, 0);
  for (int i = 0; i < 2000; ++i) {
    PodInput input = pod("p" + std::to_string(i), 100 + i % 7);
    input.shape.labels = {{app, names.label_value("app" + std::to_string(i))}};
    input.shape.required_anti_affinity = {near("app" + std::to_string(i), hostname)};
    const auto result = engine.step(std::vector<Event>{PodChanged{input}}, i);
    ASSERT_EQ(result.decisions.size(), 1U) << i;
    engine.apply(std::vector<Event>{PodRemoved{input.name}}, i);
  }
  EXPECT_LT(engine.world().shapes().size(), 50U);
  EXPECT_LT(engine.world().shapes().search_count(), 50U);
  EXPECT_LT(engine.world().topology().counter_count(), 100U);
}

}  // namespace
}  // namespace berth::engine
