// What a claim got, as the API shows it: status.allocation of a ResourceClaim.
#pragma once

#include <span>

#include "api/resource.h"
#include "dialects/dra/device_dialect.h"
#include "engine/devices/holdings.h"
#include "engine/names.h"

namespace berth::dialects::dra {

// Requests are named as in the claim's spec. Configuration comes from the classes first, then from the claim, in the
// order that drivers rely on. Shares get ids that depend
// on the claim alone.
[[nodiscard]] api::AllocationResult allocation_result(const engine::devices::Grant& grant,
                                                      const engine::devices::Inventory& inventory,
                                                      const api::ResourceClaim& claim,
                                                      std::span<const api::Read<api::DeviceClass>> classes,
                                                      const engine::Names& names);

}  // namespace berth::dialects::dra
