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

std::int64_t rank_of(const Question& question, const Answer& answer) {
  std::int64_t sum = 0;
  for (std::size_t c = 0; c < question.claims.size(); ++c) {
    for (std::size_t r = 0; r < question.claims[c]->requests.size(); ++r) {
      if (question.claims[c]->requests[r].prioritized) sum += kMostAlternatives - answer.claims[c].chosen[r];
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
  Packing(const Question& question, const Answer& answer) : question_(question), node_(*question.node) {
    taken_.resize(node_.devices.size());
    for (const ClaimAllocation& claim : answer.claims) {
      for (const DeviceAllocation& device : claim.devices) {
        if (!device.admin_access) taken_[device.placed].push_back(&device);
      }
    }
  }

  [[nodiscard]] std::int64_t score() const {
    std::vector<NameId> drivers;
    for (std::size_t i = 0; i < taken_.size(); ++i) {
      if (!taken_[i].empty()) drivers.push_back(node_.pools[node_.devices[i].pool].driver);
    }
    std::int64_t cards = 0;
    std::int64_t used = 0;
    std::int64_t lost = 0;
    std::int64_t touched = 0;
    bool in_parts = false;
    bool opened = false;
    for (const DeviceComponent& component : node_.components) {
      if (std::ranges::find(drivers, node_.pools[component.pool].driver) == drivers.end()) continue;
      const Change change = component.counters.empty() ? of_device(component.members.front()) : of_card(component);
      ++cards;
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
  [[nodiscard]] bool takes(std::uint32_t device) const { return !taken_[device].empty(); }

  // A device without counters.
  [[nodiscard]] Change of_device(std::uint32_t device) const {
    const Usage& usage = *question_.usage;
    const DeviceId id = node_.devices[device].id;
    if (usage.held(id)) return {.before = kWhole, .after = kWhole};
    const bool whole = std::ranges::any_of(taken_[device], [](const auto* one) { return !one->shared; });
    const std::vector<Capacity>& capacities = question_.catalogue->kinds.content(node_.devices[device].kind).capacities;
    Change change;
    for (const Capacity& capacity : capacities) {
      const auto find = [&](const std::vector<CapacityRequest>& list) {
        const auto found = std::ranges::find(list, capacity.name, &CapacityRequest::name);
        return found == list.end() ? Quantity{0} : found->amount;
      };
      Quantity amount = find(usage.consumed(id));
      change.before += fraction(amount, capacity.value);
      for (const DeviceAllocation* one : taken_[device]) amount += find(one->consumed);
      change.after += fraction(amount, capacity.value);
    }
    if (!capacities.empty()) {
      change.before /= static_cast<std::int64_t>(capacities.size());
      change.after /= static_cast<std::int64_t>(capacities.size());
    }
    // Who is there without taking anything has opened it all the same.
    if (usage.shares(id) > 0) change.before = std::max<std::int64_t>(change.before, 1);
    if (takes(device)) change.after = whole ? kWhole : std::max<std::int64_t>(change.after, change.before + 1);
    if (!takes(device)) change.after = change.before;
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
  std::vector<std::vector<const DeviceAllocation*>> taken_;  // by device of the node
};

}  // namespace

AllocationValue value_of(const Question& question, const Answer& answer) {
  return {.rank = rank_of(question, answer), .packing = Packing(question, answer).score()};
}

}  // namespace berth::engine::devices
