#include "engine/devices/share_bounds.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "engine/devices/value.h"

namespace berth::engine::devices {
const CapacityDemand* ShareBounds::amounts(const OpenDemand& demand, std::uint32_t device) {
  const auto found = trial_.demand(demand.option(), device);
  return found && (*found)->possible ? *found : nullptr;
}

Quantity ShareBounds::left(std::uint32_t device, std::size_t capacity) const {
  const Capacity& its = trial_.kind(device).capacities[capacity];
  Quantity result = its.value;
  const std::vector<CapacityRequest>& taken = trial_.question().usage->consumed(trial_.devices()[device].id);
  const auto found = std::ranges::lower_bound(taken, its.name, {}, &CapacityRequest::name);
  if (found != taken.end() && found->name == its.name) result -= found->amount;
  const std::vector<Quantity>& trying = trial_.trying(device);
  return trying.empty() ? result : result - trying[capacity];
}

bool ShareBounds::may_be_had(std::uint64_t& work) {
  std::vector<std::pair<std::int64_t, const OpenDemand*>> order;
  for (const OpenDemand* demand : demands_) order.emplace_back(-size(*demand), demand);
  std::ranges::stable_sort(order, {}, [](const auto& entry) { return entry.first; });
  std::ranges::transform(order, demands_.begin(), [](const auto& entry) { return entry.second; });
  for (std::size_t count = 1; count <= order.size(); ++count) {
    const bool next_is_as_large = count < order.size() && order[count].first == order[count - 1].first;
    if (!next_is_as_large && !match(count, work)) return false;
  }
  return capacities_suffice(work);
}

std::int64_t ShareBounds::size(const OpenDemand& demand) {
  const auto shareable = std::ranges::find_if(demand.usable, [this](auto device) { return trial_.shareable(device); });
  if (shareable == demand.usable.end()) return kWhole + 1;
  const CapacityDemand* takes = amounts(demand, *shareable);
  std::int64_t most = 0;
  for (std::size_t i = 0; takes != nullptr && i < takes->amounts.size(); ++i) {
    const Quantity value = trial_.kind(*shareable).capacities[i].value;
    if (value > 0) most = std::max(most, static_cast<std::int64_t>(takes->amounts[i] * kWhole / value));
  }
  return most;
}

// --- Matching -------------------------------------------------------------------------------------------------------

bool ShareBounds::match(std::size_t count, std::uint64_t& work) {
  count_ = count;
  devices_.clear();
  for (std::size_t demand = 0; demand < count; ++demand) {
    for (std::int64_t i = 0; i < demands_[demand]->missing(); ++i) {
      for (auto& [number, device] : devices_) device.asked = false;
      work += devices_.size();
      if (!give(demand, work)) return false;
    }
  }
  return true;
}

// Gives the demand one more device, if need be one that another demand can do without.
bool ShareBounds::give(std::size_t demand, std::uint64_t& work) {
  for (const std::uint32_t number : demands_[demand]->usable) {
    ++work;
    const auto [entry, added] = devices_.try_emplace(number);
    Device& device = entry->second;  // stays where it is
    if (added) device.room = room(number, work);
    if (device.asked || std::ranges::find(device.serves, demand) != device.serves.end()) continue;
    device.asked = true;
    if (device.serves.size() < device.room) {
      device.serves.push_back(demand);
      return true;
    }
    for (std::size_t& other : device.serves) {
      if (!give(other, work)) continue;
      other = demand;
      return true;
    }
  }
  return false;
}

std::size_t ShareBounds::room(std::uint32_t device, std::uint64_t& work) {
  if (!trial_.shareable(device)) return 1;
  std::vector<const CapacityDemand*> takers;
  for (std::size_t i = 0; i < count_; ++i) {
    if (!std::ranges::binary_search(demands_[i]->usable, device)) continue;
    if (const CapacityDemand* takes = amounts(*demands_[i], device)) takers.push_back(takes);
  }
  work += count_;
  std::size_t most = takers.size();
  std::vector<Quantity> sizes;
  for (std::size_t capacity = 0; capacity < trial_.kind(device).capacities.size(); ++capacity) {
    sizes.clear();
    for (const CapacityDemand* takes : takers) sizes.push_back(takes->amounts[capacity]);
    std::ranges::sort(sizes);
    Quantity rest = left(device, capacity);
    std::size_t fit = 0;
    while (fit < sizes.size() && sizes[fit] <= rest) rest -= sizes[fit++];
    most = std::min(most, fit);
  }
  return most;
}

// --- Sums -----------------------------------------------------------------------------------------------------------

// Those with the fewest devices to choose from, and then with the next as well.
bool ShareBounds::capacities_suffice(std::uint64_t& work) {
  std::vector<const OpenDemand*> order;
  for (const OpenDemand* demand : demands_) {
    if (std::ranges::all_of(demand->usable, [this](auto device) { return trial_.shareable(device); }))
      order.push_back(demand);
  }
  std::ranges::stable_sort(order, {}, [](const OpenDemand* demand) { return demand->usable.size(); });
  std::set<std::uint32_t> seen;
  std::map<CapacityId, Quantity> rest;  // what is left, less what the demands take at least
  for (const OpenDemand* demand : order) {
    work += demand->usable.size();
    std::map<CapacityId, std::pair<Quantity, std::size_t>> least;  // and how many of the devices have the capacity
    for (const std::uint32_t device : demand->usable) {
      const CapacityDemand* takes = amounts(*demand, device);
      const std::vector<Capacity>& capacities = trial_.kind(device).capacities;
      const bool fresh = seen.insert(device).second;
      for (std::size_t i = 0; i < capacities.size(); ++i) {
        if (fresh) rest[capacities[i].name] += std::max<Quantity>(left(device, i), 0);
        if (takes == nullptr) continue;
        auto& [amount, count] = least.try_emplace(capacities[i].name, takes->amounts[i], 0).first->second;
        amount = std::min(amount, takes->amounts[i]);
        ++count;
      }
    }
    for (const auto& [name, what] : least) {
      if (what.second < demand->usable.size()) continue;
      Quantity& its = rest[name];
      its -= what.first * demand->missing();
      if (its < 0) return false;
    }
  }
  return true;
}

}  // namespace berth::engine::devices
