#include "engine/devices/completion.h"

#include <algorithm>
#include <map>
#include <utility>

#include "engine/world/content_hash.h"

namespace berth::engine::devices {
namespace {

// Of all states that are remembered together.
constexpr std::size_t kMostWords = 1U << 25U;

}  // namespace

std::size_t Completion::StateHash::operator()(const State& state) const {
  ContentHash hash;
  for (const std::uint32_t word : state) hash.add(std::uint64_t{word});
  return static_cast<std::size_t>(hash.value());
}

Completion::End Completion::run(std::vector<Demand> demands) {
  demands_ = std::move(demands);
  failed_.clear();  // what failed is told for these demands only
  words_ = 0;
  backtracked_ = false;
  admin_ = false;
  for (std::uint32_t option = 0; option < trial_.option_count(); ++option)
    admin_ = admin_ || trial_.option(option).admin;
  excluded_.assign(trial_.devices().size(), false);
  touched_.assign(trial_.question().node->components.size(), 0);
  for (const Trial::Taken& taken : trial_.taken()) ++touched_[trial_.devices()[taken.device].component];
  // Fewest candidates first; of partitions these are the largest.
  const auto choices = [this](const Demand& demand) -> std::size_t {
    if (demand.members != nullptr) return 0;
    std::size_t count = 0;
    for (std::uint32_t device = 0; device < trial_.devices().size(); ++device) count += candidate(demand, device);
    return count;
  };
  std::vector<std::pair<std::size_t, Demand>> order;
  for (const Demand& demand : demands_) order.emplace_back(choices(demand), demand);
  std::ranges::stable_sort(order, {}, [](const auto& entry) { return entry.first; });
  for (std::size_t i = 0; i < order.size(); ++i) demands_[i] = order[i].second;
  if (!demands_.empty() && !enough_for_rest(0, demands_.front().count)) return End::kFailed;
  return demand(0);
}

Completion::End Completion::demand(std::size_t number) {
  if (number == demands_.size()) return End::kDone;
  std::vector<bool> saved(trial_.devices().size());
  saved.swap(excluded_);
  const End end = demands_[number].members != nullptr ? take_all(number) : pick(number, demands_[number].count);
  saved.swap(excluded_);
  return end;
}

Completion::End Completion::take_all(std::size_t number) {
  const std::size_t before = trial_.taken().size();
  End end = End::kFailed;
  bool all = true;
  for (const std::uint32_t device : *demands_[number].members) {
    ++steps_;
    const auto verdict = trial_.take(demands_[number].option, device);
    all = verdict && verdict->taken();
    if (!all) break;
    ++touched_[trial_.devices()[device].component];
  }
  if (all) end = demand(number + 1);
  if (end == End::kDone) return end;
  backtracked_ = true;
  while (trial_.taken().size() > before) {
    --touched_[trial_.devices()[trial_.taken().back().device].component];
    trial_.give_back();
  }
  return end;
}

Completion::End Completion::pick(std::size_t number, std::int64_t missing) {
  if (missing == 0) return demand(number + 1);
  State key;
  if (backtracked_) {
    if (!enough_for_rest(number, missing)) return End::kFailed;
    key = state(number, missing);
    if (failed_.contains(key)) return End::kFailed;
  }
  const Demand& wanted = demands_[number];
  const std::vector<std::uint32_t> order = candidates(wanted);
  std::vector<std::uint32_t> left_out;
  End end = End::kFailed;
  for (const std::uint32_t device : order) {
    if (excluded_[device]) continue;
    ++steps_;
    if (trial_.question().step_limit != 0 && steps_ > trial_.question().step_limit) {
      end = End::kLimit;
      break;
    }
    const auto verdict = trial_.take(wanted.option, device);
    if (verdict && verdict->taken()) {
      ++touched_[trial_.devices()[device].component];
      excluded_[device] = true;  // a device that can be shared is not occupied, but once for each request is enough
      end = pick(number, missing - 1);
      if (end == End::kDone) return end;
      excluded_[device] = false;
      --touched_[trial_.devices()[device].component];
      trial_.give_back();
      backtracked_ = true;
      if (end == End::kLimit) break;
    }
    leave_out(device, wanted.start, left_out);
  }
  for (const std::uint32_t device : left_out) excluded_[device] = false;
  if (end == End::kFailed && !key.empty() && words_ + key.size() <= kMostWords) {
    words_ += key.size();
    failed_.insert(std::move(key));
  }
  return end;
}

bool Completion::candidate(const Demand& demand, std::uint32_t device) const {
  return device >= demand.start && symmetry_.eligible(demand.option, device) && !excluded_[device] &&
         !trial_.occupied(demand.option, device);
}

std::vector<std::uint32_t> Completion::candidates(const Demand& demand) {
  std::vector<std::uint32_t> result;
  for (std::uint32_t device = demand.start; device < trial_.devices().size(); ++device) {
    if (candidate(demand, device) && trial_.counters_suffice(demand.option, device)) result.push_back(device);
  }
  if (preference_ == nullptr) return result;
  std::vector<Preference::Cost> costs;
  costs.reserve(result.size());
  for (const std::uint32_t device : result) costs.push_back(preference_->cost(demand.option, device));
  std::ranges::sort(costs);
  std::ranges::transform(costs, result.begin(), &Preference::Cost::position);
  return result;
}

// Leaves the device out for this option, and with it its twins in cards of which nothing is taken. A card that begins
// before the start is not like one that does not.
void Completion::leave_out(std::uint32_t device, std::uint32_t start, std::vector<std::uint32_t>& left_out) {
  const auto exclude = [&](std::uint32_t one) {
    if (excluded_[one]) return;
    excluded_[one] = true;
    left_out.push_back(one);
  };
  exclude(device);
  const PlacedDevice& placed = trial_.devices()[device];
  const std::vector<DeviceComponent>& components = trial_.question().node->components;
  if (touched_[placed.component] > 0 || components[placed.component].members.front() < start) return;
  for (std::uint32_t other = 0; other < components.size(); ++other) {
    if (other == placed.component || touched_[other] > 0 || components[other].members.front() < start ||
        symmetry_.component_class(other) != symmetry_.component_class(placed.component)) {
      continue;
    }
    exclude(components[other].members[placed.member]);
  }
}

// Are there as many candidates left as the demand misses, for some value of each match constraint, and enough values
// for each distinct one?
bool Completion::enough_for(const Demand& demand, std::int64_t missing) {
  const Trial::Option& where = trial_.option(demand.option);
  const Catalogue& catalogue = *trial_.question().catalogue;
  std::vector<std::uint32_t> usable;
  for (std::uint32_t device = demand.start; device < trial_.devices().size(); ++device) {
    if (!candidate(demand, device) || !trial_.counters_suffice(demand.option, device)) continue;
    const bool admitted = std::ranges::all_of(trial_.constraints(where.claim), [&](const ConstraintState& state) {
      return !state.concerns(where.request, where.index) ||
             state.admits(catalogue.attribute(trial_.devices()[device].kind, state.constraint().attribute));
    });
    if (admitted) usable.push_back(device);
  }
  if (static_cast<std::int64_t>(usable.size()) < missing) return false;
  if (missing > 1 && !where.admin && counters_allow(usable) < missing) return false;
  for (const ConstraintState& state : trial_.constraints(where.claim)) {
    if (state.lists() || !state.concerns(where.request, where.index)) continue;
    std::map<ValueId, std::int64_t> counts;
    for (const std::uint32_t device : usable) {
      ++counts[catalogue.attribute(trial_.devices()[device].kind, state.constraint().attribute)];
    }
    const bool match = state.constraint().kind == Constraint::Kind::kMatch;
    if (!match && static_cast<std::int64_t>(counts.size()) < missing) return false;
    if (match && std::ranges::none_of(counts, [&](const auto& entry) { return entry.second >= missing; })) return false;
  }
  return true;
}

// At most so many of the devices, in order, can be had at once: of a card whose devices all consume some counter as
// many as its smallest consumers leave room for.
std::int64_t Completion::counters_allow(const std::vector<std::uint32_t>& devices) {
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
    auto of_card = static_cast<std::int64_t>(members.size());
    for (const CounterUse& common : *trial_.devices()[members.front()].counters) {
      std::vector<Quantity> amounts;
      for (const std::uint32_t member : members) {
        const std::vector<CounterUse>& uses = *trial_.devices()[member].counters;
        const auto use = std::ranges::lower_bound(uses, common.counter, {}, &CounterUse::counter);
        if (use == uses.end() || use->counter != common.counter) break;
        amounts.push_back(use->amount);
      }
      if (amounts.size() < members.size()) continue;
      std::ranges::sort(amounts);
      Quantity sum = 0;
      std::int64_t fit = 0;
      for (const Quantity amount : amounts) {
        sum += amount;
        if (sum > left[common.counter]) break;
        ++fit;
      }
      of_card = std::min(of_card, fit);
    }
    most += of_card;
  }
  return most;
}

