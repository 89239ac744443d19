// Sights: what claims see of the devices of a node. Nodes of which the same claims see the same get the same answers,
// position by position, although every device has a UUID of its own.
//
// Of a device's kind claims see what their selectors say, its capacities, whether it can be shared, and which devices
// of the node agree with it in the attributes that their constraints name. Values are told apart within a node only, so
// that equal machines look alike; lists, which may overlap, are taken as they are.
//
// What selectors look at is numbered first (SelectorAnswers::look): of two nodes where that is the same they need not
// be asked twice, and what one claim has looked at is known to the next.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
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

// What is known of one node, for the next who looks. Starts empty, and again when the node's devices change.
struct NodeLook {
  std::vector<std::pair<std::uint64_t, std::uint32_t>> parts;
};

// Components (cards) that claims cannot tell apart, but for what of them is in use. Whoever exchanges two of them, use
// and all, has the same node.
struct EqualCards {
  std::vector<std::uint32_t> components;  // two or more positions in NodeDevices::components, ascending
  // They share no value by which devices are kept together (nearness.h), neither with each other nor with other cards.
  // So which of the other devices is preferred does not depend on how many of them there are.
  bool alone = true;
  bool operator==(const EqualCards&) const = default;
};

class Sights {
 public:
  // Borrowed.
  explicit Sights(const Catalogue& catalogue) : catalogue_(catalogue) {}

  // Equal ids: equal claims, and they see the same of nodes that are built alike, which `structure` numbers. O(devices)
  // for each part of kinds that nobody looked at yet, O(devices x claims) for what was never seen on another node.
  // `selectors` has to be the same each time.
  SightId of(std::span<const ClaimSpecId> claims, std::uint32_t structure, const NodeDevices& node,
             const SelectorAnswers& selectors, NodeLook& look);

  // The cards of the node that these claims cannot tell apart. Valid until the next call of of().
  [[nodiscard]] const std::vector<EqualCards>& equals(SightId sight) const { return equals_[sight.index()]; }

 private:
  using Words = std::vector<std::uint32_t>;
  using Numbers = boost::unordered_flat_map<Words, std::uint32_t, ContentHasher>;

  [[nodiscard]] const Words& reads(ClaimSpecId claim, const SelectorAnswers& selectors);
  template <class Describe>
  std::uint32_t part(std::uint64_t which, NodeLook& look, Describe describe);
  std::uint32_t plainly(std::uint32_t structure, const NodeDevices& node, NodeLook& look);
  std::uint32_t values(AttributeId attribute, const NodeDevices& node, NodeLook& look);
  std::uint32_t plain(KindId kind);
  std::uint32_t answers(std::span<const ClaimSpecId> claims, KindId kind, const SelectorAnswers& selectors);
  SightId look_closely(std::span<const ClaimSpecId> claims, std::uint32_t plainly, const NodeDevices& node,
                       const SelectorAnswers& selectors, NodeLook& look);
  [[nodiscard]] std::vector<EqualCards> find_equals(std::span<const ClaimSpecId> claims, const NodeDevices& node,
                                                    const SelectorAnswers& selectors);
  void add_values(AttributeId attribute, const NodeDevices& node, Words& words);
  void add_values(AttributeId attribute, const NodeDevices& node, std::vector<Words>& of_components,
                  std::vector<bool>& shares);
  static std::uint32_t number(Numbers& numbers, const Words& words);

  const Catalogue& catalogue_;
  std::vector<Words> reads_;  // by ClaimSpecId: of its selectors, each once; with a leading 1 if known
  Numbers plains_;            // capacities, and whether a device can be shared
  Numbers parts_;             // what is seen of one part of all kinds of a node
  Numbers shortcuts_;         // parts to sights
  Numbers answers_;
  Numbers sights_;
  std::vector<std::vector<EqualCards>> equals_;  // by SightId
  std::vector<std::uint32_t> plain_of_;          // by KindId: its number in plains_, raised by one; 0: not known yet
  Words words_;
  Words part_;
  Words kind_;
  boost::unordered_flat_map<ValueId, std::uint32_t> local_;  // values of one attribute on one node, as they come
};

}  // namespace berth::engine::devices
