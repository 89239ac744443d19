#include "engine/devices/allocator.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "engine/devices/test_world.h"

namespace berth::engine::devices {
namespace {

using Texts = std::vector<std::string>;

class AllocatorTest : public ::testing::Test {
 protected:
  TestWorld world;
  Features features;
  std::vector<Claim> claims;

  // A selector by name; answers are given for every kind that has the attribute driver/NAME, by its value.
  SelectorId has(const std::string& attribute, const std::string& value) { return has_any(attribute, {value}); }
  SelectorId has_any(const std::string& attribute, const std::vector<std::string>& values) {
    const SelectorId id{next_selector_++};
    const AttributeId name = world.catalogue.attributes.intern(attribute);
    for (std::uint32_t kind = 0; kind < world.catalogue.kinds.size(); ++kind) {
      const bool yes = std::ranges::any_of(values, [&](const std::string& value) {
        return world.catalogue.attribute(KindId{kind}, name) == world.catalogue.scalar(AtomType::kString, value);
      });
      world.answers.set(id, KindId{kind}, {.kind = yes ? SelectorAnswer::Kind::kYes : SelectorAnswer::Kind::kNo});
    }
    return id;
  }

  static Alternative exactly(std::vector<SelectorId> selectors, std::int64_t count = 1) {
    Alternative result;
    result.selectors = std::move(selectors);
    result.count = count;
    return result;
  }
  static Request request(Alternative alternative) {
    return {.prioritized = false, .alternatives = {std::move(alternative)}};
  }
  static Claim claim(std::vector<Request> requests) { return {.requests = std::move(requests), .constraints = {}}; }

  Answer ask(Mode mode) {
    node_ = world.inventory.on(world.node("n1"), features);
    std::vector<const Claim*> pointers;
    for (const Claim& one : claims) pointers.push_back(&one);
    return allocate({.catalogue = &world.catalogue,
                     .node = &node_,
                     .claims = pointers,
                     .usage = &world.usage,
                     .selectors = &world.answers,
                     .features = features,
                     .mode = mode});
  }
  // The devices of all claims: "request:device".
  Texts devices(Mode mode) {
    Texts result;
    for (const ClaimAllocation& allocation : ask(mode).claims) {
      for (const DeviceAllocation& device : allocation.devices) {
        result.push_back(std::to_string(device.request) + ":" +
                         std::string(world.names.names.text(world.inventory.key(device.device).device)));
      }
    }
    return result;
  }
  Outcome outcome(Mode mode) { return ask(mode).outcome; }
  // Devices d0.. of so much memory, of which shares take so much; each of its own kind by the letter.
  void add_shared(std::int64_t memory, const std::vector<std::int64_t>& used, const std::string& letters) {
    std::vector<DeviceInput> devices;
    for (std::size_t i = 0; i < used.size(); ++i) {
      const std::string name = "d" + std::to_string(i);
      devices.push_back(
          world.device(name, world.kind("gpu", {{"gpu/t", std::string(1, letters[i])}}, {{"memory", memory}}, true)));
      if (used[i] == 0) continue;
      const std::vector<CapacityRequest> taken = {memory_of(used[i])};
      world.usage.add_share(world.inventory.device(world.name("gpu"), world.name("n1"), world.name(name)), taken);
    }
    world.inventory.set(world.slice("s", "gpu", "n1", world.on_node("n1"), std::move(devices)));
  }
  CapacityRequest memory_of(std::int64_t amount) {
    return {.name = world.catalogue.capacities.intern("memory"), .amount = TestWorld::units(amount)};
  }
  // A share each of so much memory.
  std::vector<Request> shares_of(const std::vector<std::int64_t>& amounts,
                                 const std::vector<SelectorId>& selectors = {}) {
    std::vector<Request> result;
    for (const std::int64_t amount : amounts) {
      Alternative share = exactly(selectors);
      share.capacities = {memory_of(amount)};
      result.push_back(request(share));
    }
    return result;
  }
  // Of the slower mode.
  std::uint64_t steps_of_a_no() {
    EXPECT_EQ(outcome(Mode::kBest), Outcome::kDoesNotFit);
    EXPECT_EQ(outcome(Mode::kStrict), Outcome::kDoesNotFit);
    return std::max(ask(Mode::kBest).steps, ask(Mode::kStrict).steps);
  }