bool Completion::enough_for_rest(std::size_t number, std::int64_t missing) {
  if (demands_[number].members == nullptr && !enough_for(demands_[number], missing)) return false;
  // What is left out is left out for this option only.
  std::vector<bool> saved(trial_.devices().size());
  saved.swap(excluded_);
  bool enough = true;
  for (std::size_t i = number + 1; enough && i < demands_.size(); ++i) {
    enough = demands_[i].members != nullptr || enough_for(demands_[i], demands_[i].count);
  }
  enough = enough && enough_in_sum(number, missing);
  saved.swap(excluded_);
  return enough;
}

// A device serves one of the demands, unless it can be shared or is only looked at.
bool Completion::enough_in_sum(std::size_t number, std::int64_t missing) const {
  std::int64_t wanted = 0;
  for (std::size_t i = number; i < demands_.size(); ++i) {
    if (demands_[i].members == nullptr && !trial_.option(demands_[i].option).admin)
      wanted += i == number ? missing : demands_[i].count;
  }
  std::int64_t found = 0;
  for (std::uint32_t device = 0; found < wanted && device < trial_.devices().size(); ++device) {
    for (std::size_t i = number; i < demands_.size(); ++i) {
      if (demands_[i].members != nullptr || trial_.option(demands_[i].option).admin || !candidate(demands_[i], device))
        continue;
      if (trial_.shareable(device)) return true;
      ++found;
      break;
    }
  }
  return found >= wanted;
}

