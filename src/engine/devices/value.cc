#include "engine/devices/value.h"

#include <algorithm>
#include <vector>

namespace berth::engine::devices {
namespace {

constexpr std::int64_t kWhole = 1024;
constexpr std::int64_t kMostAlternatives = 8;  // FirstAvailableDeviceRequestMaxSize

std::int64_t fraction(Quantity part, Quantity whole) {
  return whole <= 0 ? 0 : static_cast<std::int64_t>(std::clamp<Quantity>(part, 0, whole) * kWhole / whole);
}

std::int64_t rank_of(const Question& question, const std::vector<ClaimAllocation>& claims) {
  std::int64_t sum = 0;
  for (std::size_t c = 0; c < question.claims.size(); ++c) {
    for (std::size_t r = 0; r < question.claims[c]->requests.size(); ++r) {
      if (question.claims[c]->requests[r].prioritized) sum += kMostAlternatives - claims[c].chosen[r];
    }
  }
  return sum;
}

// One card before and after, in 1/1024.
struct Change {
  std::int64_t before = 0;
  std::int64_t after = 0;
  std::int64_t lost = 0;  // of its placements: what could be placed before and cannot after
};

class Packing {
 public:
  Packing(const Question& question, const std::vector<ClaimAllocation>& claims, std::span<const std::uint32_t> use,
          KnownFullness& known)
      : question_(question), node_(*question.node), use_(use), known_(known) {
    for (const ClaimAllocation& claim : claims) {
      for (const DeviceAllocation& device : claim.devices) {
        if (!device.admin_access) taken_.push_back(&device);
      }
    }
    std::ranges::stable_sort(taken_, {}, &DeviceAllocation::placed);
  }

  [[nodiscard]] std::int64_t score() const {
    std::vector<NameId> drivers;
    std::vector<bool> touches(node_.components.size());
    for (const DeviceAllocation* device : taken_) {
      const PlacedDevice& placed = node_.devices[device->placed];
      drivers.push_back(node_.pools[placed.pool].driver);
      touches[placed.component] = true;
    }
    std::int64_t cards = 0;
    std::int64_t used = 0;
    std::int64_t lost = 0;
    std::int64_t touched = 0;
    bool in_parts = false;
    bool opened = false;
    for (std::uint32_t c = 0; c < node_.components.size(); ++c) {
      const DeviceComponent& component = node_.components[c];
      if (std::ranges::find(drivers, node_.pools[component.pool].driver) == drivers.end()) continue;
      ++cards;
      if (!touches[c]) {
        used += before(c);
        continue;
      }
      const Change change = component.counters.empty() ? of_device(component.members.front()) : of_card(component);
      used += change.after;
      if (change.after == change.before) continue;
      ++touched;
      lost += change.lost;
      const bool part = change.before != 0 || change.after < kWhole;
      in_parts = in_parts || part;
      opened = opened || (part && change.before == 0);
    }
    if (cards == 0) return 0;
    const std::int64_t fullness = used * 100 / (cards * kWhole);
    if (!in_parts) return fullness;
    if (opened) return fullness / 2;
    return 50 + (fullness + 100 - lost * 100 / (touched * kWhole)) / 4;
  }

 private:
  [[nodiscard]] std::span<const DeviceAllocation* const> taken(std::uint32_t device) const {
    return std::ranges::equal_range(taken_, device, {}, &DeviceAllocation::placed);
  }
  [[nodiscard]] bool takes(std::uint32_t device) const { return !taken(device).empty(); }

  // How full the component is that nothing is taken from.
  [[nodiscard]] std::int64_t before(std::uint32_t number) const {
    const DeviceComponent& component = node_.components[number];
    if (component.counters.empty()) return of_device(component.members.front()).before;
    if (use_.empty()) return of_card(component).before;
    const auto [entry, added] = known_.try_emplace(std::uint64_t{component.shape} << 32U | use_[number], 0);
    if (added) entry->second = of_card(component).before;
    return entry->second;
  }

