#include "engine/devices/bounds.h"

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <utility>

#include "base/sort_unique.h"
#include "engine/devices/share_bounds.h"

namespace berth::engine::devices {
namespace {

constexpr std::int64_t kUnbounded = std::numeric_limits<std::int64_t>::max();
constexpr Quantity kScale = Quantity{1} << 20U;

bool concerns(const ConstraintState& state, const Trial::Option& option) {
  return state.concerns(option.request, option.index);
}

// Who wants one of some values, each of which serves so many: a matching that grows by one at a time (Kuhn).
class ValueMatching {
 public:
  // Says it again: nothing changes.
  void offer(ValueId value, std::int64_t times) { offers_[value].times = times; }

  // One more that takes one of these. False: not beside those before, however they are put.
  bool serve(const std::vector<ValueId>& choices) {
    choices_.push_back(&choices);
    asked_.clear();
    return give(choices_.size() - 1);
  }

 private:
  struct Offer {
    std::int64_t times = 0;
    std::vector<std::size_t> takers{};
  };

  bool give(std::size_t taker) {
    return std::ranges::any_of(*choices_[taker], [&](ValueId value) {
      if (!asked_.insert(value).second) return false;
      Offer& offer = offers_[value];
      if (std::ssize(offer.takers) < offer.times) {
        offer.takers.push_back(taker);
        return true;
      }
      const auto leaves = std::ranges::find_if(offer.takers, [this](std::size_t other) { return give(other); });
      if (leaves == offer.takers.end()) return false;
      *leaves = taker;
      return true;
    });
  }

