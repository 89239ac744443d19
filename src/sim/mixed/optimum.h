// The most GPU that a batch of asks can get on few cards, when all are there at once and none leaves: an exhaustive
// search. For worlds of about four cards and a dozen asks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "sim/mixed/cards.h"

namespace berth::sim::mixed {

// In thousandths of a card, by Ask::size(). `batch`: positions in asks(), any order. Equal asks, equal cards of a node
// and equal nodes are one, and what is known of a state is not searched again.
[[nodiscard]] std::int64_t most(const Layout& layout, std::span<const std::size_t> batch);

}  // namespace berth::sim::mixed