  // A device without counters.
  [[nodiscard]] Change of_device(std::uint32_t device) const {
    const Usage& usage = *question_.usage;
    const DeviceId id = node_.devices[device].id;
    if (usage.held(id)) return {.before = kWhole, .after = kWhole};
    const auto mine = taken(device);
    const bool whole = std::ranges::any_of(mine, [](const auto* one) { return !one->shared; });
    const std::vector<Capacity>& capacities = question_.catalogue->kinds.content(node_.devices[device].kind).capacities;
    Change change;
    for (const Capacity& capacity : capacities) {
      const auto find = [&](const std::vector<CapacityRequest>& list) {
        const auto found = std::ranges::find(list, capacity.name, &CapacityRequest::name);
        return found == list.end() ? Quantity{0} : found->amount;
      };
      Quantity amount = find(usage.consumed(id));
      change.before += fraction(amount, capacity.value);
      for (const DeviceAllocation* one : mine) amount += find(one->consumed);
      change.after += fraction(amount, capacity.value);
    }
    if (!capacities.empty()) {
      change.before /= static_cast<std::int64_t>(capacities.size());
      change.after /= static_cast<std::int64_t>(capacities.size());
    }
    // Who is there without taking anything has opened it all the same.
    if (usage.shares(id) > 0) change.before = std::max<std::int64_t>(change.before, 1);
    if (!mine.empty()) change.after = whole ? kWhole : std::max<std::int64_t>(change.after, change.before + 1);
    if (mine.empty()) change.after = change.before;
    change.lost = change.after - change.before;
    return change;
  }

  // A card that is cut into devices.
  [[nodiscard]] Change of_card(const DeviceComponent& component) const {
    const bool taken = std::ranges::any_of(component.members, [this](std::uint32_t member) { return takes(member); });
    const std::vector<Quantity>& totals = *node_.pools[component.pool].counters;
    std::vector<Quantity> before(totals.size());
    std::vector<Quantity> after(totals.size());
    const auto add = [](std::vector<Quantity>& to, const PlacedDevice& device) {
      for (const CounterUse& use : *device.counters) to[use.counter] += use.amount;
    };
    for (const std::uint32_t member : component.members) {
      const PlacedDevice& device = node_.devices[member];
      const bool in_use = question_.usage->in_use(device.id);
      if (in_use) add(before, device);
      if (in_use || takes(member)) add(after, device);
    }
    Change change;
    for (const std::uint32_t counter : component.counters) {
      change.before += fraction(before[counter], totals[counter]);
      change.after += fraction(after[counter], totals[counter]);
    }
    const auto count = static_cast<std::int64_t>(component.counters.size());
    change.before /= count;
    change.after /= count;
    if (taken) change.lost = lost(component, totals, before, after);
    return change;
  }

  [[nodiscard]] std::int64_t lost(const DeviceComponent& component, const std::vector<Quantity>& totals,
                                  const std::vector<Quantity>& before, const std::vector<Quantity>& after) const {
    std::int64_t all = 0;
    std::int64_t gone = 0;
    for (const std::uint32_t member : component.members) {
      const PlacedDevice& device = node_.devices[member];
      std::int64_t size = 0;
      bool was = !question_.usage->in_use(device.id);
      bool is = !takes(member);
      for (const CounterUse& use : *device.counters) {
        size += fraction(use.amount, totals[use.counter]);
        was = was && use.amount <= totals[use.counter] - before[use.counter];
        is = is && use.amount <= totals[use.counter] - after[use.counter];
      }
      all += size;
      if (was && !is) gone += size;
    }
    return all == 0 ? 0 : gone * kWhole / all;
  }

  const Question& question_;
  const NodeDevices& node_;
  std::span<const std::uint32_t> use_;  // by component; empty: not told
  KnownFullness& known_;
  std::vector<const DeviceAllocation*> taken_;  // ascending by place
};

}  // namespace

AllocationValue value_of(const Question& question, const std::vector<ClaimAllocation>& claims,
                         std::span<const std::uint32_t> use, KnownFullness& known) {
  return {.rank = rank_of(question, claims), .packing = Packing(question, claims, use, known).score()};
}

AllocationValue value_of(const Question& question, const Answer& answer) {
  KnownFullness known;
  return value_of(question, answer.claims, {}, known);
}

}  // namespace berth::engine::devices
