// Arrangement: what of a node matters to a question. Its equal cards in an order that depends on their use alone, and
// of cards of equal use no more than the question can touch.
//
// Cards that claims cannot tell apart (Sights::equals) are exchanged until those of equal use stand together. Claims
// that want n devices touch n cards at most, so of n + 1 equal cards of equal use one can be left out: whatever is
// possible with it is possible with another; and of full cards none is left. Nodes that have the same uses then are the
// same node, whichever and however many cards they are: one search answers for all of them, and its answer is carried
// over by position.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "engine/devices/allocator.h"
#include "engine/devices/node_devices.h"
#include "engine/devices/sights.h"
#include "engine/devices/use_states.h"

namespace berth::engine::devices {

struct Arrangement {
  std::vector<std::uint32_t> component;  // by place: which component stands there; empty: each where it is
  std::vector<bool> left_out;            // by place; empty: none
  [[nodiscard]] bool as_it_is() const { return component.empty() && left_out.empty(); }
  void clear() {
    component.clear();
    left_out.clear();
  }
  bool operator==(const Arrangement&) const = default;
};

// The most devices that the claims can take; none: all that there are, or they look at some that are in use.
[[nodiscard]] std::optional<std::size_t> most_devices(std::span<const Claim* const> claims);

// `use`: the states of the node's components; `most`: see most_devices(). O(components log components).
void arrange(std::span<const EqualCards> equals, std::span<const std::uint32_t> use, const UseStates& states,
             std::optional<std::size_t> most, Arrangement& arrangement);

// The node so arranged, without what is left out; every device keeps its id and its counters. `places` gets, by device,
// the position that it would have if nothing were left out.
[[nodiscard]] NodeDevices arranged(const NodeDevices& node, const Arrangement& arrangement,
                                   std::vector<std::uint32_t>& places);

// What was allocated on the arranged node, by place, on the node itself.
[[nodiscard]] std::vector<ClaimAllocation> carried_over(const std::vector<ClaimAllocation>& claims,
                                                        const NodeDevices& node, const Arrangement& arrangement);

}  // namespace berth::engine::devices
