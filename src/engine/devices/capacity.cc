#include "engine/devices/capacity.h"

#include <algorithm>
#include <limits>
#include <optional>

namespace berth::engine::devices {
namespace {

constexpr Quantity kMaxInt64 = std::numeric_limits<std::int64_t>::max();

// Quantity.Value(): whole units, rounded up.
Quantity whole_units(Quantity amount) {
  const Quantity down = amount / kNanoPerUnit;
  return down * kNanoPerUnit < amount ? down + 1 : down;
}

// Thousandths, if the amount is exact in them and they fit int64.
std::optional<Quantity> exact_milli(Quantity amount) {
  const Quantity milli = amount / kNanoPerMilli;
  if (milli * kNanoPerMilli != amount || milli > kMaxInt64 || milli < -kMaxInt64 - 1) return std::nullopt;
  return milli;
}

bool in_milli(const RequestRange& range, const Features& features) {
  if (!features.fractional_capacity_range || !exact_milli(range.min)) return false;
  if (range.max && !exact_milli(*range.max)) return false;
  if (!range.step) return true;
  const std::optional<Quantity> step = exact_milli(*range.step);
  return step && *step >= 1;
}

std::expected<Quantity, CapacityError> rounded_to_steps(Quantity asked, Quantity min, Quantity step) {
  const Quantity over = asked - min;
  const Quantity steps = over / step + (over % step != 0 ? 1 : 0);
  if (min >= 0 && steps > (kMaxInt64 - min) / step) return std::unexpected(CapacityError::kUnrepresentable);
  return min + step * steps;
}

std::expected<Quantity, CapacityError> rounded_to_range(Quantity asked, const RequestRange& range,
                                                        const Features& features) {
  if (asked < range.min) return range.min;
  if (!range.step || *range.step <= 0) return asked;
  if (in_milli(range, features)) {
    const std::optional<Quantity> milli = exact_milli(asked);
    if (!milli) return std::unexpected(CapacityError::kUnrepresentable);
    const auto rounded = rounded_to_steps(*milli, *exact_milli(range.min), *exact_milli(*range.step));
    if (!rounded) return rounded;
    return *rounded * kNanoPerMilli;
  }
  if (asked > kMaxInt64 * kNanoPerUnit) return std::unexpected(CapacityError::kUnrepresentable);
  const auto rounded = rounded_to_steps(whole_units(asked), whole_units(range.min), whole_units(*range.step));
  if (!rounded) return rounded;
  return *rounded * kNanoPerUnit;
}

std::expected<Quantity, CapacityError> rounded(Quantity asked, const RequestPolicy& policy, const Features& features) {
  if (policy.valid_range) return rounded_to_range(asked, *policy.valid_range, features);
  const auto next = std::ranges::lower_bound(policy.valid_values, asked);
  return next == policy.valid_values.end() ? asked : *next;
}

bool violates(Quantity amount, const RequestPolicy& policy, const Features& features) {
  if (policy.standard && amount == *policy.standard) return false;
  if (!policy.valid_range) {
    return !policy.valid_values.empty() && std::ranges::find(policy.valid_values, amount) == policy.valid_values.end();
  }
  const RequestRange& range = *policy.valid_range;
  if (range.max && amount > *range.max) return true;
  if (!range.step || *range.step <= 0) return false;
  if (in_milli(range, features)) {
    const std::optional<Quantity> milli = exact_milli(amount);
    return !milli || (*milli - *exact_milli(range.min)) % *exact_milli(*range.step) != 0;
  }
  return (whole_units(amount) - whole_units(range.min)) % whole_units(*range.step) != 0;
}

}  // namespace

std::expected<CapacityDemand, CapacityError> capacity_demand(const Catalogue& catalogue, const Kind& kind,
                                                             const Alternative& alternative, const Features& features) {
  static const std::vector<CapacityRequest> kNothing;
  const std::vector<CapacityRequest>& asked = alternative.capacities ? *alternative.capacities : kNothing;
  for (const CapacityRequest& request : asked) {
    if (!std::ranges::binary_search(kind.capacities, request.name, {}, &Capacity::name)) {
      return CapacityDemand{.possible = false, .amounts = {}};
    }
  }
  // An amount that cannot be is an error even if another capacity already rules the device out.
  CapacityDemand demand;
  for (const Capacity& capacity : kind.capacities) {
    const RequestPolicy* policy = capacity.policy.is_none() ? nullptr : &catalogue.policies.content(capacity.policy);
    const auto request = std::ranges::lower_bound(asked, capacity.name, {}, &CapacityRequest::name);
    std::expected<Quantity, CapacityError> amount = capacity.value;
    if (request != asked.end() && request->name == capacity.name) {
      amount = policy == nullptr ? request->amount : rounded(request->amount, *policy, features);
    } else if (policy != nullptr && policy->standard) {
      amount = *policy->standard;
    }
    if (!amount) return std::unexpected(amount.error());
    if (*amount < 0) return std::unexpected(CapacityError::kNegative);
    demand.possible = demand.possible && (policy == nullptr || !violates(*amount, *policy, features));
    demand.amounts.push_back(*amount);
  }
  return demand;
}

bool capacity_fits(const Kind& kind, const CapacityDemand& demand, const std::vector<CapacityRequest>& consumed,
                   const std::vector<Quantity>& trying) {
  if (!demand.possible) return false;
  for (std::size_t i = 0; i < kind.capacities.size(); ++i) {
    Quantity total = demand.amounts[i];
    const auto taken = std::ranges::lower_bound(consumed, kind.capacities[i].name, {}, &CapacityRequest::name);
    if (taken != consumed.end() && taken->name == kind.capacities[i].name) total += taken->amount;
    if (!trying.empty()) total += trying[i];
    if (total > kind.capacities[i].value) return false;
  }
  return true;
}

}  // namespace berth::engine::devices
