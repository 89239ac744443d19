// The slow twin of the device allocator: is there any legal allocation of the pending claims on this node?
//
// Every choice of alternatives and every set of devices is tried, and each complete choice is checked from the start
// with nothing remembered. Written from the API's description (resource.k8s.io/v1, KEP-4381, 4815, 4816, 5055, 5075),
// with the rules of Berth's best mode: see docs/differences.md.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "api/core.h"
#include "api/resource.h"

namespace berth::reference {

// Feature gates that change what is legal; those that only refuse claims are not looked at.
struct DeviceGates {
  bool partitionable_devices = true;
  bool device_taints = true;
  bool binding_conditions = true;
  bool consumable_capacity = true;
  bool fractional_capacity_range = true;
  bool list_type_attributes = false;
};

struct DeviceQuestion {
  const api::Node* node = nullptr;
  std::vector<const api::ResourceSlice*> slices;
  std::vector<const api::DeviceClass*> classes;
  std::vector<const api::ResourceClaim*> claims;  // those with an allocation are in use
  // Does the expression say yes to the device with that index of the slice? A failure is a no.
  std::function<bool(const std::string& expression, const api::ResourceSlice& slice, std::size_t device)> selects;
  DeviceGates gates;
};

// What an allocation of the pending claims is worth to the score of the node: see engine/devices/value.h, of which this
// is the definition in plain steps.
struct DeviceScores {
  std::int64_t rank = 0;
  std::int64_t packing = 0;
  bool operator==(const DeviceScores&) const = default;
};
// One list of results per pending claim, in order.
[[nodiscard]] DeviceScores device_scores(const DeviceQuestion& question,
                                         const std::vector<std::vector<api::DeviceAllocationResult>>& allocations);

// none: more than `most` complete choices would have to be checked.
[[nodiscard]] std::optional<bool> some_allocation(const DeviceQuestion& question, std::int64_t most);

}  // namespace berth::reference
