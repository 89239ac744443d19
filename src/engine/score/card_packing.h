// CardPacking: Berth's own score, which keeps whole nodes of cards free. 0..100, higher is better.
//
// A pod that asks for cards: the percent of the node's cards in use with it, rounded down, so that the fullest node
// that can take it wins and small nodes are filled before large ones are opened. Of equal cards a share takes the
// tightest. A pod that asks for none: 100 on a node without cards, 0 on one with, where it would sit on the CPU and
// memory that the cards need. A pod that asks for devices through claims alone: how well they are packed
// (devices/value.h).
// O(cards of the node).
#pragma once

#include "engine/score/placement_policy.h"

namespace berth::engine {

// Without state, so one serves all.
[[nodiscard]] const PlacementPolicy& card_packing();

}  // namespace berth::engine
