#include "engine/devices/holdings.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "base/random.h"
#include "engine/devices/catalogue.h"

namespace berth::engine::devices {
namespace {

// Nodes of cards that are whole or two halves, and a claim for any device.
class HoldingsTest : public ::testing::Test {
 protected:
  Names names;
  Config config;
  Holdings holdings{config, names};
  std::vector<NodeInput> nodes;
  std::vector<SliceInput> slices;
  std::vector<ClaimUse> one;
  std::vector<NameId> granted;
  std::vector<ReleasedGrant> released;

  Catalogue& catalogue() { return names.devices(); }
  NameId name(const std::string& text) { return names.names.intern(text); }

  // True if other nodes may have other answers now.
  bool add_node(int cards) {
    const std::string host = "n" + std::to_string(nodes.size());
    NodeInput node;
    node.name = name(host);
    SliceInput sets{.name = name(host + "-sets"), .driver = name("d"), .pool = name(host), .slice_count = 2};
    sets.target = {.kind = NodeTarget::Kind::kNode, .node = node.name};
    SliceInput slice = sets;
    slice.name = name(host + "-devices");
    const CounterId halves = catalogue().counters.intern("halves");
    for (int card = 0; card < cards; ++card) {
      const CounterSetId set = catalogue().counter_sets.intern("c" + std::to_string(card));
      sets.counter_sets.push_back({.name = set, .counters = {{.name = halves, .amount = 2}}});
      for (const char* part : {"half-0", "half-1", "whole"}) {
        const std::string device = "c" + std::to_string(card) + "-" + part;
        Kind kind{.driver = name("d"), .attributes = {}, .capacities = {}};
        kind.attributes = {
            {catalogue().attributes.intern("d/uuid"), catalogue().scalar(AtomType::kString, host + device)}};
        const Quantity taken = std::string_view(part) == "whole" ? 2 : 1;
        slice.devices.push_back({.name = name(device),
                                 .kind = catalogue().kinds.intern(std::move(kind)),
                                 .consumption = catalogue().consumptions.intern(
                                     {{.name = set, .counters = {{.name = halves, .amount = taken}}}})});
      }
    }
    bool everywhere = false;
    for (const SliceInput& each : {sets, slice}) {
      everywhere = holdings.set_slice(each).everywhere || everywhere;
      slices.push_back(each);
    }
    everywhere = holdings.reset_node(NodeId{nodes.size()}, node) || everywhere;
    nodes.push_back(std::move(node));
    if (!one.empty()) return everywhere;
    Claim any;
    any.requests.push_back({.prioritized = false, .alternatives = {Alternative{}}});
    one = {{.spec = catalogue().claims.intern(std::move(any)), .shared = {}, .resource = {}}};
    return everywhere;
  }
  bool fits(std::size_t node) { return holdings.fits(one, NodeId{node}, nodes[node], false); }
  void place(const std::string& claim, std::size_t node) {
    const std::vector<NameId> claims = {name(claim)};
    holdings.enter(one, claims, NodeId{node}, nodes[node], true, {}, granted);
  }
  void leave(const std::string& claim) {
    const std::vector<NameId> claims = {name(claim)};
    holdings.leave(claims, Holdings::Leaving::kRelease, {}, released);
  }
};

TEST_F(HoldingsTest, NodesThatLookAlikeAreSearchedOnce) {
  for (int i = 0; i < 10; ++i) add_node(4);
  for (std::size_t node = 0; node < 10; ++node) EXPECT_TRUE(fits(node));
  EXPECT_EQ(holdings.searches(), 1U);
}

// Which uses there are is asked, not of how many cards: a free card, and a half of one.
TEST_F(HoldingsTest, AnotherCardOfTheSameUseIsNoNewQuestion) {
  add_node(4);
  add_node(7);
  place("a", 0);
  EXPECT_TRUE(fits(0));
  const std::uint64_t before = holdings.searches();
  place("b", 0);  // the other half of the card: full cards and free ones
  EXPECT_TRUE(fits(0));
  EXPECT_EQ(holdings.searches(), before) << "as when all were free";
  for (int i = 0; i < 4; ++i) place("c" + std::to_string(i), 0);
  EXPECT_TRUE(fits(0));
  EXPECT_EQ(holdings.searches(), before) << "two more full cards";
  place("d", 0);
  place("e", 0);
  EXPECT_FALSE(fits(0));
  EXPECT_EQ(holdings.searches(), before + 2) << "the last card is half full, then full";
}

// Every device goes to one claim only, and a claim gets the device of the card that is meant.
TEST_F(HoldingsTest, CardsThatWereLeftOutAreTakenInTheirTurn) {
  add_node(4);
  for (int i = 0; i < 8; ++i) {
    EXPECT_TRUE(fits(0));
    place("c" + std::to_string(i), 0);
  }
  EXPECT_FALSE(fits(0));
  std::vector<DeviceId> devices;
  for (int i = 0; i < 8; ++i) devices.push_back(holdings.grant(name("c" + std::to_string(i)))->devices.at(0).device);
  for (std::size_t i = 0; i < 8; i += 2) {
    const auto card = [&](std::size_t at) {
      return names.names.text(holdings.inventory().key(devices[at]).device).substr(0, 2);
    };
    EXPECT_EQ(card(i), card(i + 1)) << "an opened card is filled first";
  }
  std::ranges::sort(devices);
  EXPECT_EQ(std::ranges::adjacent_find(devices), devices.end());
  leave("c5");
  EXPECT_TRUE(fits(0)) << "what was given back is seen";
  // The other half of an open card: half a card is spared, and a quarter of its placements, this one, is gone.
  EXPECT_EQ(holdings.value(one, NodeId{std::size_t{0}}, nodes[0]).packing, 50 + (50 + 100 - 25) / 4);
}

// It was told to run, and never started: on the emptied node it did not fit.
TEST_F(HoldingsTest, AnAllocationThatLacksWhatItsClaimAsksForIsTakenAsItIs) {
  add_node(1);
  Claim three;
  three.requests.push_back({.prioritized = false, .alternatives = {Alternative{}}});
  three.requests[0].alternatives[0].count = 3;
  const ClaimSpecId spec = catalogue().claims.intern(three);
  const std::vector<ClaimUse> uses = {{.spec = spec, .shared = name("given"), .resource = {}}};
  holdings.watch(name("given"));
  for (const bool emptied : {false, true}) EXPECT_FALSE(holdings.fits(uses, NodeId{std::size_t{0}}, nodes[0], emptied));
  ClaimInput given{.name = name("given"), .spec = spec, .allocated = true, .devices = {}, .reach = std::nullopt};
  given.devices.push_back({.driver = name("d"), .pool = name("n0"), .device = name("c0-half-0"), .consumed = {}});
  holdings.set_claim(given);
  for (const bool emptied : {false, true}) EXPECT_TRUE(holdings.fits(uses, NodeId{std::size_t{0}}, nodes[0], emptied));
}

class StepsTest : public HoldingsTest {
 protected:
  // Eight devices.
  std::vector<ClaimUse> many() {
    Claim claim;
    claim.requests.push_back({.prioritized = false, .alternatives = {Alternative{}}});
    claim.requests[0].alternatives[0].count = 8;
    return {{.spec = catalogue().claims.intern(claim), .shared = {}, .resource = {}}};
  }
  DeviceCause ask(const std::vector<ClaimUse>& uses, std::size_t node) {
    return holdings.cause(uses, NodeId{node}, nodes[node], false);
  }
};

// Nodes that are all different: each search is cut short, and all together are.
TEST_F(StepsTest, ADifficultClaimHasSoManyStepsOnAllNodesTogether) {
  holdings.limit_steps({.search = 4, .question = 12, .least = 1});
  for (int cards = 8; cards < 28; ++cards) add_node(cards);
  const std::vector<ClaimUse> uses = many();
  const auto ask_all = [&] {
    for (std::size_t node = 0; node < nodes.size(); ++node) EXPECT_EQ(ask(uses, node), DeviceCause::kUndecided);
  };
  ask_all();
  const std::uint64_t first = holdings.steps();
  EXPECT_LE(first, 70U);
  ask_all();
  EXPECT_EQ(holdings.steps(), first) << "as before";
  place("a", 0);
  const std::uint64_t before = holdings.steps();
  ask_all();
  EXPECT_GT(holdings.steps(), before) << "another question on one node";
  EXPECT_LE(holdings.steps(), before + 70);
}

TEST_F(StepsTest, AnAnswerDoesNotDependOnWhatWasAskedBefore) {
  const StepLimits limits{.search = 100, .question = 40, .least = 2};
  holdings.limit_steps(limits);
  for (int cards = 1; cards < 21; ++cards) add_node(cards);
  const std::vector<ClaimUse> uses = many();
  std::vector<DeviceCause> causes;
  for (std::size_t node = 0; node < nodes.size(); ++node) causes.push_back(ask(uses, node));
  EXPECT_EQ(std::ranges::count(causes, DeviceCause::kNoDevice), 3) << "too few cards";
  EXPECT_EQ(std::ranges::count(causes, DeviceCause::kUndecided), 17);
  for (std::size_t node = 0; node < nodes.size(); ++node) {
    Holdings fresh{config, names};
    fresh.limit_steps(limits);
    for (const SliceInput& slice : slices) fresh.set_slice(slice);
    for (std::size_t i = 0; i < nodes.size(); ++i) fresh.reset_node(NodeId{i}, nodes[i]);
    EXPECT_EQ(fresh.cause(uses, NodeId{node}, nodes[node], false), causes[node]) << node;
  }
}

// More nodes: less for each, and what was found with more is not told any more.
TEST_F(StepsTest, WhatWasFoundInASmallerClusterIsForgotten) {
  holdings.limit_steps({.search = 100, .question = 40, .least = 2});
  add_node(5);
  const std::vector<ClaimUse> uses = many();
  EXPECT_EQ(ask(uses, 0), DeviceCause::kFits);
  EXPECT_FALSE(add_node(6)) << "as much for each as before";
  bool forgotten = false;
  for (int cards = 7; cards < 25; ++cards) forgotten = add_node(cards) || forgotten;
  EXPECT_TRUE(forgotten) << "whoever keeps answers has to ask again";
  EXPECT_EQ(ask(uses, 0), DeviceCause::kUndecided);
}

// A node of cards that slices have and that a device plugin counts, too: in replicas or in partitions.
class TwoBooksTest : public HoldingsTest {
 protected:
  ResourceId gpu = names.resources.intern("nvidia.com/gpu");
  ResourceId shared = names.resources.intern("nvidia.com/gpu.shared");
  ResourceId mig = names.resources.intern("nvidia.com/mig-1g.10gb");
  LabelKeyId replicas = names.label_keys.intern("nvidia.com/gpu.replicas");

