#include "engine/devices/inventory.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "base/random.h"
#include "engine/devices/test_world.h"

namespace berth::engine::devices {
namespace {

using Names = std::vector<std::string>;

class InventoryTest : public ::testing::Test {
 protected:
  TestWorld world;
  KindId gpu = world.kind("gpu.example", {{"gpu.example/type", "gpu"}});
  DeviceInput device(const char* name, Consumption consumption = {}) {
    return world.device(name, gpu, std::move(consumption));
  }
  void set(SliceInput slice) { world.inventory.set(std::move(slice)); }
};

TEST_F(InventoryTest, PoolsByDriverAndNameSlicesByNameDevicesAsListed) {
  set(world.slice("s2", "gpu.example", "p1", world.on_node("n1"), {device("a")}, 2));
  set(world.slice("s1", "gpu.example", "p1", world.on_node("n1"), {device("z"), device("b")}, 2));
  set(world.slice("s3", "gpu.example", "p0", world.everywhere(), {device("c")}));
  set(world.slice("s4", "a.example", "p9", world.in_zone("a"), {device("d")}));
  set(world.slice("s5", "gpu.example", "other", world.on_node("n2"), {device("e")}));
  EXPECT_EQ(world.on("n1"), (Names{"p9/d", "p0/c", "p1/z", "p1/b", "p1/a"}));
}

TEST_F(InventoryTest, PoolsWithBindingConditionsComeLast) {
  DeviceInput bound = device("a");
  bound.binding = world.catalogue.bindings.intern({.conditions = {world.name("attached")}, .failure_conditions = {}});
  set(world.slice("s1", "gpu.example", "p1", world.on_node("n1"), {bound}));
  set(world.slice("s2", "gpu.example", "p2", world.on_node("n1"), {device("b")}));
  EXPECT_EQ(world.on("n1"), (Names{"p2/b", "p1/a"}));
}

TEST_F(InventoryTest, OnlyTheHighestGenerationCounts) {
  set(world.slice("old", "gpu.example", "p", world.on_node("n1"), {device("a")}, 1, 1));
  set(world.slice("new", "gpu.example", "p", world.on_node("n1"), {device("b")}, 1, 2));
  EXPECT_EQ(world.on("n1"), (Names{"p/b"}));
}

TEST_F(InventoryTest, APoolWhoseNewerGenerationLiesElsewhereIsObsolete) {
  set(world.slice("old", "gpu.example", "p", world.on_node("n1"), {device("a")}, 2, 1));
  set(world.slice("new", "gpu.example", "p", world.on_node("n2"), {device("b")}, 1, 2));
  EXPECT_TRUE(world.inventory.on(world.node("n1"), {}).pools.empty());
}

TEST_F(InventoryTest, AMissingSliceMakesThePoolIncomplete) {
  set(world.slice("s1", "gpu.example", "p", world.on_node("n1"), {device("a")}, 2));
  EXPECT_EQ(world.state("n1"), PoolState::kIncomplete);
  EXPECT_EQ(world.on("n1"), Names{});
  set(world.slice("s2", "gpu.example", "p", world.on_node("n2"), {device("b")}, 2));
  EXPECT_EQ(world.state("n1"), PoolState::kUsable);
  EXPECT_EQ(world.on("n1"), (Names{"p/a"}));
  world.inventory.remove(world.name("s2"));
  EXPECT_EQ(world.state("n1"), PoolState::kIncomplete);
}

TEST_F(InventoryTest, DuplicateNamesAndUnknownCountersMakeThePoolInvalid) {
  set(world.slice("s1", "gpu.example", "p", world.on_node("n1"), {device("a"), device("a")}));
  EXPECT_EQ(world.state("n1"), PoolState::kDuplicateDevice);

  SliceInput sets = world.slice("s2", "gpu.example", "p", world.on_node("n1"), {}, 2);
  sets.counter_sets = {world.counters("one", {{"memory", 8}})};
  set(sets);
  set(world.slice("s1", "gpu.example", "p", world.on_node("n1"),
                  {device("a", {world.counters("two", {{"memory", 1}})})}, 2));
  EXPECT_EQ(world.state("n1"), PoolState::kUnknownCounterSet);
  set(world.slice("s1", "gpu.example", "p", world.on_node("n1"), {device("a", {world.counters("one", {{"cores", 1}})})},
                  2));
  EXPECT_EQ(world.state("n1"), PoolState::kUnknownCounter);
  set(world.slice("s1", "gpu.example", "p", world.on_node("n1"),
                  {device("a", {world.counters("one", {{"memory", 1}})})}, 2));
  EXPECT_EQ(world.state("n1"), PoolState::kUsable);
  sets.counter_sets.push_back(sets.counter_sets.front());
  set(sets);
  EXPECT_EQ(world.state("n1"), PoolState::kDuplicateCounterSet);
}

// As NVIDIA's driver publishes cards in Kubernetes 1.34: a slice per card, with its counters.
TEST_F(InventoryTest, CountersOfASliceWithDevicesAreForTheseAlone) {
  const auto card = [&](const char* name, std::int64_t memory) {
    SliceInput slice =
        world.slice(name, "gpu.example", "p", world.on_node("n1"),
                    {device((std::string(name) + "-1").c_str(), {world.counters("one", {{"memory", 1}})}),
                     device((std::string(name) + "-2").c_str(), {world.counters("one", {{"memory", 2}})})},
                    2);
    slice.counter_sets = {world.counters("one", {{"memory", memory}})};
    return slice;
  };
  set(card("a", 8));
  set(card("b", 4));
  const NodeDevices devices = world.inventory.on(world.node("n1"), {});
  ASSERT_EQ(devices.pools.size(), 1U);
  EXPECT_EQ(devices.pools[0].state, PoolState::kUsable);
  EXPECT_EQ(*devices.pools[0].counters, (std::vector{TestWorld::units(8), TestWorld::units(4)}));
  ASSERT_EQ(devices.components.size(), 2U) << "one per card";
  EXPECT_EQ(devices.components[0].counters, (std::vector<std::uint32_t>{0}));
  EXPECT_EQ(devices.components[1].counters, (std::vector<std::uint32_t>{1}));
  EXPECT_NE(devices.components[0].shape, devices.components[1].shape);

  SliceInput wrong = card("b", 4);
  wrong.counter_sets = {world.counters("two", {{"memory", 4}})};
  set(wrong);
  EXPECT_EQ(world.state("n1"), PoolState::kUnknownCounterSet) << "the set of the other slice is not meant";
}

TEST_F(InventoryTest, WithoutPartitionsSlicesWithCounterSetsAreSkipped) {
  SliceInput sets = world.slice("s2", "gpu.example", "p", world.on_node("n1"), {}, 2);
  sets.counter_sets = {world.counters("one", {{"memory", 8}})};
  set(sets);
  set(world.slice("s1", "gpu.example", "p", world.on_node("n1"), {device("a")}, 2));
  EXPECT_EQ(world.on("n1", Features{.partitionable_devices = false}), (Names{"p/a"}));  // the skipped slice is counted
}

TEST_F(InventoryTest, DevicesWithTargetsOfTheirOwn) {
  SliceInput slice = world.slice("s1", "gpu.example", "p", {.kind = NodeTarget::Kind::kPerDevice},
                                 {device("a"), device("b"), device("c")});
  slice.per_device_selection_set = true;
  slice.device_targets = {world.on_node("n1"), world.in_zone("b"), world.everywhere()};
  set(slice);
  const NodeDevices devices = world.inventory.on(world.node("n1", "a"), {});
  ASSERT_EQ(devices.devices.size(), 3U);
  EXPECT_TRUE(devices.devices[0].on_node);
  EXPECT_FALSE(devices.devices[1].on_node);
  EXPECT_TRUE(devices.devices[2].on_node);
}

TEST_F(InventoryTest, ConsumptionElsewhereAndOfDevicesNoLongerPublishedIsKnown) {
  SliceInput sets = world.slice("sets", "gpu.example", "p", world.everywhere(), {}, 3);
  sets.counter_sets = {world.counters("one", {{"memory", 8}, {"cores", 4}})};
  const Consumption two{world.counters("one", {{"memory", 2}})};
  set(sets);
  set(world.slice("s1", "gpu.example", "p", world.on_node("n1"), {device("a", two), device("gone", two)}, 3));
  set(world.slice("s2", "gpu.example", "p", world.on_node("n2"), {device("b", two)}, 3));
  set(world.slice("s1", "gpu.example", "p", world.on_node("n1"), {device("a", two)}, 3));
  const NodeDevices devices = world.inventory.on(world.node("n1"), {});
  ASSERT_EQ(devices.pools.size(), 1U);
  ASSERT_EQ(devices.devices.size(), 1U);
  EXPECT_EQ(devices.devices[0].counters->size(), 1U);
  ASSERT_EQ(devices.pools[0].elsewhere.size(), 2U);
  EXPECT_TRUE(devices.pools[0].elsewhere[0].published);
  EXPECT_FALSE(devices.pools[0].elsewhere[1].published);
}

TEST_F(InventoryTest, SaysWhoseDevicesChanged) {
  using Nodes = std::vector<NameId>;
  Inventory& inventory = world.inventory;
  const Nodes both{world.name("n1"), world.name("n2")};
  const auto local = world.slice("s1", "gpu.example", "p", world.on_node("n1"), {device("a")}, 2);
  const auto other = world.slice("s2", "gpu.example", "p", world.on_node("n2"), {device("b")}, 2);
  EXPECT_EQ(inventory.set(local).nodes, Nodes{both[0]});
  EXPECT_EQ(inventory.set(local).nodes, Nodes{both[0]});
  EXPECT_EQ(inventory.set(other).nodes, both) << "the pool is complete now";
  EXPECT_EQ(inventory.set(other).nodes, Nodes{both[1]}) << "and it still is";
  EXPECT_EQ(inventory.set(world.slice("s2", "gpu.example", "p", world.on_node("n2"), {}, 2, 2)).nodes, both)
      << "a newer generation";
  const Touched everywhere = inventory.set(world.slice("s3", "gpu.example", "q", world.everywhere(), {device("c")}));
  EXPECT_TRUE(everywhere.everywhere);
  EXPECT_TRUE(inventory.remove(world.name("never")).nothing());
}

// All that can be seen of a node's devices.
std::string picture(const NodeDevices& node) {
  std::string text;
  const auto add = [&text](auto... words) { ((text += std::to_string(words) + ' '), ...); };
  const auto add_uses = [&](const std::vector<CounterUse>* uses) {
    if (uses == nullptr) return;
    for (const CounterUse& use : *uses) add(use.counter, static_cast<std::int64_t>(use.amount));
  };
  for (const NodePool& pool : node.pools) {
    add(pool.id.value(), static_cast<int>(pool.state), pool.disputed ? 1 : 0, pool.first_device, pool.device_count);
    for (const KindId kind : pool.kinds) add(kind.value());
    for (const ElsewhereDevice& device : pool.elsewhere) {
      add(device.id.value(), device.published ? 1 : 0);
      add_uses(device.counters);
    }
    if (pool.counters != nullptr)
      for (const Quantity amount : *pool.counters) add(static_cast<std::int64_t>(amount));
    text += '\n';
  }
  for (const NodeSlice& slice : node.slices) add(slice.name.value(), static_cast<int>(slice.target.kind));
  for (const PlacedDevice& device : node.devices) {
    add(device.id.value(), device.kind.value(), device.slice, device.pool, device.component);
    add_uses(device.counters);
  }
  return text;
}

// Pools over several nodes, some with counters, whose slices come, change and go.
TEST_F(InventoryTest, NodesThatAreNotTouchedSeeWhatTheySaw) {
  const std::vector<std::string> nodes{"n1", "n2", "n3"};
  int spared = 0;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    TestWorld its;
    Random random(seed);
    const KindId plain = its.kind("gpu.example", {{"d/type", "gpu"}});
    const KindId other = its.kind("gpu.example", {{"d/type", "other"}});
    const bool counters = random.below(2) == 0;
    const auto some_slice = [&] {
      const std::uint64_t where = random.below(8);
      std::vector<DeviceInput> devices;
      for (std::int64_t n = random.between(0, 2); n > 0; --n) {
        const std::string name(1, static_cast<char>('a' + random.below(8)));
        const bool counts = counters && random.below(2) == 0;
        devices.push_back(its.device(name, random.below(2) == 0 ? plain : other,
                                     counts ? Consumption{its.counters("set", {{"memory", 2}})} : Consumption{}));
      }
      SliceInput slice =
          its.slice("s" + std::to_string(random.below(6)), "gpu.example", random.below(3) == 0 ? "q" : "p",
                    where == 0   ? its.everywhere()
                    : where == 1 ? its.in_zone("a")
                                 : its.on_node(nodes[random.below(nodes.size())]),
                    std::move(devices), random.between(1, 3), random.between(1, 2));
      if (counters && random.below(3) == 0) slice.counter_sets = {its.counters("set", {{"memory", 8}})};
      return slice;
    };
    for (int step = 0; step < 60; ++step) {
      SCOPED_TRACE("world " + std::to_string(seed) + ", step " + std::to_string(step));
      std::vector<std::string> before;
      for (const std::string& node : nodes) before.push_back(picture(its.inventory.on(its.node(node), {})));
      Touched touched;
      if (random.below(5) == 0) {
        touched = its.inventory.remove(its.name("s" + std::to_string(random.below(6))));
      } else {
        const SliceInput slice = some_slice();
        touched = its.inventory.forget_unlisted(slice.driver, slice.pool, its.usage);
        touched.add(its.inventory.set(slice));
      }
      if (touched.everywhere) continue;
      for (std::size_t i = 0; i < nodes.size(); ++i) {
        if (std::ranges::find(touched.nodes, its.name(nodes[i])) != touched.nodes.end()) continue;
        ++spared;
        ASSERT_EQ(picture(its.inventory.on(its.node(nodes[i]), {})), before[i]) << nodes[i];
      }
    }
  }
  EXPECT_GT(spared, 1000);
}

// A device of an older generation consumed a counter; the newer one lists it without, on another node.
TEST_F(InventoryTest, ADeviceThatConsumesNothingAnyMoreIsPublishedWhicheverSliceCameFirst) {
  SliceInput sets = world.slice("sets", "gpu.example", "p", world.everywhere(), {}, 3, 2);
  sets.counter_sets = {world.counters("one", {{"memory", 8}})};
  const Consumption two{world.counters("one", {{"memory", 2}})};
  std::vector<SliceInput> slices{
      sets,
      world.slice("old", "gpu.example", "p", world.on_node("n2"), {device("b", two)}, 2, 1),
      world.slice("new-1", "gpu.example", "p", world.on_node("n1"), {device("a", two)}, 3, 2),
      world.slice("new-2", "gpu.example", "p", world.on_node("n2"), {device("b")}, 3, 2),
  };
  std::ranges::sort(slices, {}, [](const SliceInput& slice) { return slice.name.value(); });
  do {
    Inventory inventory{world.names, world.catalogue};
    for (const SliceInput& slice : slices) inventory.set(slice);
    const NodeDevices devices = inventory.on(world.node("n1"), {});
    ASSERT_EQ(devices.pools.size(), 1U);
    EXPECT_EQ(devices.devices.size(), 1U);
    EXPECT_TRUE(devices.pools[0].elsewhere.empty());
  } while (std::ranges::next_permutation(slices, {}, [](const SliceInput& slice) { return slice.name.value(); }).found);
}

TEST_F(InventoryTest, TheOrderOfArrivalDoesNotMatter) {
  std::vector<SliceInput> slices{
      world.slice("s1", "gpu.example", "p", world.on_node("n1"), {device("a")}, 3),
      world.slice("s2", "gpu.example", "p", world.everywhere(), {device("b")}, 2),
      world.slice("s3", "gpu.example", "q", world.in_zone("a"), {device("c")}, 1),
      world.slice("s0", "gpu.example", "p", world.everywhere(), {device("d")}, 2),
  };
  for (const SliceInput& slice : slices) set(slice);
  const Names expected = world.on("n1");
  EXPECT_EQ(expected, (Names{"p/d", "p/a", "p/b", "q/c"}));
  do {
    for (const SliceInput& slice : slices) world.inventory.remove(slice.name);
    for (const SliceInput& slice : slices) set(slice);
    EXPECT_EQ(world.on("n1"), expected);
    EXPECT_TRUE(world.inventory.on(world.node("n1"), {}).pools.front().disputed);
  } while (std::ranges::next_permutation(slices, {}, [](const SliceInput& slice) { return slice.name.value(); }).found);
}

TEST(Usage, SharesAddUpAndAreTakenBack) {
  Usage usage;
  const DeviceId device{3U};
  const std::vector<CapacityRequest> taken{{.name = CapacityId{1U}, .amount = 5}};
  usage.add_share(device, taken);
  usage.add_share(device, taken);
  EXPECT_EQ(usage.shares(device), 2U);
  EXPECT_EQ(usage.consumed(device).front().amount, 10);
  usage.remove_share(device, taken);
  usage.remove_share(device, taken);
  EXPECT_FALSE(usage.in_use(device));
  usage.hold(device);
  EXPECT_TRUE(usage.held(device));
  usage.release(device);
  EXPECT_FALSE(usage.in_use(device));
}

}  // namespace
}  // namespace berth::engine::devices
