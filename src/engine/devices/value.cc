#include "engine/devices/value.h"

#include <algorithm>
#include <vector>

namespace berth::engine::devices {
namespace {

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
  bool touched = false;
  std::int64_t before = 0;
  std::int64_t after = 0;
  std::int64_t wasted = 0;  // of a touched one
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
    std::int64_t touched = 0;
    std::int64_t taken = 0;
    std::int64_t wasted = 0;
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
      ++touched;
      taken += change.after - change.before;
      wasted += change.wasted;
      const bool part = change.before != 0 || change.after < kWhole;
      in_parts = in_parts || part;
      opened = opened || (part && change.before == 0);
    }
    if (touched == 0) return 0;
    const std::int64_t fullness = used * 100 / (cards * kWhole);
    if (!in_parts) return fullness;
    const std::int64_t spared = 100 - taken * 100 / (touched * kWhole);
    if (opened) return (fullness + spared) / 4;
    return 50 + (spared + 100 - wasted * 100 / (touched * kWhole)) / 4;
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
    // How full a shared device is depends on its capacities, which the shape does not say.
    const bool shared = std::ranges::any_of(component.members, [this](std::uint32_t member) {
      return question_.usage->shares(node_.devices[member].id) > 0;
    });
    if (use_.empty() || shared) return of_card(component).before;
    const auto [entry, added] = known_.try_emplace(std::uint64_t{component.shape} << 32U | use_[number], 0);
    if (added) entry->second = of_card(component).before;
    return entry->second;
  }

  // How much of a device is used: by its capacity that is used most where it is shared, else all or nothing.
  [[nodiscard]] std::int64_t fill(std::uint32_t device, bool then) const {
    const Usage& usage = *question_.usage;
    const DeviceId id = node_.devices[device].id;
    const auto mine = taken(device);
    const bool whole = std::ranges::any_of(mine, [](const auto* one) { return !one->shared; });
    if (usage.held(id) || (then && whole)) return kWhole;
    const auto sharers = usage.shares(id) + (then ? mine.size() : 0);
    if (sharers == 0) return 0;
    std::int64_t most = 0;
    for (const Capacity& capacity : question_.catalogue->kinds.content(node_.devices[device].kind).capacities) {
      const auto find = [&](const std::vector<CapacityRequest>& list) {
        const auto found = std::ranges::find(list, capacity.name, &CapacityRequest::name);
        return found == list.end() ? Quantity{0} : found->amount;
      };
      Quantity amount = find(usage.consumed(id));
      for (const DeviceAllocation* one : mine) amount += then ? find(one->consumed) : 0;
      most = std::max(most, fraction(amount, capacity.value));
    }
    return std::max<std::int64_t>(most, 1);  // who is there without taking anything has opened it all the same
  }

  // A device without counters.
  [[nodiscard]] Change of_device(std::uint32_t device) const {
    Change change{.touched = takes(device), .before = fill(device, false), .after = fill(device, true), .wasted = 0};
    if (change.touched) change.wasted = kWhole - change.after;
    return change;
  }

  // A card that is cut into devices, or shared as one of them.
  [[nodiscard]] Change of_card(const DeviceComponent& component) const {
    const std::vector<Quantity>& totals = *node_.pools[component.pool].counters;
    // As counters are charged, and with what is left of shared devices taken off.
    std::vector<Quantity> before(totals.size());
    std::vector<Quantity> after(totals.size());
    std::vector<Quantity> used_before(totals.size());
    std::vector<Quantity> used_after(totals.size());
    std::int64_t left = 0;  // of shared devices that are touched
    Change change;
    for (const std::uint32_t member : component.members) {
      const PlacedDevice& device = node_.devices[member];
      const std::int64_t filled = fill(member, false);
      const std::int64_t then = fill(member, true);
      if (then == 0) continue;
      change.touched = change.touched || takes(member);
      std::int64_t size = 0;
      for (const CounterUse& use : *device.counters) {
        if (filled > 0) before[use.counter] += use.amount;
        after[use.counter] += use.amount;
        used_before[use.counter] += use.amount * filled / kWhole;
        used_after[use.counter] += use.amount * then / kWhole;
        size += fraction(use.amount, totals[use.counter]);
      }
      if (takes(member)) left += size * (kWhole - then) / (kWhole * std::ssize(component.counters));
    }
    for (const std::uint32_t counter : component.counters) {
      change.before += fraction(used_before[counter], totals[counter]);
      change.after += fraction(used_after[counter], totals[counter]);
    }
    change.before /= std::ssize(component.counters);
    change.after /= std::ssize(component.counters);
    if (change.touched) change.wasted = std::min(kWhole, left + lost(component, totals, before, after));
    return change;
  }

  // Of the placements on the card, by size: what could be placed before and cannot after.
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
