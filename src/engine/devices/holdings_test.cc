#include "engine/devices/holdings.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

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
  std::vector<ClaimUse> one;
  std::vector<NameId> granted;
  std::vector<ReleasedGrant> released;

  Catalogue& catalogue() { return names.devices(); }
  NameId name(const std::string& text) { return names.names.intern(text); }

  void add_node(int cards) {
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
    holdings.set_slice(sets);
    holdings.set_slice(slice);
    holdings.reset_node(NodeId{nodes.size()}, node);
    nodes.push_back(std::move(node));
    if (!one.empty()) return;
    Claim any;
    any.requests.push_back({.prioritized = false, .alternatives = {Alternative{}}});
    one = {{.spec = catalogue().claims.intern(std::move(any)), .shared = {}, .resource = {}}};
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

}  // namespace
}  // namespace berth::engine::devices
