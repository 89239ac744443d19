// What an allocation is worth to a node's score: how good the alternatives are that it serves, and how well it packs
// the node's cards.
//
// Packing looks at the cards of the drivers that the allocation takes from: a device, or all devices that share
// counters. How much of one is used is the mean over its counters, of a shared device as far as its fullest capacity
// goes. Whole cards only: the node's fullness with them. Else, where a card is opened that nobody used: a quarter of
// the fullness and a quarter of what is spared, the part of the cards that is not taken. Else 50, a quarter of what is
// spared, and a quarter of what is not wasted: of a cut card the placements that are not possible any more, of a shared
// one what is left of it. So cards that are cut or shared come before whole ones, on whatever node they are, and of two
// products the one of which the claim takes the smaller part (docs/berth-policy.md).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

#include "engine/devices/allocator.h"

namespace berth::engine::devices {

// Of a device that is used or wanted in part: parts of this.
inline constexpr std::int64_t kWhole = 1024;

struct AllocationValue {
  // Sum over the requests with alternatives: 8 for the first alternative, 7 for the second and so on. Source:
  // kube-scheduler 1.37, DynamicResources, with the gate DRAPrioritizedList.
  std::int64_t rank = 0;
  std::int64_t packing = 0;  // 0..100
  bool operator==(const AllocationValue&) const = default;
};

// How full cards are, by (shape, state of use): cards that are equal in both are equally full.
using KnownFullness = boost::unordered_flat_map<std::uint64_t, std::int64_t>;

// The claims must have been allocated for the question. O(devices of the node); with the states of use of the node's
// components (use_states.h) and what is known of such cards O(components, and devices of the cards that are taken
// from).
[[nodiscard]] AllocationValue value_of(const Question& question, const std::vector<ClaimAllocation>& claims,
                                       std::span<const std::uint32_t> use, KnownFullness& known);
[[nodiscard]] AllocationValue value_of(const Question& question, const Answer& answer);

}  // namespace berth::engine::devices