  void add_cards(int cards, ResourceId resource, std::int64_t units, const std::string& replicas_of_each) {
    for (const ResourceId counted : {gpu, shared})
      catalogue().set_counting(counted, {.cards = gpu, .replicas = replicas, .partitions = false});
    catalogue().set_counting(mig, {.cards = gpu, .replicas = {}, .partitions = true});
    NodeInput node;
    node.name = name("n");
    node.labels = {{replicas, names.label_value(replicas_of_each)}};
    node.allocatable = {{resource, units * kMilliPerCard}};
    node.cards = {{.resource = resource}};
    SliceInput slice{.name = name("s"), .driver = name("gpu.nvidia.com"), .pool = name("n"), .slice_count = 1};
    slice.target = {.kind = NodeTarget::Kind::kNode, .node = node.name};
    const KindId kind =
        catalogue().kinds.intern({.driver = name("gpu.nvidia.com"), .attributes = {}, .capacities = {}});
    catalogue().set_card_resource(kind, gpu);
    for (int card = 0; card < cards; ++card) {
      slice.devices.push_back({.name = name("gpu-" + std::to_string(card)), .kind = kind});
      catalogue().set_card_number(slice.devices.back().name, static_cast<std::uint16_t>(card));
    }
    holdings.set_slice(slice);
    holdings.reset_node(NodeId{std::size_t{0}}, node);
    nodes.push_back(node);
    Claim any;
    any.requests.push_back({.prioritized = false, .alternatives = {Alternative{}}});
    one = {{.spec = catalogue().claims.intern(std::move(any)), .shared = {}, .resource = {}}};
  }
  // Units that the plugin must not give away any more.
  std::vector<std::uint16_t> closed(ResourceId resource) {
    std::vector<std::uint16_t> result = holdings.cards_in_claims(NodeId{std::size_t{0}}, resource);
    std::vector<std::uint16_t> told;
    for (const CardChange& change : holdings.card_changes())
      if (change.taken && change.resource == resource) told.push_back(change.card);
    EXPECT_EQ(told, result);
    return result;
  }
  void count(ResourceId resource, std::uint16_t unit, bool taken) {
    holdings.count_card(NodeId{std::size_t{0}}, resource, unit, taken);
  }
};

TEST_F(TwoBooksTest, ReplicasOfACardThatAClaimHasAreGone) {
  for (const ResourceId resource : {gpu, shared}) {
    const std::string host = resource == gpu ? "a" : "b";
    if (resource == shared) nodes.clear();
    add_cards(2, resource, 4, "2");
    place(host, 0);
    EXPECT_EQ(holdings.cards_of(name(host), NodeId{std::size_t{0}}, resource), 2);
    EXPECT_EQ(closed(resource), (std::vector<std::uint16_t>{0, 1}));
    count(resource, 3, true);
    EXPECT_FALSE(fits(0)) << "the other card has a replica in use";
    count(resource, 2, true);
    count(resource, 3, false);
    EXPECT_FALSE(fits(0)) << "and still has";
    count(resource, 2, false);
    EXPECT_TRUE(fits(0));
    leave(host);
    EXPECT_TRUE(closed(resource).empty());
  }
}

TEST_F(TwoBooksTest, PartitionsOfACardThatAClaimHasAreGone) {
  add_cards(1, mig, 7, "1");
  place("a", 0);
  EXPECT_EQ(closed(mig), (std::vector<std::uint16_t>{0, 1, 2, 3, 4, 5, 6}));
  leave("a");
  EXPECT_TRUE(closed(mig).empty());
  count(mig, 4, true);
  EXPECT_FALSE(fits(0)) << "who came first has the card";
}

// A pool of cards for every node, of halves that share counters.
class FarDevicesTest : public HoldingsTest {
 protected:
  void add_far_pool(const std::string& pool, NodeTarget target, int cards, int generation = 1,
                    bool without_last = false) {
    SliceInput sets{.name = name(pool + "-sets"), .driver = name("d"), .pool = name(pool), .slice_count = 2};
    sets.generation = generation;
    sets.target = std::move(target);
    SliceInput slice = sets;
    slice.name = name(pool + "-devices");
    for (int card = 0; card < cards; ++card) {
      const CounterSetId set = catalogue().counter_sets.intern("c" + std::to_string(card));
      const CounterId halves = catalogue().counters.intern("halves");
      sets.counter_sets.push_back({.name = set, .counters = {{.name = halves, .amount = 2}}});
      for (const char* part : {"half-0", "half-1"}) {
        if (without_last && card == cards - 1 && std::string_view(part) == "half-1") continue;
        const KindId kind = catalogue().kinds.intern({.driver = name("d"), .attributes = {}, .capacities = {}});
        const ConsumptionId half =
            catalogue().consumptions.intern({{.name = set, .counters = {{.name = halves, .amount = 1}}}});
        slice.devices.push_back(
            {.name = name("c" + std::to_string(card) + "-" + part), .kind = kind, .consumption = half});
      }
    }
    holdings.set_slice(sets);
    holdings.set_slice(slice);
    for (std::size_t node = 0; node < nodes.size(); ++node) holdings.reset_node(NodeId{node}, nodes[node]);
  }
  void add_bare_nodes(int count) {
    add_node(0);
    for (int i = 1; i < count; ++i) add_node(0);
  }
  std::uint64_t searches_to_ask_all(bool expected) {
    const std::uint64_t before = holdings.searches();
    for (std::size_t node = 0; node < nodes.size(); ++node) EXPECT_EQ(fits(node), expected) << node;
    return holdings.searches() - before;
  }
};

TEST_F(FarDevicesTest, NodesThatSeeTheSameDevicesAreSearchedOnceAfterEachPod) {
  add_bare_nodes(10);
  add_far_pool("far", {.kind = NodeTarget::Kind::kAllNodes}, 3);
  EXPECT_EQ(searches_to_ask_all(true), 1U);
  for (int i = 0; i < 6; ++i) {
    place("c" + std::to_string(i), static_cast<std::size_t>(i));
    EXPECT_LE(searches_to_ask_all(i < 5), 1U) << i;
  }
  EXPECT_EQ(searches_to_ask_all(false), 0U) << "the same no";
  leave("c3");
  EXPECT_EQ(searches_to_ask_all(true), 0U) << "as before the last pod";
  const Grant* far = holdings.grant(name("c0"));
  ASSERT_NE(far, nullptr);
  EXPECT_FALSE(far->reach.has_value()) << "every node reaches it";
}

TEST_F(FarDevicesTest, NodesAreStillAlikeWhenADriverTakesADeviceBack) {
  add_bare_nodes(4);
  add_far_pool("far", {.kind = NodeTarget::Kind::kAllNodes}, 2);
  add_far_pool("far", {.kind = NodeTarget::Kind::kAllNodes}, 2, 2, true);
  EXPECT_EQ(searches_to_ask_all(true), 1U);
  for (int i = 0; i < 3; ++i) place("c" + std::to_string(i), 0);
  EXPECT_LE(searches_to_ask_all(false), 1U);
}

// New names with every generation, as of a driver that numbers what it makes.
TEST_F(FarDevicesTest, DevicesThatAreGoneAndFreeAreForgotten) {
  add_bare_nodes(1);
  for (int generation = 1; generation < 20; ++generation) {
    SliceInput slice{.name = name("s"), .driver = name("d"), .pool = name("p"), .slice_count = 2};
    slice.generation = generation;
    slice.target = {.kind = NodeTarget::Kind::kNode, .node = nodes[0].name};
    SliceInput sets = slice;
    sets.name = name("sets");
    const CounterSetId set = catalogue().counter_sets.intern("c");
    const CounterId halves = catalogue().counters.intern("halves");
    sets.counter_sets.push_back({.name = set, .counters = {{.name = halves, .amount = 2}}});
    slice.devices.push_back(
        {.name = name("part-" + std::to_string(generation)),
         .kind = catalogue().kinds.intern({.driver = name("d"), .attributes = {}, .capacities = {}}),
         .consumption = catalogue().consumptions.intern({{.name = set, .counters = {{.name = halves, .amount = 1}}}})});
    holdings.set_slice(sets);
    holdings.set_slice(slice);
    holdings.reset_node(NodeId{std::size_t{0}}, nodes[0]);
    if (generation == 1) place("a", 0);
  }
  for (const NodePool& pool : holdings.on(NodeId{std::size_t{0}}, nodes[0]).pools)
    EXPECT_LE(pool.elsewhere.size(), 2U) << "what the claim has, and what was gone last";
  EXPECT_TRUE(fits(0));
  place("b", 0);
  EXPECT_FALSE(fits(0)) << "the claim still has half of the card";
}

// A card whose halves two nodes have: each node sees the other half for its counters alone.
TEST_F(FarDevicesTest, WhatAnotherNodeTakesOfACounterIsSeen) {
  add_bare_nodes(2);
  SliceInput sets{.name = name("sets"), .driver = name("d"), .pool = name("p"), .slice_count = 3};
  sets.target = {.kind = NodeTarget::Kind::kAllNodes};
  const CounterSetId set = catalogue().counter_sets.intern("c");
  const CounterId halves = catalogue().counters.intern("halves");
  sets.counter_sets.push_back({.name = set, .counters = {{.name = halves, .amount = 2}}});
  holdings.set_slice(sets);
  for (std::size_t node = 0; node < 2; ++node) {
    SliceInput slice{
        .name = name("s" + std::to_string(node)), .driver = name("d"), .pool = name("p"), .slice_count = 3};
    slice.target = {.kind = NodeTarget::Kind::kNode, .node = nodes[node].name};
    for (const char* part : {"a", "b"})
      slice.devices.push_back(
          {.name = name(part + std::to_string(node)),
           .kind = catalogue().kinds.intern({.driver = name("d"), .attributes = {}, .capacities = {}}),
           .consumption =
               catalogue().consumptions.intern({{.name = set, .counters = {{.name = halves, .amount = 1}}}})});
    holdings.set_slice(slice);
  }
  for (std::size_t node = 0; node < 2; ++node) holdings.reset_node(NodeId{node}, nodes[node]);
  EXPECT_EQ(searches_to_ask_all(true), 1U);
  place("x", 0);
  EXPECT_TRUE(fits(0));
  EXPECT_TRUE(fits(1));
  place("y", 1);
  EXPECT_FALSE(fits(0));
  EXPECT_FALSE(fits(1));
  leave("x");
  EXPECT_TRUE(fits(0));
  EXPECT_TRUE(fits(1));
}

// Every answer from memory is that of a search on the node as it is.
TEST_F(FarDevicesTest, AnswersFromMemoryAreThoseOfASearch) {
  add_node(2);
  add_node(2);
  add_node(1);
  const std::vector<std::string> pools = {"far", "near-0", "near-1"};
  add_far_pool("far", {.kind = NodeTarget::Kind::kAllNodes}, 2);
  add_far_pool("near-0", {.kind = NodeTarget::Kind::kNode, .node = nodes[0].name}, 1);
  add_far_pool("near-1", {.kind = NodeTarget::Kind::kNode, .node = nodes[1].name}, 1);
  Claim two;
  two.requests.push_back({.prioritized = false, .alternatives = {Alternative{}}});
  two.requests[0].alternatives[0].count = 2;
  const std::vector<ClaimUse> pair = {{.spec = catalogue().claims.intern(two), .shared = {}, .resource = {}}};
  Random random(7);
  std::vector<std::string> placed;
  int number = 0;
  for (int step = 0; step < 300; ++step) {
    if (!placed.empty() && random.chance(2, 5)) {
      const auto which = static_cast<std::ptrdiff_t>(random.below(placed.size()));
      leave(placed[static_cast<std::size_t>(which)]);
      placed.erase(placed.begin() + which);
    } else {
      const auto node = static_cast<std::size_t>(random.below(nodes.size()));
      placed.push_back("c" + std::to_string(number++));
      place(placed.back(), node);
    }
    if (step % 50 == 49) add_far_pool("far", {.kind = NodeTarget::Kind::kAllNodes}, 2, step, step % 100 == 99);
    for (std::size_t node = 0; node < nodes.size(); ++node) {
      for (const std::vector<ClaimUse>* uses : std::array<const std::vector<ClaimUse>*, 2>{&one, &pair}) {
        const Claim& claim = catalogue().claims.content(uses->front().spec);
        const Claim* asked[] = {&claim};
        Question question;
        question.catalogue = &catalogue();
        question.node = &holdings.on(NodeId{node}, nodes[node]);
        question.claims = asked;
        question.usage = &holdings.usage();
        question.selectors = &holdings.selectors();
        const bool expected = allocate(question).outcome == Outcome::kAllocated;
        EXPECT_EQ(holdings.fits(*uses, NodeId{node}, nodes[node], false), expected) << "step " << step;
      }
    }
  }
}

}  // namespace
}  // namespace berth::engine::devices
