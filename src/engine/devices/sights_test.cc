#include "engine/devices/sights.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "engine/devices/nearness.h"
#include "engine/devices/test_world.h"

namespace berth::engine::devices {
namespace {

class SightsTest : public ::testing::Test {
 protected:
  TestWorld world;
  Sights sights{world.catalogue};
  SelectorId selector = world.catalogue.selectors.intern("model == 'h100'");

  // A node of two devices, each with a UUID of its own, a model and a PCIe root.
  NodeDevices node(const std::string& name, const std::string& model, const std::string& root0,
                   const std::string& root1, std::int64_t memory = 80) {
    const auto kind = [&](const std::string& uuid, const std::string& root) {
      const KindId made =
          world.kind("d", {{"d/model", model}, {"d/uuid", uuid}, {"d/root", root}}, {{"memory", memory}});
      if (model == "h100") world.answers.set(selector, made, {.kind = SelectorAnswer::Kind::kYes, .error = {}});
      return made;
    };
    world.inventory.set(
        world.slice(name, "d", name, world.on_node(name),
                    {world.device("g0", kind(name + "-0", root0)), world.device("g1", kind(name + "-1", root1))}));
    return world.inventory.on(world.node(name), {});
  }
  ClaimSpecId claim(const char* match = nullptr) {
    Claim made;
    made.requests.push_back({.prioritized = false, .alternatives = {Alternative{}}});
    made.requests.front().alternatives.front().selectors = {selector};
    if (match != nullptr) {
      made.constraints.push_back({.kind = Constraint::Kind::kMatch,
                                  .attribute = world.catalogue.attributes.intern(match),
                                  .all_requests = true,
                                  .targets = {}});
    }
    return world.catalogue.claims.intern(std::move(made));
  }
  SightId of(ClaimSpecId spec, const NodeDevices& devices, std::uint32_t structure = 0) {
    NodeLook look;
    return sights.of(std::array{spec}, structure, devices, world.answers, look);
  }
};

TEST_F(SightsTest, NodesThatDifferInUuidsLookAlike) {
  EXPECT_EQ(of(claim(), node("n1", "h100", "a", "b")), of(claim(), node("n2", "h100", "c", "c")));
}

TEST_F(SightsTest, WhatASelectorSaysIsSeen) {
  EXPECT_NE(of(claim(), node("n1", "h100", "a", "b")), of(claim(), node("n2", "a100", "a", "b")));
}

TEST_F(SightsTest, CapacitiesAreSeen) {
  EXPECT_NE(of(claim(), node("n1", "h100", "a", "b")), of(claim(), node("n2", "h100", "a", "b", 40)));
}

TEST_F(SightsTest, HowANodeIsBuiltIsSeen) {
  const NodeDevices devices = node("n1", "h100", "a", "b");
  EXPECT_NE(of(claim(), devices, 0), of(claim(), devices, 1));
}

TEST_F(SightsTest, OfAnAttributeInAConstraintOnlyWhoAgreesIsSeen) {
  const ClaimSpecId pair = claim("d/root");
  const SightId apart = of(pair, node("n1", "h100", "a", "b"));
  EXPECT_EQ(apart, of(pair, node("n2", "h100", "c", "a")));
  EXPECT_NE(apart, of(pair, node("n3", "h100", "a", "a")));
}

TEST_F(SightsTest, ListsAreSeenAsTheyAre) {
  const auto with_list = [&](const char* name, const char* atom) {
    Kind kind{.driver = world.name("d"), .allow_multiple = false, .attributes = {}, .capacities = {}};
    kind.attributes.push_back({world.catalogue.attributes.intern("d/roots"),
                               world.catalogue.list({world.catalogue.atom(AtomType::kString, atom)})});
    const KindId id = world.catalogue.kinds.intern(std::move(kind));
    world.inventory.set(world.slice(name, "d", name, world.on_node(name), {world.device("g0", id)}));
    return world.inventory.on(world.node(name), {});
  };
  const ClaimSpecId pair = claim("d/roots");
  EXPECT_NE(of(pair, with_list("n1", "a")), of(pair, with_list("n2", "b")));
}

TEST_F(SightsTest, NearnessIsWhatConstraintsNameThenWhatIsPublished) {
  const Claim& pair = world.catalogue.claims.content(claim("d/root"));
  const std::array claims = {&pair};
  EXPECT_EQ(nearness(world.catalogue, claims), std::vector{world.catalogue.attributes.find("d/root")});
  const AttributeId numa = world.catalogue.attributes.intern("resource.kubernetes.io/numaNode");
  const AttributeId pcie = world.catalogue.attributes.intern("resource.kubernetes.io/pcieRoot");
  EXPECT_EQ(nearness(world.catalogue, {}), (std::vector{pcie, numa}));
}

TEST_F(SightsTest, WhereAStandardAttributeIsPublishedWhoAgreesIsSeen) {
  const auto at = [&](const char* name, const char* root1) {
    const auto kind = [&](const char* root) { return world.kind("d", {{"resource.kubernetes.io/pcieRoot", root}}); };
    world.inventory.set(world.slice(name, "d", name, world.on_node(name),
                                    {world.device("g0", kind("a")), world.device("g1", kind(root1))}));
    return world.inventory.on(world.node(name), {});
  };
  EXPECT_NE(of(claim(), at("n1", "a")), of(claim(), at("n2", "b")));
}

}  // namespace
}  // namespace berth::engine::devices
