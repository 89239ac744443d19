// Scores by devices: the rank of the alternatives that a node serves (Score::kDynamicResources), and how well claims
// pack its cards (Score::kPlacementPolicy of a policy that packs devices).
//
// Source of the rank: kube-scheduler's DynamicResources score (KEP-4816). O(requests of the claims) once allocated.
#pragma once

#include <cstdint>

#include "engine/devices/value.h"
#include "engine/fit/question.h"

namespace berth::engine {

// The pod's claims must fit on the node. Asks the allocator once per (claims, devices and their use).
[[nodiscard]] devices::AllocationValue score_devices(const Question& question, NodeId node);

// 0..100 by the largest.
[[nodiscard]] std::int64_t normalize_device_rank(std::int64_t raw, std::int64_t largest);

// Is the policy's score for this shape the packing of its devices?
[[nodiscard]] bool packs_devices_only(const Shape& shape);

}  // namespace berth::engine
