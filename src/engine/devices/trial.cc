#include "engine/devices/trial.h"

#include <algorithm>
#include <utility>

#include "base/mutant.h"

namespace berth::engine::devices {
namespace {

bool tolerated(const DeviceTaint& taint, const std::vector<DeviceToleration>& tolerations) {
  return std::ranges::any_of(tolerations, [&](const DeviceToleration& toleration) {
    if (toleration.effect && *toleration.effect != taint.effect) return false;
    if (!toleration.key.is_none() && toleration.key != taint.key) return false;
    switch (toleration.match) {
      case DeviceToleration::Match::kEqual:
        return toleration.value == taint.value;
      case DeviceToleration::Match::kExists:
        return true;
      case DeviceToleration::Match::kUnknown:
        return false;
    }
    return false;
  });
}

}  // namespace

Trial::Trial(const Question& question) : question_(question) {
  const std::size_t device_count = devices().size();
  for (std::uint32_t c = 0; c < question.claims.size(); ++c) {
    const Claim& claim = *question.claims[c];
    auto& firsts = first_options_.emplace_back();
    for (std::uint32_t r = 0; r < claim.requests.size(); ++r) {
      firsts.push_back(static_cast<std::uint32_t>(options_.size()));
      for (std::uint32_t a = 0; a < claim.requests[r].alternatives.size(); ++a) {
        const Alternative& alternative = claim.requests[r].alternatives[a];
        options_.push_back(Option{.alternative = &alternative,
                                  .claim = c,
                                  .request = r,
                                  .index = a,
                                  .admin = alternative.admin_access.value_or(false)});
      }
    }
    auto& states = constraints_.emplace_back();
    for (const Constraint& constraint : claim.constraints) {
      states.emplace_back(*question.catalogue, constraint, question.features);
    }
  }
  selects_.resize(options_.size());
  demands_.resize(options_.size());
  marks_.resize(question.claims.size());
  per_claim_.resize(question.claims.size());
  mark_counts_.resize(device_count);
  share_counts_.resize(device_count);
  share_amounts_.resize(device_count);
  counters_.resize(question.node->pools.size());
}

const Kind& Trial::kind(std::uint32_t device) const {
  return question_.catalogue->kinds.content(devices()[device].kind);
}

bool Trial::shareable(std::uint32_t device) const {
  return question_.features.consumable_capacity && kind(device).allow_multiple;
}

Failure Trial::failure(Problem problem, std::uint32_t option) const {
  const Option& where = options_[option];
  return Failure{.problem = problem, .claim = where.claim, .request = where.request, .alternative = where.index};
}

// The first selector that does not say yes, and what it says.
std::pair<SelectorId, SelectorAnswer> Trial::ask(std::uint32_t option, KindId kind) const {
  for (const SelectorId selector : options_[option].alternative->selectors) {
    const SelectorAnswer answer = question_.selectors->answer(selector, kind);
    if (answer.kind != SelectorAnswer::Kind::kYes) return {selector, answer};
  }
  return {SelectorId::none(), SelectorAnswer{.kind = SelectorAnswer::Kind::kYes, .error = {}}};
}

std::expected<bool, Failure> Trial::selects(std::uint32_t option, std::uint32_t device) {
  std::vector<Known>& row = selects_[option];
  if (row.empty()) row.resize(devices().size());
  if (row[device] != Known::kUnknown) return row[device] == Known::kYes;
  const PlacedDevice& candidate = devices()[device];
  bool yes = question_.features.binding_conditions || candidate.binding.is_none();
  if (yes) {
    const auto [selector, answer] = ask(option, candidate.kind);
    if (answer.kind == SelectorAnswer::Kind::kError) {
      Failure result = failure(Problem::kSelectorError, option);
      result.device = candidate.id;
      result.selector = selector;
      result.selector_error = answer.error;
      if (question_.mode == Mode::kStrict) return std::unexpected(result);
      faults_.push_back(result);
    }
    yes = answer.kind == SelectorAnswer::Kind::kYes && candidate.on_node;
  }
  // Slices that disagree on their number: one of them is out of date. Upstream believes the first.
  yes = yes && !(question_.mode == Mode::kBest && question_.node->pools[candidate.pool].disputed);
  row[device] = yes ? Known::kYes : Known::kNo;
  return yes;
}

bool Trial::skips_in_vain(std::uint32_t device) const {
  return !question_.features.skipped_operations &&
         question_.node->slices[devices()[device].slice].skips_node_operations;
}

bool Trial::tolerates(std::uint32_t option, std::uint32_t device) const {
  if (skips_in_vain(device)) return false;
  const TaintListId taints = devices()[device].taints;
  if (taints.is_none() || !question_.features.device_taints) return true;
  return std::ranges::all_of(question_.catalogue->taints.content(taints), [&](const DeviceTaint& taint) {
    return taint.effect == DeviceEffect::kNone || tolerated(taint, options_[option].alternative->tolerations);
  });
}

// The common case: nothing asked, nothing shared, no policy. Then the whole device is taken and every capacity
// suffices.
bool Trial::consumes_everything(std::uint32_t option, std::uint32_t device) const {
  const Alternative& alternative = *options_[option].alternative;
  if (alternative.capacities && !alternative.capacities->empty()) return false;
  const Kind& its_kind = kind(device);
  return !its_kind.allow_multiple && question_.usage->shares(devices()[device].id) == 0 &&
         std::ranges::all_of(its_kind.capacities,
                             [](const Capacity& one) { return one.policy.is_none() && one.value >= 0; });
}

std::expected<const CapacityDemand*, Failure> Trial::demand(std::uint32_t option, std::uint32_t device) {
  const KindId kind_id = devices()[device].kind;
  auto entry = demands_[option].find(kind_id);
  if (entry == demands_[option].end()) {
    entry = demands_[option]
                .emplace(kind_id, capacity_demand(*question_.catalogue, kind(device), *options_[option].alternative,
                                                  question_.features))
                .first;
  }
  if (entry->second) return &*entry->second;
  Failure result = failure(entry->second.error() == CapacityError::kNegative ? Problem::kNegativeCapacity
                                                                             : Problem::kCapacityUnrepresentable,
                           option);
  result.device = devices()[device].id;
  if (question_.mode == Mode::kBest) {
    faults_.push_back(result);
    entry->second = CapacityDemand{.possible = false, .amounts = {}};
    return &*entry->second;
  }
  return std::unexpected(result);
}

std::expected<bool, Failure> Trial::capacity_suffices(std::uint32_t option, std::uint32_t device) {
  if (!question_.features.consumable_capacity || consumes_everything(option, device)) return true;
  const auto wanted = demand(option, device);
  if (!wanted) return std::unexpected(wanted.error());
  return capacity_fits(kind(device), **wanted, {}, {});
}

std::expected<bool, Failure> Trial::capacity_left(std::uint32_t option, std::uint32_t device) {
  if (mutant("Device.Capacity") || !question_.features.consumable_capacity || consumes_everything(option, device))
    return true;
  const auto wanted = demand(option, device);
  if (!wanted) return std::unexpected(wanted.error());
  return capacity_fits(kind(device), **wanted, question_.usage->consumed(devices()[device].id), share_amounts_[device]);
}

bool Trial::occupied(std::uint32_t option, std::uint32_t device) const {
  if (mutant("Device.Occupied")) return false;
  const Option& where = options_[option];
  if (where.admin && !mutant("Device.AdminAccess")) {
    const std::vector<bool>& of_claim = marks_[where.claim];
    return !of_claim.empty() && of_claim[device];
  }
  if (mark_counts_[device] > 0 || question_.usage->held(devices()[device].id)) return true;
  if (question_.mode == Mode::kStrict) return false;
  // Somebody shares a device that is not shareable any more: upstream would hand it out whole.
  if (question_.usage->shares(devices()[device].id) > 0 && !shareable(device)) return true;
  return !marks_[where.claim].empty() && marks_[where.claim][device];
}

bool Trial::marked(std::uint32_t device) const {
  return std::ranges::any_of(marks_,
                             [&](const std::vector<bool>& of_claim) { return !of_claim.empty() && of_claim[device]; });
}

Trial::PoolCounters& Trial::counters(std::uint32_t pool) {
  PoolCounters& result = counters_[pool];
  if (result.known) return result;
  result.known = true;
  const NodePool& gathered = question_.node->pools[pool];
  if (gathered.counters == nullptr) return result;
  result.left = *gathered.counters;
  const auto subtract = [&](const std::vector<CounterUse>* uses) {
    for (const CounterUse& use : *uses) result.left[use.counter] -= use.amount;
  };
  for (std::uint32_t i = gathered.first_device; i < gathered.first_device + gathered.device_count; ++i) {
    const PlacedDevice& device = devices()[i];
    if (device.counters != nullptr && question_.usage->in_use(device.id)) subtract(device.counters);
  }
  for (const ElsewhereDevice& device : gathered.elsewhere) {
    // Upstream forgets what a device consumes once its driver stops publishing it, and overcommits.
    if (!device.published && question_.mode == Mode::kStrict) continue;
    if (question_.usage->in_use(device.id)) subtract(device.counters);
  }
  for (std::size_t i = 0; i < result.left.size(); ++i) {
    if (result.left[i] < 0) result.overcommitted.push_back((*gathered.counter_scopes)[i]);
  }
  return result;
}

const std::vector<Quantity>& Trial::counters_left(std::uint32_t pool) { return counters(pool).left; }

// Upstream compares all counters of the pool, so one that is overcommitted blocks the devices of the others. Kubernetes
// 1.34 has the counters in the slices of the devices, and compares those of the slice.
bool Trial::blocked(std::uint32_t pool, std::uint32_t counter) {
  const std::vector<std::uint32_t>& overcommitted = counters(pool).overcommitted;
  if (question_.mode != Mode::kStrict || overcommitted.empty()) return false;
  const std::uint32_t scope = (*question_.node->pools[pool].counter_scopes)[counter];
  return std::ranges::find(overcommitted, scope) != overcommitted.end();
}

bool Trial::blocked(const PlacedDevice& device) {
  return !device.counters->empty() && blocked(device.pool, device.counters->front().counter);
}

bool Trial::charge(std::uint32_t device) {
  const PlacedDevice& candidate = devices()[device];
  if (candidate.counters == nullptr) return true;
  PoolCounters& pool = counters(candidate.pool);
  if (blocked(candidate)) return false;
  for (const CounterUse& use : *candidate.counters) pool.left[use.counter] -= use.amount;
  if (std::ranges::none_of(*candidate.counters, [&](const CounterUse& use) { return pool.left[use.counter] < 0; })) {
    return true;
  }
  for (const CounterUse& use : *candidate.counters) pool.left[use.counter] += use.amount;
  return false;
}

// A device that is shared already was charged with its first share. Upstream charges adminAccess for counters, too, so
// that nobody can look at a partition in use.
bool Trial::needs_counters(std::uint32_t option, std::uint32_t device) const {
  if (devices()[device].counters == nullptr || mutant("Device.Counters")) return false;
  if (options_[option].admin && question_.mode == Mode::kBest) return false;
  return !(shareable(device) && shared_already(device));
}

bool Trial::counters_suffice(std::uint32_t option, std::uint32_t device) {
  if (!needs_counters(option, device)) return true;
  const PlacedDevice& candidate = devices()[device];
  if (blocked(candidate)) return false;
  const PoolCounters& pool = counters(candidate.pool);
  return std::ranges::all_of(*candidate.counters,
                             [&](const CounterUse& use) { return pool.left[use.counter] >= use.amount; });
}

std::expected<Trial::Verdict, Failure> Trial::take(std::uint32_t option, std::uint32_t device) {
  const Option& where = options_[option];
  const PlacedDevice& candidate = devices()[device];
  const bool shared = shareable(device);
  if (!(where.admin && shared) && occupied(option, device)) return Verdict{.refusal = Refusal::kOccupied};
  if (!candidate.consumption.is_none() && !question_.features.partitionable_devices) {
    return Verdict{.refusal = Refusal::kCounters};
  }
  Taken taken{.option = option, .device = device};
  if (needs_counters(option, device)) {
    if (!charge(device)) return Verdict{.refusal = Refusal::kCounters};
    taken.charged = candidate.counters != nullptr;
  }
  if (!mutant("Device.Taints") && !tolerates(option, device)) {
    undo(taken);
    return Verdict{.refusal = Refusal::kTaint};
  }
  for (ConstraintState& state : constraints_[where.claim]) {
    if (state.concerns(where.request, where.index) &&
        !state.add(question_.catalogue->attribute(candidate.kind, state.constraint().attribute))) {
      undo(taken);
      return Verdict{.refusal = Refusal::kConstraint, .constraint = taken.constraints};
    }
    ++taken.constraints;
  }
  const auto left = capacity_left(option, device);
  if (!left || !*left) {
    undo(taken);
    if (!left) return std::unexpected(left.error());
    return Verdict{.refusal = Refusal::kCapacity};
  }
  if (shared) {
    taken.demand = *demand(option, device);
    std::vector<Quantity>& amounts = share_amounts_[device];
    amounts.resize(taken.demand->amounts.size());
    for (std::size_t i = 0; i < amounts.size(); ++i) amounts[i] += taken.demand->amounts[i];
    ++share_counts_[device];
  } else {
    std::vector<bool>& of_claim = marks_[where.claim];
    if (of_claim.empty()) of_claim.resize(devices().size());
    of_claim[device] = true;
    taken.marked = true;
    // Upstream lets a device that this pod looks at with adminAccess be taken by none of its other claims.
    taken.occupies = !(where.admin && question_.mode == Mode::kBest);
    if (taken.occupies) ++mark_counts_[device];
  }
  ++per_claim_[where.claim];
  taken_.push_back(taken);
  return Verdict{};
}

void Trial::give_back() {
  const Taken last = taken_.back();
  taken_.pop_back();
  --per_claim_[options_[last.option].claim];
  undo(last);
}

void Trial::undo(const Taken& taken) {
  const Option& where = options_[taken.option];
  if (taken.marked) {
    marks_[where.claim][taken.device] = false;
    if (taken.occupies) --mark_counts_[taken.device];
  }
  if (taken.demand != nullptr) {
    --share_counts_[taken.device];
    std::vector<Quantity>& amounts = share_amounts_[taken.device];
    for (std::size_t i = 0; i < amounts.size(); ++i) amounts[i] -= taken.demand->amounts[i];
  }
  for (std::uint32_t i = taken.constraints; i > 0; --i) {
    ConstraintState& state = constraints_[where.claim][i - 1];
    if (state.concerns(where.request, where.index)) state.remove();
  }
  if (taken.charged) {
    PoolCounters& pool = counters_[devices()[taken.device].pool];
    for (const CounterUse& use : *devices()[taken.device].counters) pool.left[use.counter] += use.amount;
  }
}

}  // namespace berth::engine::devices
