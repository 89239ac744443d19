#include "engine/devices/arrangement.h"

#include <algorithm>
#include <numeric>
#include <tuple>

#include "base/mutant.h"

namespace berth::engine::devices {

std::optional<std::size_t> most_devices(std::span<const Claim* const> claims) {
  std::size_t sum = 0;
  for (const Claim* claim : claims) {
    for (const Request& request : claim->requests) {
      std::int64_t most = 0;
      for (const Alternative& alternative : request.alternatives) {
        if (alternative.mode == Alternative::Mode::kAll || alternative.admin_access.value_or(false))
          return std::nullopt;
        most = std::max(most, alternative.count);
      }
      sum += static_cast<std::size_t>(most);
    }
  }
  return sum;
}

void arrange(std::span<const EqualCards> equals, std::span<const std::uint32_t> use, const UseStates& states,
             std::optional<std::size_t> most, Arrangement& arrangement) {
  arrangement.clear();
  if (mutant("Device.EqualCards")) return;
  std::vector<std::uint32_t> order;
  std::vector<std::uint32_t> rest;
  for (const EqualCards& equal : equals) {
    order = equal.components;
    std::ranges::stable_sort(order, [&](std::uint32_t a, std::uint32_t b) { return states.less(use[a], use[b]); });
    std::size_t kept = order.size();
    if (most && equal.alone) {
      rest.clear();
      kept = 0;
      std::size_t run = 0;
      for (std::size_t i = 0; i < order.size(); ++i) {
        run = kept > 0 && use[order[i]] == use[order[kept - 1]] ? run + 1 : 1;
        if (run <= *most && !states.is_full(use[order[i]])) {
          order[kept++] = order[i];
        } else {
          rest.push_back(order[i]);
        }
      }
      std::ranges::copy(rest, order.begin() + static_cast<std::ptrdiff_t>(kept));
    }
    if (order != equal.components) {
      if (arrangement.component.empty()) {
        arrangement.component.resize(use.size());
        std::iota(arrangement.component.begin(), arrangement.component.end(), 0U);
      }
      for (std::size_t i = 0; i < order.size(); ++i) arrangement.component[equal.components[i]] = order[i];
    }
    if (kept == order.size()) continue;
    arrangement.left_out.resize(use.size());
    for (std::size_t i = kept; i < order.size(); ++i) arrangement.left_out[equal.components[i]] = true;
  }
}

NodeDevices arranged(const NodeDevices& node, const Arrangement& arrangement, std::vector<std::uint32_t>& places) {
  NodeDevices result{.node = node.node, .pools = node.pools, .slices = node.slices, .devices = {}, .components = {}};
  places.clear();
  std::vector<std::uint32_t> number(node.components.size());  // by place: in the result
  for (std::uint32_t place = 0; place < node.components.size(); ++place) {
    if (!arrangement.left_out.empty() && arrangement.left_out[place]) continue;
    const DeviceComponent& to = node.components[place];
    const DeviceComponent& from = arrangement.component.empty() ? to : node.components[arrangement.component[place]];
    number[place] = static_cast<std::uint32_t>(result.components.size());
    result.components.push_back({.pool = to.pool, .members = {}, .counters = from.counters, .shape = to.shape});
  }
  for (NodePool& pool : result.pools) {
    const std::uint32_t first = pool.first_device;
    pool.first_device = static_cast<std::uint32_t>(result.devices.size());
    for (std::uint32_t position = first; position < first + pool.device_count; ++position) {
      const std::uint32_t place = node.devices[position].component;
      if (!arrangement.left_out.empty() && arrangement.left_out[place]) continue;
      const std::uint32_t from = arrangement.component.empty() ? place : arrangement.component[place];
      PlacedDevice device = node.devices[node.components[from].members[node.devices[position].member]];
      device.component = number[place];
      result.components[device.component].members.push_back(static_cast<std::uint32_t>(result.devices.size()));
      result.devices.push_back(device);
      if (!node.device_targets.empty())
        result.device_targets.push_back(
            node.device_targets[node.components[from].members[node.devices[position].member]]);
      places.push_back(position);
    }
    pool.device_count = static_cast<std::uint32_t>(result.devices.size()) - pool.first_device;
  }
  return result;
}

std::vector<ClaimAllocation> carried_over(const std::vector<ClaimAllocation>& claims, const NodeDevices& node,
                                          const Arrangement& arrangement) {
  std::vector<ClaimAllocation> result = claims;
  for (ClaimAllocation& claim : result) {
    for (DeviceAllocation& device : claim.devices) {
      if (!arrangement.component.empty()) {
        const PlacedDevice& place = node.devices[device.placed];
        device.placed = node.components[arrangement.component[place.component]].members[place.member];
      }
      device.device = node.devices[device.placed].id;
    }
    if (arrangement.component.empty()) continue;
    std::ranges::sort(claim.devices, {},
                      [](const DeviceAllocation& one) { return std::tuple(one.request, one.placed); });
  }
  return result;
}

}  // namespace berth::engine::devices
