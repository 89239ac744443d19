// Consumable capacity: how much of each capacity of a device one request takes, and whether that is still there.
//
// Rules (KEP-5075, requestPolicy): what is not asked takes the policy's default, else everything. What is asked is
// rounded up: to the minimum; to the next step, in whole units or, with DRAFractionalCapacityRange and a range that is
// exact in thousandths, in thousandths; to the next valid value. Above the maximum or the last valid value the device
// is out. A device that is not shared is held to the same comparison, and then taken whole.
#pragma once

#include <cstdint>
#include <expected>
#include <vector>

#include "engine/devices/catalogue.h"
#include "engine/devices/claim.h"
#include "engine/devices/features.h"
#include "engine/devices/model.h"

namespace berth::engine::devices {

enum class CapacityError : std::uint8_t {
  kUnrepresentable,  // the rounded amount leaves the range of int64
  kNegative,
};

// What an alternative takes of a kind.
struct CapacityDemand {
  bool possible = true;           // false: the kind lacks a capacity that is asked, or its policy forbids the amount
  std::vector<Quantity> amounts;  // parallel to Kind::capacities, if possible
};

[[nodiscard]] std::expected<CapacityDemand, CapacityError> capacity_demand(const Catalogue& catalogue, const Kind& kind,
                                                                           const Alternative& alternative,
                                                                           const Features& features);

// Does the demand fit beside what is consumed already? `consumed` is ascending by name; `trying` is parallel to the
// kind's capacities or empty.
[[nodiscard]] bool capacity_fits(const Kind& kind, const CapacityDemand& demand,
                                 const std::vector<CapacityRequest>& consumed, const std::vector<Quantity>& trying);

}  // namespace berth::engine::devices
