#include "engine/devices/card_pairing.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "engine/devices/test_world.h"

namespace berth::engine::devices {
namespace {

class CardPairingTest : public ::testing::Test {
 protected:
  TestWorld world;
  ResourceId gpu = world.names.resources.intern("nvidia.com/gpu");

  // A whole card by its name, its UUID and its address.
  DeviceInput card(const std::string& name, const std::string& uuid, const std::string& address) {
    std::vector<std::pair<std::string, std::string>> attributes;
    if (!uuid.empty()) attributes.emplace_back("gpu.nvidia.com/uuid", uuid);
    if (!address.empty()) attributes.emplace_back("resource.kubernetes.io/pciBusID", address);
    return noted(world.device(name, world.kind("gpu.nvidia.com", attributes)), name);
  }
  DeviceInput partition(const std::string& name, const std::string& parent, const std::string& address) {
    return noted(world.device(name, world.kind("gpu.nvidia.com", {{"gpu.nvidia.com/parentUUID", parent},
                                                                  {"gpu.nvidia.com/uuid", "MIG-" + name},
                                                                  {"resource.kubernetes.io/pciBusID", address}})),
                 name);
  }
  // As the dialect notes them.
  DeviceInput noted(DeviceInput device, const std::string& name) {
    world.catalogue.set_card_resource(device.kind, gpu);
    if (const auto digits = name.find_first_of("0123456789"); digits != std::string::npos)
      world.catalogue.set_card_number(device.name, static_cast<std::uint16_t>(std::stoi(name.substr(digits))));
    return device;
  }
  CardPairing pair(std::vector<DeviceInput> devices, std::size_t count) {
    world.inventory.set(world.slice("s", "gpu.nvidia.com", "n", world.on_node("n"), std::move(devices)));
    return pair_cards(world.inventory, world.catalogue, world.inventory.on(world.node("n"), {}), gpu, count);
  }
  void note(DeviceInput first, DeviceInput second) {
    for (DeviceInput* device : {&first, &second}) world.names.devices().set_card_resource(device->kind, gpu);
    const SliceInput slice = world.slice("s", "gpu.nvidia.com", "n", world.on_node("n"), {first, second});
    world.inventory.set(slice);
  }
  // "gpu-0: 0 1; gpu-1: 2 3": the units of each card, of so many; `whole` of the cards are counted whole beside them.
  std::string units(const std::string& resource, std::int64_t count, const std::string& replicas,
                    std::int64_t whole = 0) {
    NodeInput node = world.node("n");
    node.labels = {{world.names.label_keys.intern("replicas"), world.names.label_value(replicas)}};
    const ResourceId asked = world.names.resources.intern(resource);
    if (whole > 0) node.allocatable.push_back({gpu, whole * kMilliPerCard});
    node.allocatable.push_back({asked, count * kMilliPerCard});
    for (const ResourceAmount& amount : node.allocatable) node.cards.push_back({.resource = amount.resource});
    std::string out;
    for (const PairedCard& one :
         pair_units(world.inventory, world.names, world.inventory.on(node, {}), node, asked).cards) {
      out += (out.empty() ? "" : "; ") +
             std::string(world.names.names.text(world.inventory.key(one.devices.front()).device)) + ':';
      for (const std::uint16_t unit : one.units) out += ' ' + std::to_string(unit);
    }
    return out;
  }
  // "0: gpu-0; 1: gpu-1 gpu-vfio-1".
  std::string text(const CardPairing& pairing) {
    std::string out;
    for (const PairedCard& card : pairing.cards) {
      out += (out.empty() ? "" : "; ") + std::to_string(card.number) + ':';
      for (const DeviceId device : card.devices)
        out += ' ' + std::string(world.names.names.text(world.inventory.key(device).device));
    }
    return out;
  }
};

// Names sort gpu-0, gpu-1, gpu-10, gpu-2.
TEST_F(CardPairingTest, CardsAreMatchedByNumberAndNotByPlace) {
  const CardPairing found = pair({card("gpu-10", "a", ""), card("gpu-2", "b", ""), card("gpu-0", "c", "")}, 12);
  EXPECT_EQ(text(found), "0: gpu-0; 2: gpu-2; 10: gpu-10");
  EXPECT_EQ(found.without_number, 0U);
}

TEST_F(CardPairingTest, ACardThatNobodyCountsHasNoCounterpart) {
  const CardPairing found = pair({card("gpu-0", "a", ""), card("gpu-1", "b", ""), card("gpu-2", "c", "")}, 2);
  EXPECT_EQ(text(found), "0: gpu-0; 1: gpu-1");
  EXPECT_EQ(found.published, 3U);
}

TEST_F(CardPairingTest, ACardPublishedTwiceIsOne) {
  const CardPairing found = pair({card("gpu-0", "a", "0000:01"), card("gpu-1", "b", "0000:02"),
                                  card("gpu-vfio-0", "", "0000:02"), card("gpu-vfio-1", "a", "")},
                                 2);
  EXPECT_EQ(text(found), "0: gpu-0 gpu-vfio-1; 1: gpu-1 gpu-vfio-0");
  EXPECT_EQ(found.published, 2U);
}

// With the single strategy a plugin counts partitions, of which each is an instance of its own.
TEST_F(CardPairingTest, PartitionsOfOneCardAreNoCardPublishedTwice) {
  const CardPairing found =
      pair({partition("gpu-0-mig-a", "a", "0000:01"), partition("gpu-0-mig-b", "a", "0000:01")}, 2);
  EXPECT_EQ(text(found), "0: gpu-0-mig-a; 1: gpu-0-mig-b");
  EXPECT_EQ(found.without_number, 1U);
}

TEST_F(CardPairingTest, NumbersThatNobodyCountsGetWhatIsLeft) {
  const CardPairing found = pair({card("gpu-0", "a", ""), card("gpu-7", "b", "")}, 2);
  EXPECT_EQ(text(found), "0: gpu-0; 1: gpu-7");
  EXPECT_EQ(found.without_number, 1U);
}

// As a device plugin lists them that hands out each card more than once.
TEST_F(CardPairingTest, ReplicasAreOfTheCardTheyAreListedWith) {
  world.names.devices().set_counting(
      gpu, {.cards = gpu, .replicas = world.names.label_keys.intern("replicas"), .partitions = false});
  note(card("gpu-0", "a", ""), card("gpu-1", "b", ""));
  EXPECT_EQ(units("nvidia.com/gpu", 4, "2"), "gpu-0: 0 1; gpu-1: 2 3");
  EXPECT_EQ(units("nvidia.com/gpu", 3, "2"), "gpu-0: 0 1; gpu-1: 2");
  EXPECT_EQ(units("nvidia.com/gpu", 2, "1"), "gpu-0: 0; gpu-1: 1");
}

TEST_F(CardPairingTest, PartitionsAreSpreadOverCardsThatAreNotCountedWhole) {
  const ResourceId mig = world.names.resources.intern("nvidia.com/mig-1g.10gb");
  world.names.devices().set_counting(mig, {.cards = gpu, .replicas = {}, .partitions = true});
  note(card("gpu-0", "a", ""), card("gpu-1", "b", ""));
  EXPECT_EQ(units("nvidia.com/mig-1g.10gb", 4, "1"), "gpu-0: 0 1; gpu-1: 2 3");
  EXPECT_EQ(units("nvidia.com/mig-1g.10gb", 4, "1", 1), "gpu-1: 0 1 2 3");
}

TEST_F(CardPairingTest, CardsWithoutNumbersAreMatchedInOrder) {
  const CardPairing found = pair({card("left", "a", ""), card("right", "b", "")}, 2);
  EXPECT_EQ(text(found), "0: left; 1: right");
  EXPECT_EQ(found.without_number, 0U) << "none of them has any";
}

}  // namespace
}  // namespace berth::engine::devices