// All that decides whether the rest can be completed.
Completion::State Completion::state(std::size_t number, std::int64_t missing) {
  State result{static_cast<std::uint32_t>(number), static_cast<std::uint32_t>(missing)};
  std::vector<std::pair<std::uint32_t, std::uint32_t>> taken;  // device and how
  for (const Trial::Taken& one : trial_.taken()) {
    const Trial::Option& option = trial_.option(one.option);
    const std::uint32_t how = one.demand != nullptr ? one.option
                              : admin_              ? 2 * option.claim + (option.admin ? 1 : 0)
                                                    : 0;
    taken.emplace_back(one.device, how);
  }
  std::ranges::sort(taken);
  for (const auto& [device, how] : taken) result.insert(result.end(), {device, how});
  result.push_back(Id<void>::none().value());
  for (std::uint32_t c = 0; c < trial_.question().claims.size(); ++c) {
    for (const ConstraintState& state : trial_.constraints(c)) {
      if (!state.common().empty()) {
        for (const AtomId atom : state.common().back()) result.push_back(atom.value());
      } else if (state.constraint().kind == Constraint::Kind::kMatch) {
        if (!state.values().empty()) result.push_back(state.values().front().value());
      } else {
        std::vector<ValueId> values = state.values();
        std::ranges::sort(values);
        for (const ValueId value : values) result.push_back(value.value());
      }
      result.push_back(Id<void>::none().value());
    }
  }
  for (std::uint32_t device = 0; device < excluded_.size(); ++device) {
    if (excluded_[device]) result.push_back(device);
  }
  return result;
}

}  // namespace berth::engine::devices