  // Cards g0.. of eight memory slices with 1g, 2g, 3g, 4g and 7g placements.
  void add_cards(int cards) {
    SliceInput sets = world.slice("sets", "gpu", "n1", world.on_node("n1"), {}, 2);
    std::vector<DeviceInput> devices;
    struct Profile {
      const char* name;
      std::int64_t size;
      std::vector<std::int64_t> starts;
    };
    const std::vector<Profile> profiles{
        {"1g", 1, {0, 1, 2, 3, 4, 5, 6}}, {"2g", 2, {0, 2, 4}}, {"3g", 4, {0, 4}}, {"4g", 4, {0}}, {"7g", 8, {0}}};
    for (int g = 0; g < cards; ++g) {
      const std::string card = "g" + std::to_string(g);
      std::vector<std::pair<std::string, std::int64_t>> all;
      for (int i = 0; i < 8; ++i) all.emplace_back("ms" + std::to_string(i), 1);
      sets.counter_sets.push_back(world.counters(card, all));
      for (const Profile& profile : profiles) {
        const KindId kind = world.kind("gpu", {{"gpu/profile", profile.name}, {"gpu/card", card}, {"gpu/type", "mig"}});
        for (const std::int64_t start : profile.starts) {
          const std::vector<std::pair<std::string, std::int64_t>> used(all.begin() + start,
                                                                       all.begin() + start + profile.size);
          devices.push_back(world.device(card + "-" + profile.name + "-" + std::to_string(start), kind,
                                         {world.counters(card, used)}));
        }
      }
    }
    world.inventory.set(std::move(sets));
    world.inventory.set(world.slice("devices", "gpu", "n1", world.on_node("n1"), std::move(devices), 2));
  }
  // Cards c0.. of so much memory each, with as many devices of each size as they have room for.
  void add_boxes(const std::vector<std::int64_t>& memories, const std::vector<std::int64_t>& sizes) {
    SliceInput sets = world.slice("sets", "gpu", "n1", world.on_node("n1"), {}, 2);
    std::vector<DeviceInput> devices;
    for (std::size_t c = 0; c < memories.size(); ++c) {
      const std::string card = "c" + std::to_string(c);
      sets.counter_sets.push_back(world.counters(card, {{"memory", memories[c]}}));
      for (const std::int64_t size : sizes) {
        const KindId kind = world.kind("gpu", {{"gpu/size", std::to_string(size)}, {"gpu/card", card}});
        for (std::int64_t i = 0; i < memories[c] / size; ++i)
          devices.push_back(world.device(card + "-" + std::to_string(size) + "-" + std::to_string(i), kind,
                                         {world.counters(card, {{"memory", size}})}));
      }
    }
    world.inventory.set(std::move(sets));
    world.inventory.set(world.slice("devices", "gpu", "n1", world.on_node("n1"), std::move(devices), 2));
  }
  // A device each of one of these sizes.
  std::vector<Request> of_sizes(const std::vector<std::vector<std::string>>& sizes) {
    std::vector<Request> result;
    for (const std::vector<std::string>& any : sizes) result.push_back(request(exactly({has_any("gpu/size", any)})));
    return result;
  }
  void add_whole(int count, const std::string& root_of_each = "") {
    std::vector<DeviceInput> devices;
    for (int i = 0; i < count; ++i) {
      const std::string root = root_of_each.empty() ? "r" : std::string(1, root_of_each[static_cast<std::size_t>(i)]);
      devices.push_back(
          world.device("d" + std::to_string(i), world.kind("gpu", {{"gpu/type", "gpu"}, {"gpu/root", root}})));
    }
    world.inventory.set(world.slice("s", "gpu", "n1", world.on_node("n1"), std::move(devices)));
  }
  Constraint constraint(Constraint::Kind kind, const std::string& attribute) {
    return {
        .kind = kind, .attribute = world.catalogue.attributes.intern(attribute), .all_requests = true, .targets = {}};
  }

