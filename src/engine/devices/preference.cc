#include "engine/devices/preference.h"

#include <algorithm>

#include "base/mutant.h"
#include "engine/devices/nearness.h"
#include "engine/devices/value.h"

namespace berth::engine::devices {
namespace {

std::int64_t fraction(Quantity part, Quantity whole) {
  return whole <= 0 ? 0 : static_cast<std::int64_t>(part * kWhole / whole);
}

}  // namespace

Preference::Preference(Trial& trial) : trial_(trial) {
  const NodeDevices& node = *trial.question().node;
  sizes_.resize(node.components.size());
  for (std::uint32_t c = 0; c < node.components.size(); ++c) {
    const auto same = std::ranges::find_if(kinds_, [&](std::uint32_t first) {
      return node.components[first].pool == node.components[c].pool &&
             node.components[first].shape == node.components[c].shape;
    });
    kinds_.push_back(same == kinds_.end() ? c : *same);
  }
  for (std::uint32_t device = 0; device < node.devices.size(); ++device) {
    for (const Capacity& capacity : trial.kind(device).capacities) {
      Quantity& largest = largest_[capacity.name];
      largest = std::max(largest, capacity.value);
    }
  }
  std::vector<AttributeId> attributes(trial.question().groups.begin(), trial.question().groups.end());
  if (attributes.empty()) attributes = nearness(*trial.question().catalogue, trial.question().claims);
  for (const AttributeId attribute : attributes) {
    if (mutant("Device.Nearness")) break;
    Groups& groups = groups_.emplace_back();
    for (std::uint32_t device = 0; device < node.devices.size(); ++device) {
      const ValueId value = trial.question().catalogue->attribute(node.devices[device].kind, attribute);
      groups.values.push_back(value);
      if (!value.is_none() && !trial.question().usage->in_use(node.devices[device].id)) ++groups.free[value];
    }
  }
}

Preference::Cost Preference::cost(std::uint32_t option, std::uint32_t device) {
  const PlacedDevice& placed = trial_.devices()[device];
  Cost cost{.conditional = !placed.binding.is_none(), .tainted = !placed.taints.is_none(), .position = device};
  if (trial_.option(option).admin) return cost;
  look_at_card(device, cost);
  cost.loss = trial_.shareable(device) ? share_loss(option, device) : loss(device);
  cost.worth = worth(device);
  for (const Groups& groups : groups_) cost.group = cost.group * kWhole + free_in_group(groups, device);
  return cost;
}

void Preference::look_at_card(std::uint32_t device, Cost& cost) {
  const PlacedDevice& placed = trial_.devices()[device];
  const NodeDevices& node = *trial_.question().node;
  const DeviceComponent& component = node.components[placed.component];
  const Usage& usage = *trial_.question().usage;
  cost.apart = true;
  cost.kind = kinds_[placed.component];
  cost.fresh = true;
  for (std::uint32_t m = 0; m < component.members.size(); ++m) {
    const std::uint32_t member = component.members[m];
    const bool taken = trial_.marked(member) || !trial_.trying(member).empty();
    if (taken) cost.apart = false;
    if (!taken && !usage.in_use(trial_.devices()[member].id)) continue;
    cost.fresh = false;
    cost.use += std::uint64_t{taken ? 2U : 1U} << (2 * (m % 32));
  }
  if (component.counters.empty() || !cost.fresh) return;
  // Devices elsewhere may have some of the card.
  const std::vector<Quantity>& totals = *node.pools[component.pool].counters;
  const std::vector<Quantity>& left = trial_.counters_left(component.pool);
  cost.fresh =
      std::ranges::all_of(component.counters, [&](std::uint32_t counter) { return left[counter] == totals[counter]; });
}

// The share of the card that a partition takes: over all counters it consumes, relative to what the card has of each.
std::int64_t Preference::size(const DeviceComponent& component, std::uint32_t member) {
  // Cards of one shape have the same.
  const std::vector<DeviceComponent>& all = trial_.question().node->components;
  std::size_t place = trial_.devices()[component.members[member]].component;
  if (component.shape != 0)
    place = static_cast<std::size_t>(std::ranges::find(all, component.shape, &DeviceComponent::shape) - all.begin());
  std::vector<std::int64_t>& sizes = sizes_[place];
  if (sizes.empty()) {
    const std::vector<Quantity>& totals = *trial_.question().node->pools[component.pool].counters;
    for (const std::uint32_t device : component.members) {
      std::int64_t sum = 0;
      for (const CounterUse& use : *trial_.devices()[device].counters) sum += fraction(use.amount, totals[use.counter]);
      sizes.push_back(std::max<std::int64_t>(1, sum / static_cast<std::int64_t>(component.counters.size())));
    }
  }
  return sizes[member];
}

// The sizes of all placements of the card that are possible now and would not be any more, itself included.
std::int64_t Preference::loss(std::uint32_t device) {
  const PlacedDevice& chosen = trial_.devices()[device];
  if (chosen.counters == nullptr || chosen.counters->empty()) return kWhole;
  const DeviceComponent& component = trial_.question().node->components[chosen.component];
  const std::vector<Quantity>& left = trial_.counters_left(component.pool);
  taken_.resize(std::max(taken_.size(), left.size()));
  for (const CounterUse& use : *chosen.counters) taken_[use.counter] = use.amount;
  std::int64_t sum = 0;
  for (std::uint32_t m = 0; m < component.members.size(); ++m) {
    const std::uint32_t other = component.members[m];
    bool possible = !trial_.question().usage->in_use(trial_.devices()[other].id);
    bool lost = other == device;
    for (const CounterUse& use : *trial_.devices()[other].counters) {
      possible = possible && use.amount <= left[use.counter];
      lost = lost || use.amount > left[use.counter] - taken_[use.counter];
    }
    if (possible && lost) sum += size(component, m);
  }
  for (const CounterUse& use : *chosen.counters) taken_[use.counter] = 0;
  return sum;
}

// A fresh device costs itself; of one that is shared already the fullest is best.
std::int64_t Preference::share_loss(std::uint32_t option, std::uint32_t device) {
  const auto demand = trial_.demand(option, device);
  const std::vector<Capacity>& capacities = trial_.kind(device).capacities;
  std::int64_t left = 0;
  if (demand && (*demand)->possible && !capacities.empty()) {
    const std::vector<CapacityRequest>& consumed = trial_.question().usage->consumed(trial_.devices()[device].id);
    const std::vector<Quantity>& trying = trial_.trying(device);
    for (std::size_t i = 0; i < capacities.size(); ++i) {
      Quantity amount = capacities[i].value - (*demand)->amounts[i];
      const auto taken = std::ranges::lower_bound(consumed, capacities[i].name, {}, &CapacityRequest::name);
      if (taken != consumed.end() && taken->name == capacities[i].name) amount -= taken->amount;
      if (!trying.empty()) amount -= trying[i];
      left += fraction(amount, capacities[i].value);
    }
    left /= static_cast<std::int64_t>(capacities.size());
  }
  return trial_.shared_already(device) ? left : loss(device) + kWhole + left;
}

std::int64_t Preference::worth(std::uint32_t device) const {
  std::int64_t sum = 0;
  for (const Capacity& capacity : trial_.kind(device).capacities) {
    sum += fraction(capacity.value, largest_.find(capacity.name)->second);
  }
  return sum;
}

std::int64_t Preference::free_in_group(const Groups& groups, std::uint32_t device) const {
  const ValueId value = groups.values[device];
  if (value.is_none()) return 0;
  const auto free = groups.free.find(value);
  std::int64_t count = free == groups.free.end() ? 0 : free->second;
  for (const Trial::Taken& taken : trial_.taken()) {
    if (groups.values[taken.device] == value) --count;
  }
  return std::clamp<std::int64_t>(count, 0, kWhole - 1);
}

}  // namespace berth::engine::devices