  std::map<ValueId, Offer> offers_;
  std::vector<const std::vector<ValueId>*> choices_;  // by taker
  std::set<ValueId> asked_;                           // for the one under way
};

}  // namespace

bool Bounds::may_be_had(std::span<const OpenDemand> demands, std::uint64_t& work) {
  return std::ranges::all_of(demands, [this](const OpenDemand& demand) { return enough_each(demand); }) &&
         devices_suffice(demands, work) && constraints_allow(demands, work) && counters_suffice(demands) &&
         cards_suffice(demands);
}

bool Bounds::takes_counters(const OpenDemand& demand) const {
  return !trial_.option(demand.option()).admin && std::ranges::all_of(demand.usable, [this](std::uint32_t device) {
    const PlacedDevice& placed = trial_.devices()[device];
    return placed.counters != nullptr && !placed.counters->empty() && !trial_.shareable(device);
  });
}

bool Bounds::enough_each(const OpenDemand& demand) {
  const std::int64_t missing = demand.missing();
  if (static_cast<std::int64_t>(demand.usable.size()) < missing) return false;
  return missing < 2 || trial_.option(demand.option()).admin || counters_allow(demand.usable) >= missing;
}

bool Bounds::devices_suffice(std::span<const OpenDemand> demands, std::uint64_t& work) {
  std::vector<const OpenDemand*> pointers;
  for (const OpenDemand& demand : demands) {
    work += demand.usable.size();
    pointers.push_back(&demand);
  }
  return enough_devices(pointers, work);
}

// The demands with the least to choose from, and then with the next as well: together they need as many devices.
bool Bounds::enough_devices(std::span<const OpenDemand* const> demands, std::uint64_t& work) {
  std::vector<const OpenDemand*> order;
  bool shares = false;
  for (const OpenDemand* demand : demands) {
    if (trial_.option(demand->option()).admin) continue;
    order.push_back(demand);
    shares = shares || std::ranges::any_of(demand->usable, [this](auto device) { return trial_.shareable(device); });
  }
  if (shares) return ShareBounds(trial_, std::move(order)).may_be_had(work);
  std::ranges::stable_sort(order, {}, [](const OpenDemand* demand) { return demand->usable.size(); });
  std::vector<bool> seen(trial_.devices().size());
  std::int64_t found = 0;
  std::int64_t wanted = 0;
  for (const OpenDemand* demand : order) {
    wanted += demand->missing();
    for (const std::uint32_t device : demand->usable) {
      found += seen[device] ? 0 : 1;
      seen[device] = true;
    }
    if (found < wanted) return false;
  }
  return true;
}

// --- Constraints ----------------------------------------------------------------------------------------------------

bool Bounds::constraints_allow(std::span<const OpenDemand> demands, std::uint64_t& work) {
  std::vector<Match> matches;
  for (std::uint32_t claim = 0; claim < trial_.question().claims.size(); ++claim) {
    for (const ConstraintState& state : trial_.constraints(claim)) {
      if (state.lists()) continue;
      std::vector<const OpenDemand*> concerned;
      for (const OpenDemand& demand : demands) {
        const Trial::Option& option = trial_.option(demand.option());
        if (option.claim == claim && concerns(state, option)) concerned.push_back(&demand);
      }
      if (concerned.empty()) continue;
      const bool match = state.constraint().kind == Constraint::Kind::kMatch;
      if (match ? !one_value_for_all(state, concerned, work) : !values_for_each(state, concerned)) return false;
      const auto takes_for_itself = [&](const OpenDemand* demand) {
        return !trial_.option(demand->option()).admin &&
               std::ranges::none_of(demand->usable, [this](auto device) { return trial_.shareable(device); });
      };
      // Who is in two of them would be counted twice.
      const auto counted = [&](const OpenDemand* demand) {
        return std::ranges::any_of(matches, [&](const Match& other) {
          return other.state->constraint().attribute == state.constraint().attribute &&
                 std::ranges::find(other.concerned, demand) != other.concerned.end();
        });
      };
      if (match && std::ranges::all_of(concerned, takes_for_itself) && std::ranges::none_of(concerned, counted))
        matches.push_back({&state, std::move(concerned)});
    }
  }
  std::ranges::stable_sort(matches, {}, [](const Match& match) { return match.state->constraint().attribute; });
  for (std::span<const Match> rest = matches; !rest.empty();) {
    const auto other = std::ranges::find_if(rest, [&](const Match& match) {
      return match.state->constraint().attribute != rest.front().state->constraint().attribute;
    });
    const auto count = static_cast<std::size_t>(other - rest.begin());
    if (count > 1 && !values_for_all(rest.first(count), work)) return false;
    rest = rest.subspan(count);
  }
  return true;
}

// A value with n devices serves as many of the matches as n has room for what the least of them misses.
bool Bounds::values_for_all(std::span<const Match> matches, std::uint64_t& work) const {
  struct Offer {
    std::set<std::uint32_t> devices;
    std::int64_t least = kUnbounded;  // that a match which may have the value misses
  };
  std::map<ValueId, Offer> offers;
  std::vector<std::vector<ValueId>> choices;
  for (const auto& [state, concerned] : matches) {
    std::map<ValueId, std::vector<std::int64_t>> usable;  // by value: devices for each demand
    std::int64_t missing = 0;
    for (std::size_t d = 0; d < concerned.size(); ++d) {
      missing += concerned[d]->missing();
      work += concerned[d]->usable.size();
      for (const std::uint32_t device : concerned[d]->usable) {
        const ValueId value = value_of(*state, device);
        auto& counts = usable[value];
        counts.resize(concerned.size());
        ++counts[d];
        offers[value].devices.insert(device);
      }
    }
    std::vector<ValueId>& values = choices.emplace_back();
    for (const auto& [value, counts] : usable) {
      bool enough = true;
      for (std::size_t d = 0; d < concerned.size(); ++d) enough = enough && counts[d] >= concerned[d]->missing();
      if (!enough) continue;
      offers[value].least = std::min(offers[value].least, missing);
      values.push_back(value);
    }
  }
  ValueMatching matching;
  for (const auto& [value, offer] : offers) matching.offer(value, std::ssize(offer.devices) / offer.least);
  return std::ranges::all_of(choices, [&](const auto& values) { return matching.serve(values); });
}

ValueId Bounds::value_of(const ConstraintState& state, std::uint32_t device) const {
  return trial_.question().catalogue->attribute(trial_.devices()[device].kind, state.constraint().attribute);
}

bool Bounds::one_value_for_all(const ConstraintState& state, std::span<const OpenDemand* const> concerned,
                               std::uint64_t& work) {
  std::vector<std::map<ValueId, std::vector<std::uint32_t>>> usable;
  for (const OpenDemand* demand : concerned) {
    auto& of_demand = usable.emplace_back();
    for (const std::uint32_t device : demand->usable) of_demand[value_of(state, device)].push_back(device);
    work += demand->usable.size();
  }
  return std::ranges::any_of(usable.front(), [&](const auto& entry) {
    std::vector<OpenDemand> here;
    std::vector<const OpenDemand*> pointers;
    here.reserve(concerned.size());
    for (std::size_t i = 0; i < concerned.size(); ++i) {
      const auto found = usable[i].find(entry.first);
      if (found == usable[i].end() || std::ssize(found->second) < concerned[i]->missing()) return false;
      pointers.push_back(&here.emplace_back(concerned[i]->options, found->second));
    }
    return pointers.size() < 2 || enough_devices(pointers, work);
  });
}

// Each device that is missing takes a value of its own.
bool Bounds::values_for_each(const ConstraintState& state, std::span<const OpenDemand* const> concerned) const {
  std::vector<std::vector<ValueId>> values;  // by demand
  ValueMatching matching;
  for (const OpenDemand* demand : concerned) {
    std::vector<ValueId>& of_demand = values.emplace_back();
    for (const std::uint32_t device : demand->usable) of_demand.push_back(value_of(state, device));
    sort_unique(of_demand);
    if (std::ssize(of_demand) < demand->missing()) return false;
    for (const ValueId value : of_demand) matching.offer(value, 1);
  }
  for (std::size_t demand = 0; demand < concerned.size(); ++demand) {
    for (std::int64_t i = 0; i < concerned[demand]->missing(); ++i) {
      if (!matching.serve(values[demand])) return false;
    }
  }
  return true;
}

// --- Counters -------------------------------------------------------------------------------------------------------

// What a device takes of the counter at this place of its card.
Quantity Bounds::amount(std::uint32_t device, std::uint32_t place) const {
  const PlacedDevice& placed = trial_.devices()[device];
  const std::uint32_t counter = trial_.question().node->components[placed.component].counters[place];
  const auto use = std::ranges::lower_bound(*placed.counters, counter, {}, &CounterUse::counter);
  return use == placed.counters->end() || use->counter != counter ? Quantity{0} : use->amount;
}

// At most so many of the devices, in order, can be had at once: of a card whose devices all consume some counter as
// many as its smallest consumers leave room for.
std::int64_t Bounds::counters_allow(const std::vector<std::uint32_t>& devices) {
  std::map<std::uint32_t, std::vector<std::uint32_t>> cards;
  std::int64_t most = 0;
  for (const std::uint32_t device : devices) {
    const PlacedDevice& placed = trial_.devices()[device];
    if (placed.counters == nullptr || placed.counters->empty() || trial_.shareable(device)) {
      ++most;
    } else {
      cards[placed.component].push_back(device);
    }
  }
  for (const auto& [component, members] : cards) {
    const std::vector<Quantity>& left = trial_.counters_left(trial_.devices()[members.front()].pool);
    const std::vector<std::uint32_t>& counters = trial_.question().node->components[component].counters;
    std::int64_t of_card = std::min(static_cast<std::int64_t>(members.size()), slots_allow(members));
    for (std::uint32_t place = 0; place < counters.size(); ++place) {
      std::vector<Quantity> amounts;
      for (const std::uint32_t member : members) amounts.push_back(amount(member, place));
      std::ranges::sort(amounts);
      if (amounts.front() == 0) continue;
      Quantity sum = 0;
      std::int64_t fit = 0;
      for (const Quantity amount : amounts) {
        sum += amount;
        if (sum > left[counters[place]]) break;
        ++fit;
      }
      of_card = std::min(of_card, fit);
    }
    most += of_card;
  }
  return most;
}

// Slots are counters that are taken as a whole or not at all. If each of the devices takes slots of a set, there are no
// more devices than the set has slots. The set is that of the devices with the fewest.
std::int64_t Bounds::slots_allow(const std::vector<std::uint32_t>& members) {
  const DeviceComponent& card = trial_.question().node->components[trial_.devices()[members.front()].component];
  const std::vector<Quantity>& totals = *trial_.question().node->pools[card.pool].counters;
  const std::vector<Quantity>& left = trial_.counters_left(card.pool);
  std::vector<std::vector<std::uint32_t>> slots(members.size());
  for (std::uint32_t place = 0; place < card.counters.size(); ++place) {
    const Quantity total = totals[card.counters[place]];
    const bool slot = std::ranges::all_of(members, [&](std::uint32_t member) {
      const Quantity taken = amount(member, place);
      return taken == 0 || taken == total;
    });
    if (!slot || total <= 0) continue;
    for (std::size_t i = 0; i < members.size(); ++i) {
      if (amount(members[i], place) == total) slots[i].push_back(place);
    }
  }
  const std::size_t fewest = std::ranges::min(slots, {}, &std::vector<std::uint32_t>::size).size();
  std::set<std::uint32_t> covered;
  for (const std::vector<std::uint32_t>& of_member : slots) {
    if (of_member.size() == fewest) covered.insert(of_member.begin(), of_member.end());
  }
  std::int64_t each = kUnbounded;
  for (const std::vector<std::uint32_t>& of_member : slots) {
    each = std::min<std::int64_t>(each, std::ranges::count_if(of_member, [&](auto p) { return covered.contains(p); }));
  }
  if (each == 0) return kUnbounded;
  const auto free = std::ranges::count_if(
      covered, [&](auto place) { return left[card.counters[place]] >= totals[card.counters[place]]; });
  return free / each;
}

Bounds::Amounts Bounds::taken_by(std::uint32_t device) const {
  const DeviceComponent& card = trial_.question().node->components[trial_.devices()[device].component];
  const std::vector<Quantity>& totals = *trial_.question().node->pools[card.pool].counters;
  Amounts result;
  Quantity share = 0;
  for (std::uint32_t place = 0; place < card.counters.size(); ++place) {
    const Quantity total = totals[card.counters[place]];
    result.push_back(amount(device, place));
    if (total > 0) share += std::min(result.back(), total) * kScale / total;
  }
  result.push_back(share);
  return result;
}

Bounds::Amounts Bounds::left_of(const DeviceComponent& card) {
  const std::vector<Quantity>& left = trial_.counters_left(card.pool);
  const std::vector<Quantity>& totals = *trial_.question().node->pools[card.pool].counters;
  Amounts result;
  Quantity share = 0;
  for (const std::uint32_t counter : card.counters) {
    result.push_back(std::max<Quantity>(left[counter], 0));
    if (totals[counter] > 0) share += result.back() * kScale / totals[counter] + 1;
  }
  result.push_back(share);
  return result;
}

Bounds::Amounts Bounds::least_of(const OpenDemand& demand, std::uint32_t& shape) const {
  const NodeDevices& node = *trial_.question().node;
  Amounts least;
  if (!takes_counters(demand)) return least;
  std::set<std::uint32_t> members;  // equal places on cards of one shape take the same
  shape = node.components[trial_.devices()[demand.usable.front()].component].shape;
  for (const std::uint32_t device : demand.usable) {
    const PlacedDevice& placed = trial_.devices()[device];
    if (node.components[placed.component].shape != shape) return {};
    if (!members.insert(placed.member).second) continue;
    const Amounts taken = taken_by(device);
    if (least.empty()) least = taken;
    for (std::size_t i = 0; i < least.size(); ++i) least[i] = std::min(least[i], taken[i]);
  }
  return least;
}

// Summed over all demands, against what is left on all cards of one shape.
bool Bounds::counters_suffice(std::span<const OpenDemand> demands) {
  std::map<std::uint32_t, Amounts> wanted;  // by shape
  for (const OpenDemand& demand : demands) {
    std::uint32_t shape = 0;
    const Amounts least = least_of(demand, shape);
    Amounts& sum = wanted[shape];
    sum.resize(std::max(sum.size(), least.size()));
    for (std::size_t i = 0; i < least.size(); ++i) sum[i] += least[i] * demand.missing();
  }
  for (auto& [shape, sum] : wanted) {
    if (sum.empty()) continue;
    for (const DeviceComponent& card : trial_.question().node->components) {
      if (card.shape != shape) continue;
      const Amounts left = left_of(card);
      for (std::size_t i = 0; i < left.size(); ++i) sum[i] -= left[i];
    }
    if (std::ranges::any_of(sum, [](Quantity missing) { return missing > 0; })) return false;
  }
  return true;
}

// Claims that a matchAttribute keeps on one card each: what one takes at least, and how many there are of each such.
bool Bounds::cards_suffice(std::span<const OpenDemand> demands) {
  const NodeDevices& node = *trial_.question().node;
  std::map<std::pair<std::uint32_t, Amounts>, std::int64_t> bundles;  // by shape and amounts
  for (std::uint32_t claim = 0; claim < trial_.question().claims.size(); ++claim) {
    for (const ConstraintState& state : trial_.constraints(claim)) {
      if (state.lists() || state.constraint().kind != Constraint::Kind::kMatch || !state.values().empty()) continue;
      std::map<ValueId, std::uint32_t> card_of;
      std::set<std::uint32_t> shapes;
      Amounts sum;
      bool confined = true;
      std::int64_t devices = 0;
      for (const OpenDemand& demand : demands) {
        const Trial::Option& option = trial_.option(demand.option());
        if (option.claim != claim || !concerns(state, option)) continue;
        std::uint32_t shape = 0;
        const Amounts least = least_of(demand, shape);
        shapes.insert(shape);
        confined =
            confined && !least.empty() && shapes.size() == 1 &&
            std::ranges::all_of(demand.usable, [&](std::uint32_t device) {
              const PlacedDevice& placed = trial_.devices()[device];
              return card_of.try_emplace(value_of(state, device), placed.component).first->second == placed.component;
            });
        if (!confined) break;
        sum.resize(least.size());
        for (std::size_t i = 0; i < least.size(); ++i) sum[i] += least[i] * demand.missing();
        devices += demand.missing();
      }
      if (!confined || devices < 2) continue;
      ++bundles[{*shapes.begin(), std::move(sum)}];
      break;
    }
  }
  return std::ranges::all_of(bundles, [&](const auto& entry) {
    const auto& [shape, amounts] = entry.first;
    Quantity fit = 0;
    for (const DeviceComponent& card : node.components) {
      if (card.shape != shape) continue;
      const Amounts left = left_of(card);
      Quantity here = entry.second;
      for (std::size_t i = 0; i < left.size(); ++i) {
        if (amounts[i] > 0) here = std::min(here, left[i] / amounts[i]);
      }
      fit += here;
    }
    return fit >= entry.second;
  });
}

}  // namespace berth::engine::devices
