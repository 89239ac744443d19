// Published cards: what ResourceSlices offer of GPUs, counted card by card, for the inventory.
//
// A card is a set of devices that share counters (a GPU and its partitions), or one device without counters. Devices
// count as GPUs where a driver's name says so: its first label is "gpu" (gpu.nvidia.com, gpu.amd.com). Cards that the
// node's device plugin counts as well are in the device plugin's rows and left out here, and so are devices of
// incomplete or invalid pools, which nobody can get.
#pragma once

#include <string_view>
#include <vector>

#include "engine/ids.h"
#include "sim/cluster.h"

namespace berth::sim {

struct PublishedCard {
  engine::NodeId node;           // of several nodes that can use it the first
  std::string_view driver;       // "gpu.nvidia.com"
  std::string_view product;      // its attribute productName; empty: not published
  engine::Amount allocated = 0;  // thousandths, rounded up: of the counter or capacity that is used up most
};

// In order of nodes and, on one, of upstream's devices. O(devices).
[[nodiscard]] std::vector<PublishedCard> published_cards(const Cluster& cluster);

}  // namespace berth::sim
