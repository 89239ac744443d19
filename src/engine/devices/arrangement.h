// Arrangement: a node with its equal cards in an order that depends on their use alone.
//
// Cards that claims cannot tell apart (Sights::equals) are exchanged until those of equal use stand together. Nodes
// that have as many cards of each use then are the same node, whichever cards they are: one search answers for all of
// them, and its answer is carried over by position.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/devices/allocator.h"
#include "engine/devices/node_devices.h"
#include "engine/devices/use_states.h"

namespace berth::engine::devices {

// Which component stands in which place, by place. Empty: each where it is.
using Arrangement = std::vector<std::uint32_t>;

// `equals`: lists of components that may be exchanged; `use`: their states. O(components log components).
void arrange(std::span<const std::vector<std::uint32_t>> equals, std::span<const std::uint32_t> use,
             const UseStates& states, Arrangement& arrangement);

// The node so arranged; every device keeps its id and its counters. The arrangement is not empty.
[[nodiscard]] NodeDevices arranged(const NodeDevices& node, const Arrangement& arrangement);

// What was allocated on the arranged node, on the node itself.
[[nodiscard]] std::vector<ClaimAllocation> carried_over(const std::vector<ClaimAllocation>& claims,
                                                        const NodeDevices& node, const Arrangement& arrangement);

}  // namespace berth::engine::devices
