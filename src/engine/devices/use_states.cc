#include "engine/devices/use_states.h"

#include <algorithm>
#include <limits>

namespace berth::engine::devices {
namespace {

constexpr std::size_t kBits = 63;  // of a word that stays positive
constexpr std::int64_t kElsewhere = std::numeric_limits<std::int64_t>::min();

}  // namespace

void UseStates::describe(const NodeDevices& node, const Usage& usage, std::vector<std::uint32_t>& states) {
  states.clear();
  const NodePool* pool = nullptr;
  for (const DeviceComponent& component : node.components) {
    if (pool != &node.pools[component.pool]) sum_up_elsewhere(*(pool = &node.pools[component.pool]), usage);
    states.push_back(describe_with(node, component, usage));
  }
}

std::uint32_t UseStates::describe(const NodeDevices& node, const DeviceComponent& component, const Usage& usage) {
  sum_up_elsewhere(node.pools[component.pool], usage);
  return describe_with(node, component, usage);
}

std::uint32_t UseStates::describe_elsewhere(const NodePool& pool, const Usage& usage) {
  sum_up_elsewhere(pool, usage);
  words_.assign(1, kElsewhere);
  for (std::uint32_t counter = 0; counter < elsewhere_.size(); ++counter) {
    words_.push_back(counter);
    add_elsewhere(counter);
  }
  return contents_.intern(words_);
}

void UseStates::sum_up_elsewhere(const NodePool& pool, const Usage& usage) {
  elsewhere_.clear();
  for (const ElsewhereDevice& device : pool.elsewhere) {
    if (!usage.in_use(device.id)) continue;
    elsewhere_.resize(pool.counters->size());
    for (const CounterUse& use : *device.counters) elsewhere_[use.counter] += use.amount;
  }
}

void UseStates::add_elsewhere(std::uint32_t counter) {
  words_.push_back(static_cast<std::int64_t>(elsewhere_[counter]));
  words_.push_back(static_cast<std::int64_t>(elsewhere_[counter] >> 64));
}

std::uint32_t UseStates::describe_with(const NodeDevices& node, const DeviceComponent& component, const Usage& usage) {
  words_.assign((component.members.size() + kBits - 1) / kBits, 0);
  for (std::size_t m = 0; m < component.members.size(); ++m) {
    const DeviceId device = node.devices[component.members[m]].id;
    if (!usage.in_use(device)) continue;
    if (usage.held(device)) words_[m / kBits] |= std::int64_t{1} << (m % kBits);
    if (usage.shares(device) == 0) continue;
    words_.insert(words_.end(), {static_cast<std::int64_t>(m), usage.shares(device)});
    for (const CapacityRequest& taken : usage.consumed(device)) {
      if (taken.amount == 0) continue;  // somebody took it once
      words_.insert(words_.end(),
                    {-1 - static_cast<std::int64_t>(taken.name.value()), static_cast<std::int64_t>(taken.amount),
                     static_cast<std::int64_t>(taken.amount >> 64)});
    }
  }
  for (std::size_t place = 0; place < component.counters.size() && !elsewhere_.empty(); ++place) {
    if (elsewhere_[component.counters[place]] == 0) continue;
    words_.insert(words_.end(), {kElsewhere, static_cast<std::int64_t>(place)});
    add_elsewhere(component.counters[place]);
  }
  if (is_full(node, component, usage)) words_.insert(words_.begin(), kFull);
  return contents_.intern(words_);
}

// A card that is cut into devices, of which each is held or lacks counters.
bool UseStates::is_full(const NodeDevices& node, const DeviceComponent& component, const Usage& usage) const {
  if (component.counters.empty()) return false;
  std::vector<Quantity> left;
  bool used = false;
  for (const std::uint32_t counter : component.counters) {
    left.push_back((*node.pools[component.pool].counters)[counter]);
    if (elsewhere_.empty() || elsewhere_[counter] == 0) continue;
    used = true;
    left.back() -= elsewhere_[counter];
  }
  const auto at = [&](std::uint32_t counter) -> Quantity& {
    return left[static_cast<std::size_t>(std::ranges::lower_bound(component.counters, counter) -
                                         component.counters.begin())];
  };
  for (const std::uint32_t member : component.members) {
    const PlacedDevice& device = node.devices[member];
    if (usage.shares(device.id) > 0) return false;
    if (!usage.held(device.id)) continue;
    used = true;
    for (const CounterUse& use : *device.counters) at(use.counter) -= use.amount;
  }
  return used && std::ranges::all_of(component.members, [&](std::uint32_t member) {
           const PlacedDevice& device = node.devices[member];
           return usage.held(device.id) || std::ranges::any_of(*device.counters, [&](const CounterUse& use) {
                    return use.amount > at(use.counter);
                  });
         });
}

bool UseStates::less(std::uint32_t a, std::uint32_t b) const {
  return a != b && std::ranges::lexicographical_compare(contents_.sequence(a), contents_.sequence(b));
}

}  // namespace berth::engine::devices
