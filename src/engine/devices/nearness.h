// Nearness: attributes whose values say which devices are near each other. Best mode takes what it needs from groups
// that are broken already, and so keeps whole what a later claim may want together.
//
// Source: the standard attributes of resource.k8s.io (pcieRoot of KEP-4381, numaNode), and what matchAttribute names.
#pragma once

#include <span>
#include <vector>

#include "engine/devices/catalogue.h"
#include "engine/devices/claim.h"

namespace berth::engine::devices {

// The first counts most: what constraints of the claims name, then the standard ones that some device publishes. O(1)
// for few constraints.
[[nodiscard]] std::vector<AttributeId> nearness(const Catalogue& catalogue, std::span<const Claim* const> claims);

}  // namespace berth::engine::devices
