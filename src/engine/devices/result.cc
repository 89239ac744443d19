#include "engine/devices/result.h"

#include <algorithm>
#include <cstdint>

namespace berth::engine::devices {
namespace {

template <class T>
void add_new(const std::vector<T>& from, std::vector<T>& to) {
  for (const T& requirement : from) {
    if (std::ranges::find(to, requirement) == to.end()) to.push_back(requirement);
  }
}

// One device that belongs to a node binds the claim to it; else all selectors must hold together.
Reach reach(const NodeDevices& node, const std::vector<DeviceAllocation>& devices) {
  Reach result;
  for (const DeviceAllocation& allocation : devices) {
    const PlacedDevice& device = node.devices[allocation.placed];
    const NodeTarget& of_slice = node.slices[device.slice].target;
    const NodeTarget& target =
        of_slice.kind == NodeTarget::Kind::kPerDevice ? node.device_targets[allocation.placed] : of_slice;
    if (target.kind == NodeTarget::Kind::kNode || device.binds_to_node) return {.kind = Reach::Kind::kThisNode};
    if (target.kind != NodeTarget::Kind::kSelector || target.selector.terms.empty()) continue;
    add_new(target.selector.terms.front().names, result.term.names);
    add_new(target.selector.terms.front().labels, result.term.labels);
  }
  if (!result.term.empty()) result.kind = Reach::Kind::kSelector;
  return result;
}

}  // namespace

std::vector<ClaimAllocation> allocations(const Trial& trial) {
  const Question& question = trial.question();
  std::vector<ClaimAllocation> result(question.claims.size());
  for (std::size_t c = 0; c < result.size(); ++c) result[c].chosen.resize(question.claims[c]->requests.size());
  for (const Trial::Taken& taken : trial.taken()) {
    const Trial::Option& option = trial.option(taken.option);
    ClaimAllocation& claim = result[option.claim];
    claim.chosen[option.request] = option.index;
    DeviceAllocation& device = claim.devices.emplace_back();
    device.request = option.request;
    device.alternative = option.index;
    device.device = trial.devices()[taken.device].id;
    device.placed = taken.device;
    device.admin_access = option.admin;
    if (taken.demand == nullptr) continue;
    device.shared = true;
    const std::vector<Capacity>& capacities = trial.kind(taken.device).capacities;
    for (std::size_t i = 0; i < capacities.size(); ++i) {
      device.consumed.push_back({.name = capacities[i].name, .amount = taken.demand->amounts[i]});
    }
  }
  for (ClaimAllocation& claim : result) claim.reach = reach(*question.node, claim.devices);
  return result;
}

Outcome no_on(const NodeDevices& node) {
  const bool invalid = std::ranges::any_of(node.pools, [](const NodePool& pool) { return pool.invalid(); });
  return invalid ? Outcome::kInvalidPools : Outcome::kDoesNotFit;
}

void apply(const ClaimAllocation& allocation, Usage& usage) {
  for (const DeviceAllocation& device : allocation.devices) {
    if (device.admin_access) continue;
    device.shared ? usage.add_share(device.device, device.consumed) : usage.hold(device.device);
  }
}

void revert(const ClaimAllocation& allocation, Usage& usage) {
  for (const DeviceAllocation& device : allocation.devices) {
    if (device.admin_access) continue;
    device.shared ? usage.remove_share(device.device, device.consumed) : usage.release(device.device);
  }
}

}  // namespace berth::engine::devices