 private:
  NodeDevices node_;
  std::uint32_t next_selector_ = 0;
};

TEST_F(AllocatorTest, StrictTakesTheFirstDevicesInOrder) {
  add_whole(4);
  claims = {claim({request(exactly({has("gpu/type", "gpu")}, 2))}),
            claim({request(exactly({has("gpu/type", "gpu")}))})};
  EXPECT_EQ(devices(Mode::kStrict), (Texts{"0:d0", "0:d1", "0:d2"}));
}

TEST_F(AllocatorTest, BestKeepsTheLargestPlacements) {
  add_cards(1);
  claims = {claim({request(exactly({has("gpu/profile", "1g")}))})};
  EXPECT_EQ(devices(Mode::kStrict), (Texts{"0:g0-1g-0"}));
  EXPECT_EQ(devices(Mode::kBest), (Texts{"0:g0-1g-6"}));
}

TEST_F(AllocatorTest, BestBreaksABrokenCardBeforeAWholeOne) {
  add_cards(3);
  world.usage.hold(world.inventory.device(world.name("gpu"), world.name("n1"), world.name("g1-1g-6")));
  claims = {claim({request(exactly({has("gpu/profile", "1g")}, 2))})};
  for (const std::string& device : devices(Mode::kBest)) EXPECT_EQ(device.substr(2, 3), "g1-");
}

TEST_F(AllocatorTest, ClaimsOfAPodAreDecidedTogether) {
  add_cards(1);
  claims = {claim({request(exactly({has("gpu/profile", "3g")}))}),
            claim({request(exactly({has("gpu/profile", "4g")}))})};
  EXPECT_EQ(devices(Mode::kStrict), (Texts{"0:g0-3g-4", "0:g0-4g-0"}));
  EXPECT_EQ(devices(Mode::kBest), (Texts{"0:g0-3g-4", "0:g0-4g-0"}));
}

TEST_F(AllocatorTest, MatchAttributeFindsTheOnlyGroupThatIsLargeEnough) {
  add_whole(9, "aabbbbccc");
  claims = {claim({request(exactly({has("gpu/type", "gpu")}, 4))})};
  claims[0].constraints = {constraint(Constraint::Kind::kMatch, "gpu/root")};
  const Texts expected{"0:d2", "0:d3", "0:d4", "0:d5"};
  EXPECT_EQ(devices(Mode::kStrict), expected);
  EXPECT_EQ(devices(Mode::kBest), expected);
  claims[0].requests[0].alternatives[0].count = 5;
  EXPECT_EQ(outcome(Mode::kStrict), Outcome::kDoesNotFit);
  EXPECT_EQ(outcome(Mode::kBest), Outcome::kDoesNotFit);
}

TEST_F(AllocatorTest, DistinctAttributeComparesEveryPair) {
  add_whole(3, "aba");
  claims = {claim({request(exactly({has("gpu/type", "gpu")}, 3))})};
  claims[0].constraints = {constraint(Constraint::Kind::kDistinct, "gpu/root")};
  EXPECT_EQ(outcome(Mode::kStrict), Outcome::kDoesNotFit);
  EXPECT_EQ(outcome(Mode::kBest), Outcome::kDoesNotFit);
}

TEST_F(AllocatorTest, ANoOverEqualDevicesTakesFewSteps) {
  add_whole(32);
  const SelectorId gpu = has("gpu/type", "gpu");
  claims = {claim({request(exactly({gpu}, 16)), request(exactly({has("gpu/type", "none")}))})};
  EXPECT_EQ(outcome(Mode::kBest), Outcome::kDoesNotFit);
  EXPECT_LE(ask(Mode::kBest).steps, 100U);
}

TEST_F(AllocatorTest, TheFirstAlternativeThatFitsIsTaken) {
  add_whole(3);
  const SelectorId gpu = has("gpu/type", "gpu");
  Request choice{.prioritized = true, .alternatives = {exactly({gpu}, 4), exactly({gpu}, 2), exactly({gpu}, 1)}};
  claims = {claim({choice, request(exactly({gpu}))})};
  EXPECT_EQ(devices(Mode::kStrict), (Texts{"0:d0", "0:d1", "1:d2"}));
  EXPECT_EQ(ask(Mode::kBest).claims[0].chosen, (std::vector<std::uint32_t>{1, 0}));
}

TEST_F(AllocatorTest, AllTakesEveryDeviceOrNone) {
  add_whole(3);
  Alternative all = exactly({has("gpu/type", "gpu")});
  all.mode = Alternative::Mode::kAll;
  claims = {claim({request(all)})};
  for (const Mode mode : {Mode::kStrict, Mode::kBest}) EXPECT_EQ(devices(mode).size(), 3U);
  world.usage.hold(world.inventory.device(world.name("gpu"), world.name("n1"), world.name("d1")));
  for (const Mode mode : {Mode::kStrict, Mode::kBest}) EXPECT_EQ(outcome(mode), Outcome::kDoesNotFit);
}

TEST_F(AllocatorTest, AllIsBlockedByAnUnfinishedPoolOfTheSameKindOnly) {
  add_whole(2);
  const KindId nic = world.kind("nic", {{"nic/type", "nic"}});
  world.inventory.set(world.slice("nics", "nic", "n1", world.on_node("n1"), {world.device("x", nic)}, 2));
  Alternative all = exactly({has("gpu/type", "gpu")});
  all.mode = Alternative::Mode::kAll;
  claims = {claim({request(all)})};
  EXPECT_EQ(ask(Mode::kStrict).failure.problem, Problem::kAllWithIncompletePool);
  EXPECT_EQ(outcome(Mode::kBest), Outcome::kAllocated);
  claims[0].requests[0].alternatives[0].selectors = {has("nic/type", "nic")};
  EXPECT_EQ(outcome(Mode::kBest), Outcome::kDoesNotFit);
}

TEST_F(AllocatorTest, AFailingSelectorEndsStrictModeAndDisqualifiesOneDeviceInBestMode) {
  add_whole(2, "ab");
  const SelectorId gpu = has("gpu/type", "gpu");
  world.answers.set(gpu, world.kind("gpu", {{"gpu/type", "gpu"}, {"gpu/root", "a"}}),
                    {.kind = SelectorAnswer::Kind::kError, .error = SelectorErrorId{7U}});
  claims = {claim({request(exactly({gpu}))})};
  const Answer strict = ask(Mode::kStrict);
  EXPECT_EQ(strict.outcome, Outcome::kError);
  EXPECT_EQ(strict.failure.selector_error, SelectorErrorId{7U});
  EXPECT_EQ(devices(Mode::kBest), (Texts{"0:d1"}));
  EXPECT_EQ(ask(Mode::kBest).faults.size(), 1U);
}

TEST_F(AllocatorTest, AdminAccessNeedsNeitherAFreeDeviceNorCountersInBestMode) {
  add_cards(1);
  world.usage.hold(world.inventory.device(world.name("gpu"), world.name("n1"), world.name("g0-7g-0")));
  Alternative look = exactly({has("gpu/profile", "7g")});
  look.admin_access = true;
  claims = {claim({request(look)})};
  EXPECT_EQ(outcome(Mode::kStrict), Outcome::kDoesNotFit);
  EXPECT_EQ(devices(Mode::kBest), (Texts{"0:g0-7g-0"}));
}

TEST_F(AllocatorTest, SharesOfOneDeviceAreFilledBeforeAnotherIsOpened) {
  const KindId kind = world.kind("gpu", {{"gpu/type", "gpu"}}, {{"memory", 10}}, true);
  world.inventory.set(
      world.slice("s", "gpu", "n1", world.on_node("n1"), {world.device("a", kind), world.device("b", kind)}));
  const DeviceId b = world.inventory.device(world.name("gpu"), world.name("n1"), world.name("b"));
  const std::vector<CapacityRequest> four{
      {.name = world.catalogue.capacities.intern("memory"), .amount = TestWorld::units(4)}};
  world.usage.add_share(b, four);
  Alternative share = exactly({has("gpu/type", "gpu")});
  share.capacities = four;
  claims = {claim({request(share)})};
  EXPECT_EQ(devices(Mode::kStrict), (Texts{"0:a"}));
  EXPECT_EQ(devices(Mode::kBest), (Texts{"0:b"}));
  const Answer answer = ask(Mode::kBest);
  EXPECT_TRUE(answer.claims[0].devices[0].shared);
  apply(answer.claims[0], world.usage);
  EXPECT_EQ(devices(Mode::kBest), (Texts{"0:a"}));  // 2 of b are left
  revert(answer.claims[0], world.usage);
  EXPECT_EQ(devices(Mode::kBest), (Texts{"0:b"}));
}

TEST_F(AllocatorTest, ADeviceThatCanBeSharedServesARequestOnce) {
  const KindId kind = world.kind("gpu", {{"gpu/type", "gpu"}}, {{"memory", 10}}, true);
  world.inventory.set(world.slice("s", "gpu", "n1", world.on_node("n1"), {world.device("a", kind)}));
  Alternative two = exactly({has("gpu/type", "gpu")}, 2);
  two.capacities = {{.name = world.catalogue.capacities.intern("memory"), .amount = TestWorld::units(1)}};
  claims = {claim({request(two)})};
  for (const Mode mode : {Mode::kStrict, Mode::kBest}) EXPECT_EQ(outcome(mode), Outcome::kDoesNotFit);
  two.count = 1;
  claims = {claim({request(two), request(two)})};
  for (const Mode mode : {Mode::kStrict, Mode::kBest}) EXPECT_EQ(outcome(mode), Outcome::kAllocated);
}

// Each of the devices in use has room for one of the shares. Nine requests for eight such devices were 9! ways to the
// same no, and the limit.
TEST_F(AllocatorTest, MoreSharesThanFitOnDevicesInUseTakeNoSearch) {
  for (const int count : {8, 12, 31}) {
    add_shared(10, std::vector<std::int64_t>(static_cast<std::size_t>(count), 1),
               std::string(static_cast<std::size_t>(count), 'a'));
    claims = {claim(shares_of(std::vector<std::int64_t>(static_cast<std::size_t>(count) + 1, 6)))};
    EXPECT_LE(steps_of_a_no(), 4'000U) << count;
    claims[0].requests.pop_back();
    EXPECT_EQ(outcome(Mode::kBest), Outcome::kAllocated) << count;
    EXPECT_EQ(outcome(Mode::kStrict), Outcome::kAllocated) << count;
    world.usage = Usage{};
  }
}

// Upstream needs 876,845 looks at devices to find that the first request has to have the last device.
TEST_F(AllocatorTest, StrictModeFindsTheOnlyWayOverSharesInUse) {
  add_shared(10, {1, 1, 1, 1, 1, 1, 1, 1, 0}, "aaaaaaaab");
  std::vector<Request> requests = shares_of({6});
  for (const Request& one : shares_of({6, 6, 6, 6, 6, 6, 6, 6}, {has("gpu/t", "a")})) requests.push_back(one);
  claims = {claim(requests)};
  const Texts expected{"0:d8", "1:d0", "2:d1", "3:d2", "4:d3", "5:d4", "6:d5", "7:d6", "8:d7"};
  EXPECT_EQ(devices(Mode::kStrict), expected);
  EXPECT_LE(ask(Mode::kStrict).steps, 20'000U);
  EXPECT_EQ(outcome(Mode::kBest), Outcome::kAllocated);
}

TEST_F(AllocatorTest, SharesThatAreTooMuchInSumTakeNoSearch) {
  add_shared(10, {0, 0, 0, 0}, "abcd");
  claims = {claim(shares_of({6, 6, 6, 6, 4, 4, 4, 4, 1}))};
  EXPECT_LE(steps_of_a_no(), 4'000U) << "41 of 40";
  add_shared(10, {1, 2, 3, 0}, "abcd");
  claims = {claim(shares_of({1, 1, 1, 1, 6, 6, 6, 6, 6}))};
  EXPECT_LE(steps_of_a_no(), 4'000U) << "five large ones for four devices, and small ones that fit anywhere";
}

// A device has room for two fours, or two threes and a four: with five threes for nine fours in all. No bound sees it.
TEST_F(AllocatorTest, SharesAreTheSameStateWhoeverHasThem) {
  for (const char* letters : {"aaaaaa", "abcdef"}) {
    add_shared(10, {0, 0, 0, 0, 0, 0}, letters);
    claims = {claim(shares_of({4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 3, 3, 3, 3, 3}))};
    EXPECT_LE(steps_of_a_no(), 20'000U) << letters;
    claims[0].requests.erase(claims[0].requests.begin());
    EXPECT_EQ(outcome(Mode::kBest), Outcome::kAllocated) << letters;
    EXPECT_EQ(outcome(Mode::kStrict), Outcome::kAllocated) << letters;
  }
}

TEST_F(AllocatorTest, AnAlternativeThatFailedDoesNotSpoilTheNext) {
  add_whole(3, "abc");
  const SelectorId gpu = has("gpu/type", "gpu");
  const Request choice{.prioritized = true, .alternatives = {exactly({gpu}, 3), exactly({gpu}, 2), exactly({gpu}, 1)}};
  claims = {claim({choice, choice, request(exactly({gpu}))})};
  EXPECT_EQ(ask(Mode::kBest).claims.at(0).chosen, (std::vector<std::uint32_t>{2, 2, 0}));
  EXPECT_EQ(ask(Mode::kStrict).claims.at(0).chosen, (std::vector<std::uint32_t>{2, 2, 0}));
}

TEST_F(AllocatorTest, StrictModeIsFastWhereUpstreamCountsAllCombinations) {
  add_whole(32, "abcdefghijklmnopabcdefghijklmnop");
  const SelectorId gpu = has("gpu/type", "gpu");
  claims = {claim({request(exactly({gpu}, 16)), request(exactly({gpu}, 16))}), claim({request(exactly({gpu}))})};
  const Answer no = ask(Mode::kStrict);
  EXPECT_EQ(no.outcome, Outcome::kDoesNotFit);
  EXPECT_LE(no.steps, 10'000U);
  claims = {claim({request(exactly({gpu}, 8)), request(exactly({has("gpu/root", "a")}, 2))})};
  const Answer yes = ask(Mode::kStrict);
  EXPECT_EQ(yes.outcome, Outcome::kAllocated);
  EXPECT_LE(yes.steps, 20'000U);
}

// Eight roots of three devices; each of nine wants two of one root.
TEST_F(AllocatorTest, MorePairsOfOneRootThanRootsTakeNoSearch) {
  add_whole(24, "abcdefghabcdefghabcdefgh");
  for (const bool one_claim : {true, false}) {
    claims.clear();
    if (one_claim) claims.push_back(claim({}));
    for (std::uint32_t i = 0; i < 9; ++i) {
      if (!one_claim) claims.push_back(claim({}));
      claims.back().requests.push_back(request(exactly({has("gpu/type", "gpu")}, 2)));
      Constraint& same = claims.back().constraints.emplace_back(constraint(Constraint::Kind::kMatch, "gpu/root"));
      same.all_requests = false;
      same.targets = {{.request = one_claim ? i : 0, .alternative = {}}};
    }
    EXPECT_LE(steps_of_a_no(), 10'000U) << one_claim;
    if (one_claim) {
      claims[0].requests.pop_back();
      claims[0].constraints.pop_back();
    } else {
      claims.pop_back();
    }
    EXPECT_EQ(outcome(Mode::kBest), Outcome::kAllocated);
    EXPECT_EQ(outcome(Mode::kStrict), Outcome::kAllocated);
  }
}

TEST_F(AllocatorTest, MoreChoicesThanDevicesTakeNoSearch) {
  add_whole(11, "abcdefghijk");
  const SelectorId gpu = has("gpu/type", "gpu");
  const Request choice{.prioritized = true, .alternatives = {exactly({gpu}, 2), exactly({gpu}), exactly({gpu})}};
  claims = {claim(std::vector<Request>(12, choice))};
  EXPECT_LE(steps_of_a_no(), 10'000U);
}

TEST_F(AllocatorTest, ANoOverMoreClaimsThanDevicesTakesNoSearch) {
  add_whole(32, "abcabcabcabcabcabcabcabcabcabcab");
  for (int i = 0; i < 17; ++i) {
    claims.push_back(claim({request(exactly({has("gpu/type", "gpu")}, 2))}));
    claims.back().constraints = {constraint(Constraint::Kind::kMatch, "gpu/root")};
  }
  EXPECT_EQ(outcome(Mode::kBest), Outcome::kDoesNotFit);
  EXPECT_LE(ask(Mode::kBest).steps, 100U);
  EXPECT_EQ(outcome(Mode::kStrict), Outcome::kDoesNotFit);
  EXPECT_LE(ask(Mode::kStrict).steps, 10'000U);
}

// 30 devices of different sizes of which nine do not fit on the card, whichever they are.
TEST_F(AllocatorTest, ANoForWantOfCountersTakesNoSearch) {
  const KindId kind = world.kind("gpu", {{"gpu/type", "gpu"}});
  SliceInput sets = world.slice("sets", "gpu", "n1", world.on_node("n1"), {}, 2);
  sets.counter_sets = {world.counters("card", {{"memory", 1001}, {"engines", 777}})};
  world.inventory.set(std::move(sets));
  std::vector<DeviceInput> devices;
  for (int i = 0; i < 30; ++i) {
    devices.push_back(world.device("d" + std::to_string(i), kind,
                                   {world.counters("card", {{"memory", 112 + 7 * i % 50}, {"engines", 50 + i}})}));
  }
  world.inventory.set(world.slice("devices", "gpu", "n1", world.on_node("n1"), std::move(devices), 2));
  claims = {claim({request(exactly({has("gpu/type", "gpu")}, 9))})};
  EXPECT_EQ(outcome(Mode::kBest), Outcome::kDoesNotFit);
  EXPECT_LE(ask(Mode::kBest).steps, 10U);
  EXPECT_EQ(outcome(Mode::kStrict), Outcome::kDoesNotFit);
  EXPECT_LE(ask(Mode::kStrict).steps, 10'000U);
  claims = {claim({request(exactly({has("gpu/type", "gpu")}, 8))})};
  EXPECT_EQ(outcome(Mode::kBest), Outcome::kAllocated);
}

// Upstream looks at all counters of the pool for each of its devices; that of 1.34, where each slice has counters of
// its own, at those of the slice.
TEST_F(AllocatorTest, StrictModeIsBlockedByOvercommittedCountersOfTheSliceAloneWhereTheyLieThere) {
  const auto card = [&](const std::string& name, bool own) {
    const std::string set = own ? "card" : name;
    const CounterSet counters = world.counters(set, {{"memory", 8}});
    SliceInput devices = world.slice(name, "gpu", "n1", world.on_node("n1"),
                                     {world.device(name + "-large", world.kind("gpu", {{"gpu/size", "large"}}),
                                                   {world.counters(set, {{"memory", 8}})}),
                                      world.device(name + "-small", world.kind("gpu", {{"gpu/size", "small"}}),
                                                   {world.counters(set, {{"memory", 1}})})},
                                     own ? 2 : 3);
    if (own) devices.counter_sets = {counters};
    return std::pair(devices, counters);
  };
  const auto hold = [&](const char* device) {
    world.usage.hold(world.inventory.device(world.name("gpu"), world.name("n1"), world.name(device)));
  };
  for (const bool own : {true, false}) {
    const auto [a, counters_of_a] = card("a", own);
    const auto [b, counters_of_b] = card("b", own);
    world.inventory.set(a);
    world.inventory.set(b);
    if (!own) {
      SliceInput sets = world.slice("sets", "gpu", "n1", world.on_node("n1"), {}, 3);
      sets.counter_sets = {counters_of_a, counters_of_b};
      world.inventory.set(sets);
    } else {
      hold("a-large");
      hold("a-small");
    }
    claims = {claim({request(exactly({has("gpu/size", "small")}))})};
    EXPECT_EQ(devices(Mode::kStrict), own ? Texts{"0:b-small"} : Texts{});
    EXPECT_EQ(devices(Mode::kBest), Texts{"0:b-small"});
  }
}

TEST_F(AllocatorTest, MoreRequestsThanDistinctValuesTakeNoSearch) {
  std::string roots;
  for (int i = 0; i < 120; ++i) roots += static_cast<char>('a' + i % 15);
  add_whole(120, roots);
  std::vector<Request> requests;
  for (int i = 0; i < 16; ++i) requests.push_back(request(exactly({has("gpu/type", "gpu")})));
  claims = {claim(requests)};
  claims[0].constraints = {constraint(Constraint::Kind::kDistinct, "gpu/root")};
  EXPECT_LE(steps_of_a_no(), 4'000U);
  claims[0].requests.pop_back();
  EXPECT_EQ(outcome(Mode::kBest), Outcome::kAllocated);
}

TEST_F(AllocatorTest, MorePartitionsThanCardsHaveRoomForInSumTakeNoSearch) {
  add_cards(4);
  const SelectorId any = has("gpu/type", "mig");
  claims = {claim({request(exactly({any}, 15))}), claim({request(exactly({any}, 14))})};
  EXPECT_LE(steps_of_a_no(), 4'000U) << "29 of 28";
  std::vector<Request> mixed;
  for (int i = 0; i < 5; ++i) {
    for (const char* profile : {"3g", "2g", "1g"}) mixed.push_back(request(exactly({has("gpu/profile", profile)})));
    mixed.push_back(request(exactly({has("gpu/profile", "1g")})));
  }
  claims = {claim(mixed)};
  EXPECT_LE(steps_of_a_no(), 4'000U) << "40 slices of 32";
}

// Seven cards of eight get one large part each, and the last one has no room for three halves: 8,100 steps where each
// card is tried.
TEST_F(AllocatorTest, WhatDoesNotFitIntoEqualCardsIsTriedOnOne) {
  add_boxes(std::vector<std::int64_t>(8, 10), {7, 6, 5, 3});
  claims = {claim(of_sizes({{"5"}, {"5"}, {"5"}, {"3"}, {"7"}, {"6"}, {"7"}, {"6"}, {"7"}, {"6"}, {"7"}}))};
  EXPECT_EQ(outcome(Mode::kBest), Outcome::kDoesNotFit);
  EXPECT_LE(ask(Mode::kBest).steps, 100U);
}

// Many ways lead to the same devices for other requests: 5,191 steps where each way is gone.
TEST_F(AllocatorTest, WhatFailedIsNotTriedAgainOnAnotherWay) {
  add_boxes({12, 14, 20, 15}, {4, 8, 9});
  claims = {claim(of_sizes({{"4", "8", "9"},
                            {"4", "8", "9"},
                            {"8", "9"},
                            {"4", "9"},
                            {"9"},
                            {"4", "8", "9"},
                            {"4", "8"},
                            {"8", "9"},
                            {"9"},
                            {"8"}}))};
  EXPECT_EQ(outcome(Mode::kBest), Outcome::kDoesNotFit);
  EXPECT_LE(ask(Mode::kBest).steps, 4'000U);
}

TEST_F(AllocatorTest, AlternativesThatCannotBeToldApartAreTriedOnce) {
  add_cards(4);
  const Alternative whole = exactly({has("gpu/profile", "7g")});
  const Alternative half = exactly({has("gpu/profile", "3g")});
  std::vector<Request> requests(9, Request{.prioritized = true, .alternatives = {whole, half}});
  claims = {claim(requests)};
  EXPECT_LE(steps_of_a_no(), 2'100U) << "nine of eight halves";
  claims[0].requests.pop_back();
  EXPECT_EQ(outcome(Mode::kBest), Outcome::kAllocated);
}

TEST_F(AllocatorTest, MoreClaimsOnOneCardEachThanCardsTakeNoSearch) {
  add_cards(4);
  std::vector<Request> requests;
  for (const char* profile : {"3g", "2g", "1g"}) requests.push_back(request(exactly({has("gpu/profile", profile)})));
  Claim one = claim(requests);
  one.constraints = {constraint(Constraint::Kind::kMatch, "gpu/card")};
  claims.assign(5, one);
  EXPECT_LE(steps_of_a_no(), 4'000U);
  claims.pop_back();
  EXPECT_EQ(outcome(Mode::kBest), Outcome::kAllocated);
}

TEST_F(AllocatorTest, GatesThatAreOffAreErrors) {
  add_whole(1);
  features.prioritized_list = false;
  features.admin_access = false;
  features.consumable_capacity = false;
  Alternative one = exactly({has("gpu/type", "gpu")});
  claims = {claim({{.prioritized = true, .alternatives = {one}}})};
  EXPECT_EQ(ask(Mode::kBest).failure.problem, Problem::kPrioritizedListOff);
  one.admin_access = false;
  claims = {claim({request(one)})};
  EXPECT_EQ(ask(Mode::kBest).failure.problem, Problem::kAdminAccessOff);
  one.admin_access.reset();
  one.capacities.emplace();
  claims = {claim({request(one)})};
  EXPECT_EQ(ask(Mode::kBest).failure.problem, Problem::kConsumableCapacityOff);
  claims = {claim({request(exactly({has("gpu/type", "gpu")}, 33))})};
  EXPECT_EQ(ask(Mode::kStrict).failure.problem, Problem::kTooManyDevices);
}

}  // namespace
}  // namespace berth::engine::devices
