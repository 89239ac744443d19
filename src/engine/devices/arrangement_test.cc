#include "engine/devices/arrangement.h"

#include <array>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "engine/devices/sights.h"
#include "engine/devices/test_world.h"

namespace berth::engine::devices {
namespace {

class ArrangementTest : public ::testing::Test {
 protected:
  TestWorld world;
  Sights sights{world.catalogue};
  UseStates states;
  NodeLook look;

  ClaimSpecId claim(const char* match = nullptr) {
    Claim made;
    made.requests.push_back({.prioritized = false, .alternatives = {Alternative{}}});
    if (match != nullptr) {
      made.constraints.push_back({.kind = Constraint::Kind::kMatch,
                                  .attribute = world.catalogue.attributes.intern(match),
                                  .all_requests = true,
                                  .targets = {}});
    }
    return world.catalogue.claims.intern(std::move(made));
  }
  // Cards with two halves each, and a root of their own or the one given.
  NodeDevices cards(const std::string& name, int count, const char* root = nullptr) {
    std::vector<DeviceInput> devices;
    std::vector<CounterSet> sets;
    for (int card = 0; card < count; ++card) {
      const std::string its = "c" + std::to_string(card);
      sets.push_back(world.counters(its, {{"slices", 2}}));
      for (int half = 0; half < 2; ++half) {
        const KindId kind = world.kind("d", {{"d/card", name + its},
                                             {"d/uuid", name + its + std::to_string(half)},
                                             {"d/root", root != nullptr ? root : name + its}});
        devices.push_back(world.device(its + "h" + std::to_string(half), kind, {world.counters(its, {{"slices", 1}})}));
      }
    }
    SliceInput counters = world.slice(name + "-sets", "d", name, world.on_node(name), {}, 2);
    counters.counter_sets = sets;
    world.inventory.set(std::move(counters));
    world.inventory.set(world.slice(name, "d", name, world.on_node(name), std::move(devices), 2));
    return world.inventory.on(world.node(name), {});
  }
  std::vector<EqualCards> equals(const NodeDevices& node, ClaimSpecId spec) {
    return sights.equals(sights.of(std::array{spec}, 0, node, world.answers, look));
  }
  Arrangement arrangement(const NodeDevices& node, std::optional<std::size_t> most = std::nullopt) {
    std::vector<std::uint32_t> use;
    states.describe(node, world.usage, use);
    Arrangement result;
    arrange(equals(node, claim()), use, states, most, result);
    return result;
  }
  using Order = std::vector<std::uint32_t>;
  using LeftOut = std::vector<bool>;
};

using Lists = std::vector<EqualCards>;

TEST_F(ArrangementTest, CardsThatDifferInUuidsAreEqual) {
  EXPECT_EQ(equals(cards("n", 3), claim()), (Lists{{.components = {0, 1, 2}}}));
}

TEST_F(ArrangementTest, AConstraintOnWhatIsOneCardsOwnTellsNoneApart) {
  EXPECT_EQ(equals(cards("n", 2), claim("d/card")), (Lists{{.components = {0, 1}}}));
  look = {};
  EXPECT_EQ(equals(cards("m", 2, "shared"), claim("d/root")), (Lists{{.components = {0, 1}, .alone = false}}));
}

TEST_F(ArrangementTest, WhoSharesAValueWithOthersIsToldApart) {
  const auto single = [&](const char* name, const char* root) {
    return world.device(name, world.kind("d", {{"d/root", root}, {"d/uuid", name}}));
  };
  world.inventory.set(world.slice("s", "d", "n", world.on_node("n"),
                                  {single("a", "0"), single("b", "0"), single("c", "1"), single("e", "1")}));
  EXPECT_EQ(equals(world.inventory.on(world.node("n"), {}), claim("d/root")),
            (Lists{{.components = {0, 1}, .alone = false}, {.components = {2, 3}, .alone = false}}));
}

TEST_F(ArrangementTest, CardsOfEqualUseStandTogetherWhicheverTheyAre) {
  const NodeDevices node = cards("n", 3);
  EXPECT_TRUE(arrangement(node).as_it_is());
  world.usage.hold(node.devices[2].id);  // of the second card
  EXPECT_EQ(arrangement(node).component, (Order{0, 2, 1}));
  world.usage.hold(node.devices[0].id);
  EXPECT_EQ(arrangement(node).component, (Order{2, 0, 1}));
}

TEST_F(ArrangementTest, OfCardsOfEqualUseAsManyStayAsTheClaimsCanTouch) {
  const NodeDevices node = cards("n", 4);
  EXPECT_EQ(arrangement(node, 1).left_out, (LeftOut{false, true, true, true}));
  EXPECT_EQ(arrangement(node, 3).left_out, (LeftOut{false, false, false, true}));
  EXPECT_TRUE(arrangement(node, 4).as_it_is());
  world.usage.hold(node.devices[0].id);
  world.usage.hold(node.devices[4].id);
  // Two free cards and two of which the first half is taken: one of each.
  const Arrangement one = arrangement(node, 1);
  EXPECT_EQ(one.component, (Order{1, 0, 3, 2}));
  EXPECT_EQ(one.left_out, (LeftOut{false, false, true, true}));
}

// How many devices are free beside a device decides which is preferred.
TEST_F(ArrangementTest, CardsThatShareARootAllStay) {
  world.catalogue.attributes.intern("d/root");
  const NodeDevices node = cards("n", 2, "shared");
  std::vector<std::uint32_t> use;
  states.describe(node, world.usage, use);
  Arrangement result;
  arrange(equals(node, claim("d/root")), use, states, 1, result);
  EXPECT_TRUE(result.as_it_is());
}

TEST_F(ArrangementTest, MostDevicesIsTheSumOfTheLargestAlternatives) {
  Claim two;
  two.requests.push_back({.prioritized = true, .alternatives = {Alternative{.count = 1}, Alternative{.count = 4}}});
  two.requests.push_back({.prioritized = false, .alternatives = {Alternative{.count = 2}}});
  EXPECT_EQ(most_devices(std::array<const Claim*, 1>{&two}), 6U);
  two.requests[1].alternatives[0].mode = Alternative::Mode::kAll;
  EXPECT_EQ(most_devices(std::array<const Claim*, 1>{&two}), std::nullopt);
}

TEST_F(ArrangementTest, OnTheArrangedNodeDevicesKeepTheirCounters) {
  const NodeDevices node = cards("n", 2);
  std::vector<std::uint32_t> places;
  const NodeDevices other = arranged(node, {.component = {1, 0}, .left_out = {}}, places);
  EXPECT_EQ(places, (Order{0, 1, 2, 3}));
  EXPECT_EQ(other.devices[0].id, node.devices[2].id);
  EXPECT_EQ(other.devices[0].counters, node.devices[2].counters);
  EXPECT_EQ(other.devices[0].component, 0U);
  EXPECT_EQ(other.components[0].counters, node.components[1].counters);
}

TEST_F(ArrangementTest, WhatIsLeftOutIsNotThere) {
  const NodeDevices node = cards("n", 3);
  std::vector<std::uint32_t> places;
  const NodeDevices other = arranged(node, {.component = {2, 0, 1}, .left_out = {false, true, false}}, places);
  EXPECT_EQ(places, (Order{0, 1, 4, 5}));
  ASSERT_EQ(other.components.size(), 2U);
  EXPECT_EQ(other.components[1].members, (Order{2, 3}));
  EXPECT_EQ(other.pools[0].device_count, 4U);
  EXPECT_EQ(other.devices[0].id, node.devices[4].id);
  EXPECT_EQ(other.devices[3].id, node.devices[3].id);
  EXPECT_EQ(other.devices[3].component, 1U);
  EXPECT_EQ(other.devices[3].member, 1U);
}

TEST_F(ArrangementTest, WhatIsAllocatedIsCarriedOver) {
  const NodeDevices node = cards("n", 2);
  ClaimAllocation claim;
  claim.devices = {{.request = 0, .placed = 0}, {.request = 0, .placed = 3}};
  const auto carried = carried_over({claim}, node, {.component = {1, 0}, .left_out = {}});
  ASSERT_EQ(carried[0].devices.size(), 2U);
  EXPECT_EQ(carried[0].devices[0].device, node.devices[1].id) << "in the order of the node";
  EXPECT_EQ(carried[0].devices[1].device, node.devices[2].id);
}

TEST_F(ArrangementTest, SharesThatWereGivenBackLeaveNoTrace) {
  const NodeDevices node = cards("n", 2);
  const CapacityId memory = world.catalogue.capacities.intern("memory");
  const std::vector<CapacityRequest> some = {{.name = memory, .amount = 5}};
  world.usage.add_share(node.devices[0].id, some);
  world.usage.add_share(node.devices[0].id, some);
  world.usage.remove_share(node.devices[0].id, some);
  EXPECT_EQ(arrangement(node).component, (Order{1, 0}));
  world.usage.remove_share(node.devices[0].id, some);
  EXPECT_TRUE(arrangement(node).as_it_is());
}

}  // namespace
}  // namespace berth::engine::devices
