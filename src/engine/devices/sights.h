// Sights: what claims see of the devices of a node. Nodes of which the same claims see the same get the same answers,
// position by position, although every device has a UUID of its own.
//
// Of a device's kind claims see what their selectors say, its capacities, whether it can be shared, and which devices
// of the node agree with it in the attributes that their constraints name. Values are told apart within a node only, so
// that equal machines look alike; lists, which may overlap, are taken as they are.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

#include "engine/devices/catalogue.h"
#include "engine/devices/claim.h"
#include "engine/devices/ids.h"
#include "engine/devices/node_devices.h"
#include "engine/devices/selector_answers.h"
#include "engine/world/content_hash.h"

namespace berth::engine::devices {

using SightId = Id<struct SightTag>;

class Sights {
 public:
  // Borrowed.
  explicit Sights(const Catalogue& catalogue) : catalogue_(catalogue) {}

  // Equal ids: equal claims, and they see the same of nodes that are built alike, which `structure` numbers. O(devices
  // x claims). `selectors`, the same each time, are asked once per (claim, kind).
  SightId of(std::span<const ClaimSpecId> claims, std::uint32_t structure, const NodeDevices& node,
             const SelectorAnswers& selectors);

 private:
  using Words = std::vector<std::uint32_t>;
  using Numbers = boost::unordered_flat_map<Words, std::uint32_t, ContentHasher>;

  std::uint32_t plain(KindId kind);
  std::uint32_t seen_by(ClaimSpecId claim, KindId kind, const SelectorAnswers& selectors);
  void add_values(AttributeId attribute, const NodeDevices& node);
  static std::uint32_t number(Numbers& numbers, Words& words);

  const Catalogue& catalogue_;
  std::vector<std::uint32_t> plain_;              // by KindId: its capacities, and whether it can be shared
  std::vector<std::vector<std::uint32_t>> seen_;  // by ClaimSpecId and KindId
  Numbers plains_;
  Numbers answers_;
  Numbers sights_;
  Words words_;
  Words part_;
  boost::unordered_flat_map<ValueId, std::uint32_t> local_;  // values of one attribute on one node, as they come
};

}  // namespace berth::engine::devices
