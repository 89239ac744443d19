#include "engine/devices/arrangement.h"

#include <algorithm>
#include <numeric>
#include <tuple>

#include "base/mutant.h"

namespace berth::engine::devices {

void arrange(std::span<const std::vector<std::uint32_t>> equals, std::span<const std::uint32_t> use,
             const UseStates& states, Arrangement& arrangement) {
  arrangement.clear();
  if (mutant("Device.EqualCards")) return;
  for (const std::vector<std::uint32_t>& equal : equals) {
    const auto later = [&](std::uint32_t a, std::uint32_t b) { return states.less(use[b], use[a]); };
    const auto before = [&](std::uint32_t a, std::uint32_t b) { return states.less(use[a], use[b]); };
    if (std::ranges::adjacent_find(equal, later) == equal.end()) continue;
    if (arrangement.empty()) {
      arrangement.resize(use.size());
      std::iota(arrangement.begin(), arrangement.end(), 0U);
    }
    std::vector<std::uint32_t> order = equal;
    std::ranges::stable_sort(order, before);
    for (std::size_t i = 0; i < equal.size(); ++i) arrangement[equal[i]] = order[i];
  }
}

NodeDevices arranged(const NodeDevices& node, const Arrangement& arrangement) {
  NodeDevices result = node;
  for (std::uint32_t place = 0; place < arrangement.size(); ++place) {
    const DeviceComponent& from = node.components[arrangement[place]];
    DeviceComponent& to = result.components[place];
    to.counters = from.counters;
    for (std::size_t m = 0; m < to.members.size(); ++m) {
      PlacedDevice& device = result.devices[to.members[m]];
      device = node.devices[from.members[m]];
      device.component = place;
    }
  }
  return result;
}

std::vector<ClaimAllocation> carried_over(const std::vector<ClaimAllocation>& claims, const NodeDevices& node,
                                          const Arrangement& arrangement) {
  std::vector<ClaimAllocation> result = claims;
  for (ClaimAllocation& claim : result) {
    for (DeviceAllocation& device : claim.devices) {
      if (!arrangement.empty()) {
        const PlacedDevice& place = node.devices[device.placed];
        device.placed = node.components[arrangement[place.component]].members[place.member];
      }
      device.device = node.devices[device.placed].id;
    }
    if (arrangement.empty()) continue;
    std::ranges::sort(claim.devices, {},
                      [](const DeviceAllocation& one) { return std::tuple(one.request, one.placed); });
  }
  return result;
}

}  // namespace berth::engine::devices
