// What a claim got, as the API shows it: status.allocation of a ResourceClaim.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "api/resource.h"
#include "dialects/dra/device_dialect.h"
#include "dialects/dra/published_devices.h"
#include "engine/devices/allocator.h"
#include "engine/devices/inventory.h"
#include "engine/names.h"

namespace berth::dialects::dra {

// What the engine gave a claim, and where.
struct Given {
  std::span<const engine::devices::DeviceAllocation> devices;
  std::span<const std::uint32_t> chosen;   // per request: the alternative
  std::span<const PublishedDevice> found;  // parallel to devices
  std::string_view node;                   // the one that the devices were chosen for
};

// Requests are named as in the claim's spec. Configuration is that of the classes, each class once and in the order of
// the requests, then that of the claim which applies to what was chosen; one that applies to all requests names none.
// The node selector allows this node alone if a device belongs or binds to it, else the nodes that all selectors of
// its slices allow. Shares get ids that depend on the claim alone.
[[nodiscard]] api::AllocationResult allocation_result(const Given& given, const engine::devices::Inventory& inventory,
                                                      const api::ResourceClaim& claim,
                                                      std::span<const api::Read<api::DeviceClass>> classes,
                                                      const engine::Names& names, bool binding_conditions = true);

}  // namespace berth::dialects::dra
