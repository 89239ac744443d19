#include "engine/devices/completion.h"

#include <algorithm>
#include <utility>

#include "base/mutant.h"
#include "base/sort_unique.h"
#include "engine/devices/amount_words.h"
#include "engine/world/content_hash.h"

namespace berth::engine::devices {
namespace {

// Of all states that are remembered together.
constexpr std::size_t kMostWords = 1U << 25U;

// Devices looked at that cost as much time as a candidate that is tried.
constexpr std::uint64_t kWorkPerStep = 32;

}  // namespace

std::size_t Completion::StateHash::operator()(const State& state) const {
  ContentHash hash;
  for (const std::uint32_t word : state) hash.add(std::uint64_t{word});
  return static_cast<std::size_t>(hash.value());
}

Completion::End Completion::run(const std::vector<Demand>& demands) {
  demands_ = grouped(demands);
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
  const auto choices = [this](const Group& demand) -> std::size_t {
    if (demand.members != nullptr) return 0;
    std::size_t count = 0;
    for (std::uint32_t device = 0; device < trial_.devices().size(); ++device)
      count += candidate(demand, demand.options.front(), device) ? 1U : 0U;
    return count;
  };
  std::vector<std::pair<std::size_t, Group>> order;
  for (Group& demand : demands_) {
    const std::size_t count = choices(demand);
    order.emplace_back(count, std::move(demand));
  }
  std::ranges::stable_sort(order, {}, [](const auto& entry) { return entry.first; });
  for (std::size_t i = 0; i < order.size(); ++i) demands_[i] = std::move(order[i].second);
  charge(demands_.size() * trial_.devices().size());
  if (!demands_.empty() && !enough_for_rest(0, demands_.front().missing())) return End::kFailed;
  return demand(0);
}

// Demands that cannot be told apart become one.
std::vector<Completion::Group> Completion::grouped(const std::vector<Demand>& demands) const {
  std::vector<Group> result;
  for (const Demand& demand : demands) {
    if (demand.members != nullptr) {
      result.push_back({.options = {demand.option}, .start = demand.start, .members = demand.members});
      continue;
    }
    auto its = std::ranges::find_if(result, [&](const Group& other) {
      return other.members == nullptr && other.start == 0 && demand.start == 0 &&
             symmetry_.option_class(other.options.front()) == symmetry_.option_class(demand.option);
    });
    if (its == result.end()) {
      result.push_back({.options = {}, .start = demand.start, .members = nullptr});
      its = result.end() - 1;
    }
    its->options.insert(its->options.end(), static_cast<std::size_t>(demand.count), demand.option);
  }
  std::erase_if(result, [](const Group& group) { return group.options.empty(); });
  return result;
}

Completion::End Completion::demand(std::size_t number) {
  if (number == demands_.size()) return End::kDone;
  std::vector<bool> saved(trial_.devices().size());
  saved.swap(excluded_);
  const End end = demands_[number].members != nullptr ? take_all(number) : pick(number, demands_[number].missing());
  saved.swap(excluded_);
  return end;
}

Completion::End Completion::take_all(std::size_t number) {
  const std::size_t before = trial_.taken().size();
  End end = End::kFailed;
  bool all = true;
  for (const std::uint32_t device : *demands_[number].members) {
    ++effort_.steps;
    const auto verdict = trial_.take(demands_[number].options.front(), device);
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
  const Group& wanted = demands_[number];
  const std::uint32_t option = wanted.options[wanted.options.size() - static_cast<std::size_t>(missing)];
  const std::vector<std::uint32_t> order = candidates(wanted, option);
  std::vector<std::uint32_t> left_out;
  End end = End::kFailed;
  for (const std::uint32_t device : order) {
    if (excluded_[device]) continue;
    ++effort_.steps;
    if (effort_.spent()) {
      end = End::kLimit;
      break;
    }
    const auto verdict = trial_.take(option, device);
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
    if (!mutant("Device.FailureMemo")) failed_.insert(std::move(key));
  }
  return end;
}

bool Completion::candidate(const Group& demand, std::uint32_t option, std::uint32_t device) const {
  return device >= demand.start && symmetry_.eligible(option, device) && !excluded_[device] &&
         !trial_.occupied(option, device);
}

std::vector<std::uint32_t> Completion::candidates(const Group& demand, std::uint32_t option) {
  std::vector<std::uint32_t> result;
  for (std::uint32_t device = demand.start; device < trial_.devices().size(); ++device) {
    if (candidate(demand, option, device) && trial_.counters_suffice(option, device)) result.push_back(device);
  }
  if (backtracked_) charge(trial_.devices().size());
  if (preference_ == nullptr) return result;
  std::vector<Preference::Cost> costs;
  costs.reserve(result.size());
  for (const std::uint32_t device : result) costs.push_back(preference_->cost(option, device));
  std::ranges::sort(costs);
  std::ranges::transform(costs, result.begin(), &Preference::Cost::position);
  return result;
}

// Leaves the device out for this option, and with it its twins in cards that stand alike. A card that begins before the
// start is not like one that does not.
void Completion::leave_out(std::uint32_t device, std::uint32_t start, std::vector<std::uint32_t>& left_out) {
  const auto exclude = [&](std::uint32_t one) {
    if (excluded_[one]) return;
    excluded_[one] = true;
    left_out.push_back(one);
  };
  exclude(device);
  const PlacedDevice& placed = trial_.devices()[device];
  const std::vector<DeviceComponent>& components = trial_.question().node->components;
  if (components[placed.component].members.front() < start) return;
  for (std::uint32_t other = 0; other < components.size(); ++other) {
    if (other == placed.component || components[other].members.front() < start ||
        symmetry_.component_class(other) != symmetry_.component_class(placed.component) ||
        !stand_alike(placed.component, other, placed.member)) {
      continue;
    }
    exclude(components[other].members[placed.member]);
  }
}

// Of two equal cards: nothing was taken of either, or the same shares of the same devices, and the demand being filled
// may have the same of both. The member is the one that was tried.
bool Completion::stand_alike(std::uint32_t one, std::uint32_t other, std::uint32_t member) const {
  if (touched_[one] == 0 && touched_[other] == 0) return true;
  const std::vector<DeviceComponent>& components = trial_.question().node->components;
  for (std::uint32_t m = 0; m < components[one].members.size(); ++m) {
    const std::uint32_t left = components[one].members[m];
    const std::uint32_t right = components[other].members[m];
    if (m != member && excluded_[left] != excluded_[right]) return false;
    if (trial_.marked(left) || trial_.marked(right)) return false;
    if (trial_.shared_already(left) != trial_.shared_already(right)) return false;
    const std::vector<Quantity>& more = trial_.trying(left);
    const std::vector<Quantity>& less = trial_.trying(right);
    for (std::size_t i = 0; i < std::max(more.size(), less.size()); ++i)
      if ((i < more.size() ? more[i] : 0) != (i < less.size() ? less[i] : 0)) return false;
  }
  return true;
}

// What is left out is left out for the first of them only.
bool Completion::enough_for_rest(std::size_t number, std::int64_t missing) {
  std::vector<OpenDemand> open;
  std::uint64_t work = 0;
  for (std::size_t i = number; i < demands_.size(); ++i) {
    if (demands_[i].members != nullptr) continue;
    std::vector<std::uint32_t> options = demands_[i].options;
    if (i == number) options.erase(options.begin(), options.end() - missing);
    open.push_back({std::move(options), usable(demands_[i], i == number, work)});
  }
  const bool may = bounds_.may_be_had(open, work);
  charge(work);
  return may;
}

// The devices that the demand may get as things stand.
std::vector<std::uint32_t> Completion::usable(const Group& demand, bool leaving_out, std::uint64_t& work) {
  const std::uint32_t option = demand.options.front();
  const Trial::Option& where = trial_.option(option);
  const Catalogue& catalogue = *trial_.question().catalogue;
  std::vector<std::uint32_t> result;
  work += trial_.devices().size();
  for (std::uint32_t device = demand.start; device < trial_.devices().size(); ++device) {
    if (!symmetry_.eligible(option, device) || (leaving_out && excluded_[device]) || trial_.occupied(option, device) ||
        !trial_.counters_suffice(option, device))
      continue;
    const auto left = trial_.capacity_left(option, device);
    if (!left || !*left) continue;
    const bool admitted = std::ranges::all_of(trial_.constraints(where.claim), [&](const ConstraintState& state) {
      return !state.concerns(where.request, where.index) ||
             state.admits(catalogue.attribute(trial_.devices()[device].kind, state.constraint().attribute));
    });
    if (admitted) result.push_back(device);
  }
  return result;
}

// Work that is no candidate counts as well, so that the limit bounds the time.
void Completion::charge(std::uint64_t work) {
  work_ += work;
  effort_.steps += work_ / kWorkPerStep;
  work_ %= kWorkPerStep;
}

// All that decides whether the rest can be completed.
Completion::State Completion::state(std::size_t number, std::int64_t missing) {
  State result{static_cast<std::uint32_t>(number), static_cast<std::uint32_t>(missing)};
  add_taken(result);
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

void Completion::add_taken(State& state) const {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> taken;  // device and how
  std::vector<std::uint32_t> shared;
  for (const Trial::Taken& one : trial_.taken()) {
    const Trial::Option& option = trial_.option(one.option);
    if (one.demand != nullptr) {
      shared.push_back(one.device);
    } else {
      taken.emplace_back(one.device, admin_ ? 2 * option.claim + (option.admin ? 1 : 0) : 0);
    }
  }
  std::ranges::sort(taken);
  for (const auto& [device, how] : taken) state.insert(state.end(), {device, how});
  state.push_back(Id<void>::none().value());
  sort_unique(shared);
  for (const std::uint32_t device : shared) {
    state.push_back(device);
    for (const Quantity amount : trial_.trying(device)) add_amount(state, amount);
  }
  state.push_back(Id<void>::none().value());
}

}  // namespace berth::engine::devices
