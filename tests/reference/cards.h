// Cards of a node: as many as it offers of kCardResource, 1000 milli each. A pod takes whole free cards, or a share of
// one card.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "api/core.h"
#include "reference/snapshot.h"

namespace berth::reference {

// Free milli per card.
[[nodiscard]] std::vector<std::int64_t> free_cards(const NodeState& state);

// True if the cards the pod asks for can be given without splitting a whole one or spreading a share.
[[nodiscard]] bool cards_fit(const NodeState& state, const api::Pod& pod);

// The cards to give: the first free ones, or for a share the fullest card that still has room, the first among equals.
// Fewer than asked for on a node that is overcommitted already.
[[nodiscard]] std::vector<std::size_t> choose_cards(const NodeState& state, const api::Pod& pod);

}  // namespace berth::reference
