#include "engine/devices/pool_plans.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "base/sort_unique.h"

namespace berth::engine::devices {

std::size_t PoolPlans::ShapeHash::operator()(const ComponentShape& shape) const {
  ContentHash hash;
  for (const CounterUse& use : shape) {
    hash.add(std::uint64_t{use.counter});
    hash.add(static_cast<std::uint64_t>(use.amount));
    hash.add(static_cast<std::uint64_t>(use.amount >> 64));
  }
  return static_cast<std::size_t>(hash.value());
}

std::expected<const PoolPlan*, PoolState> PoolPlans::plan(CounterLayouts::Layout& layout,
                                                          std::span<const PlacedDevice> devices,
                                                          std::span<const std::uint32_t> scopes) {
  key_.assign(1, layout.number());
  for (const PlacedDevice& device : devices) key_.push_back(device.consumption.value());
  key_.insert(key_.end(), scopes.begin(), scopes.end());
  const auto [entry, added] = known_.try_emplace(key_, plans_.size());
  if (added) {
    std::expected<PoolPlan, PoolState>& made = plans_.emplace_back();
    for (std::size_t i = 0; i < devices.size(); ++i) {
      made->counters.push_back(nullptr);
      if (devices[i].consumption.is_none()) continue;
      const auto uses = layouts_.resolve(layout, devices[i].consumption, scopes.empty() ? 0 : scopes[i]);
      if (!uses) {
        made = std::unexpected(uses.error());
        return std::unexpected(uses.error());
      }
      made->counters.back() = *uses;
    }
    find_components(*made, layout);
  }
  const std::expected<PoolPlan, PoolState>& plan = plans_[entry->second];
  if (!plan) return std::unexpected(plan.error());
  return &*plan;
}

// Counters that a device consumes together belong to one component; so do all devices that consume any of them.
void PoolPlans::find_components(PoolPlan& plan, const CounterLayouts::Layout& layout) {
  std::vector<std::uint32_t> parent(layout.totals().size());
  std::iota(parent.begin(), parent.end(), 0U);
  const auto root = [&parent](std::uint32_t counter) {
    while (parent[counter] != counter) counter = parent[counter] = parent[parent[counter]];
    return counter;
  };
  for (const std::vector<CounterUse>* uses : plan.counters) {
    if (uses == nullptr) continue;
    for (const CounterUse& use : *uses) parent[root(use.counter)] = root(uses->front().counter);
  }
  boost::unordered_flat_map<std::uint32_t, std::size_t> group_of;  // by root
  std::vector<std::vector<std::uint32_t>> groups;
  for (std::uint32_t i = 0; i < plan.counters.size(); ++i) {
    const std::vector<CounterUse>* uses = plan.counters[i];
    if (uses == nullptr || uses->empty()) {
      groups.push_back({i});
      continue;
    }
    const auto [entry, added] = group_of.try_emplace(root(uses->front().counter), groups.size());
    if (added) groups.emplace_back();
    groups[entry->second].push_back(i);
  }
  for (std::vector<std::uint32_t>& members : groups)
    plan.components.push_back(component(plan, layout, std::move(members)));
}

DeviceComponent PoolPlans::component(const PoolPlan& plan, const CounterLayouts::Layout& layout,
                                     std::vector<std::uint32_t> members) {
  DeviceComponent result{.pool = 0, .members = std::move(members), .counters = {}};
  for (const std::uint32_t i : result.members) {
    if (plan.counters[i] == nullptr) continue;
    for (const CounterUse& use : *plan.counters[i]) result.counters.push_back(use.counter);
  }
  sort_unique(result.counters);
  if (result.counters.empty()) return result;

  ComponentShape shape;
  for (const std::uint32_t counter : result.counters)
    shape.push_back({.counter = 0, .amount = layout.totals()[counter]});
  for (const std::uint32_t i : result.members) {
    if (plan.counters[i] == nullptr) continue;
    shape.push_back({.counter = 0, .amount = -1});  // the next member
    for (const CounterUse& use : *plan.counters[i]) {
      const auto place = std::ranges::lower_bound(result.counters, use.counter);
      shape.push_back({.counter = static_cast<std::uint32_t>(place - result.counters.begin()), .amount = use.amount});
    }
  }
  result.shape = shapes_.intern(std::move(shape)).value() + 1;
  return result;
}

}  // namespace berth::engine::devices
