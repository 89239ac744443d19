// Card pairing: which devices of a node lie on which of the cards that its device plugin counts.
//
// A count says nothing of the cards but that they are numbered from 0. Devices of one card are those of one component,
// and of components that publish the same card twice: they agree in UUID or PCI address. The number of a card is the
// one in its devices' names ("gpu-3", "gpu-3-mig-..."); cards without a number, or whose number another has or nobody
// counts, get what is left, in order. Cards of the slices that then are over have no counterpart.
//
// Replicas are counted card by card, so replica r of n each is of card r / n. Nothing tells which card a counted
// partition is on: they are spread over the cards that are not counted whole, in order.
//
// Source: attributes and names that NVIDIA's driver publishes (uuid, parentUUID, resource.kubernetes.io/pciBusID).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/devices/catalogue.h"
#include "engine/devices/inventory.h"
#include "engine/devices/node_devices.h"
#include "engine/input.h"
#include "engine/names.h"

namespace berth::engine::devices {

struct PairedCard {
  std::uint16_t number = 0;
  std::vector<std::uint16_t> units;  // of the resource: the card itself, its replicas or partitions; ascending
  std::vector<DeviceId> devices;     // as the node lists them
};

struct CardPairing {
  std::vector<PairedCard> cards;   // ascending by number
  std::size_t counted = 0;         // cards that the resource counts; of partitions those that they are spread over
  std::size_t published = 0;       // cards in the slices
  bool partitions = false;         // matched in order, whatever their cards are
  std::size_t without_number = 0;  // of those with a counterpart: paired in order, though others go by number
};

// For the resource, of which the node offers `count`. Of slices that belong to the node alone. O(devices log devices).
[[nodiscard]] CardPairing pair_cards(const Inventory& inventory, const Catalogue& catalogue, const NodeDevices& node,
                                     ResourceId resource, std::size_t count);

// For any resource in which the node counts cards, with the units of each card.
[[nodiscard]] CardPairing pair_units(const Inventory& inventory, const Names& names, const NodeDevices& node,
                                     const NodeInput& input, ResourceId resource);

}  // namespace berth::engine::devices
