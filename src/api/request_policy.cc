// What a device may say about requests of its capacities (KEP-5075), checked as the API server checks it.
#include <cstdint>
#include <limits>

#include "api/decode_resource.h"

namespace berth::api {
namespace {

constexpr std::size_t kMostValidValues = 10;

bool is_whole(const Quantity& quantity) { return quantity == Quantity::from_units(quantity.value()); }
bool is_in_thousandths(const Quantity& quantity) { return quantity == Quantity::from_milli(quantity.milli_value()); }

class PolicyCheck {
 public:
  PolicyCheck(DecodeContext& context, const Value& at, const DeviceCapacity& capacity)
      : context_(context), at_(at), capacity_(capacity), policy_(*capacity.request_policy) {}

  void run() {
    const bool values = !policy_.valid_values.empty();
    if (values && policy_.valid_range) return fail("validValues and validRange exclude each other; remove one of them");
    if (!values && !policy_.valid_range) return;
    if (!policy_.default_value)
      return fail("default is missing, which " + std::string(values ? "validValues" : "validRange") +
                  " needs; write what a request without this capacity consumes");
    if (values) {
      check_values();
    } else {
      check_range(*policy_.valid_range);
    }
  }

 private:
  void fail(const std::string& what) {
    const DecodeContext::Scope capacity(context_, "capacity");
    const DecodeContext::Scope name(context_, capacity_.name, DecodeContext::Scope::kMapKey);
    const DecodeContext::Scope policy(context_, "requestPolicy");
    context_.error(at_, "The policy of " + capacity_.name.substr(0, 100) + " cannot hold: " + what + ".");
  }

  void within_capacity(std::string_view what, const Quantity& amount) {
    if (amount > capacity_.value)
      fail(std::string(what) + " is " + amount.to_string() + ", more than the capacity of " +
           capacity_.value.to_string() + "; lower it");
  }

  void check_values() {
    const std::vector<Quantity>& values = policy_.valid_values;
    if (values.size() > kMostValidValues)
      return fail("validValues has " + std::to_string(values.size()) + " values, but at most 10 are allowed");
    for (std::size_t i = 0; i + 1 < values.size(); ++i) {
      if (values[i] > values[i + 1]) fail("validValues is not ascending; sort it");
      if (counted(values[i]) == counted(values[i + 1]))
        fail("validValues has " + values[i].to_string() + " twice" +
             (values[i] == values[i + 1] ? "" : ", as whole units count") + "; remove one");
    }
    for (const Quantity& value : values) within_capacity("one of validValues", value);
    if (std::ranges::find(values, *policy_.default_value) == values.end())
      fail("the default " + policy_.default_value->to_string() +
           " is none of validValues; add it or choose one of them");
  }

  void check_range(const CapacityRange& range) {
    const Quantity& by_default = *policy_.default_value;
    within_capacity("min", range.min);
    if (by_default < range.min)
      fail("the default " + by_default.to_string() + " is less than min, " + range.min.to_string() + "; raise it");
    if (range.max) {
      within_capacity("max", *range.max);
      if (range.min > *range.max)
        fail("min is " + range.min.to_string() + ", more than max, " + range.max->to_string() +
             "; correct one of them");
      if (by_default > *range.max)
        fail("the default " + by_default.to_string() + " is more than max, " + range.max->to_string() + "; lower it");
    }
    check_precision(range);
    if (range.step) check_step(range, *range.step);
  }

  // With fractions all amounts must be whole thousandths.
  void check_precision(const CapacityRange& range) {
    if (!context_.gates().on(Gate::kFractionalCapacityRange)) return;
    for (const std::optional<Quantity>& amount :
         {policy_.default_value, std::optional(range.min), range.max, range.step})
      if (amount && !is_in_thousandths(*amount))
        fail("the amount " + amount->to_string() +
             (*amount > Quantity::from_milli(std::numeric_limits<std::int64_t>::max())
                  ? " is more than can be counted in thousandths; lower it"
                  : " is finer than a thousandth; round it"));
  }

  void check_step(const CapacityRange& range, const Quantity& step) {
    if (step.is_zero() || step.is_negative()) return fail("step is " + step.to_string() + ", not above 0; raise it");
    if (range.min.is_negative()) return fail("min is negative; write 0 or more");
    const Result<Quantity> next = range.min.plus(step);
    if (!next || *next > capacity_.value)
      fail("min and one step are more than the capacity of " + capacity_.value.to_string() + "; lower the step");
    on_step("the default", *policy_.default_value, range, step);
    if (range.max) on_step("max", *range.max, range, step);
  }

  // Without the gate for fractions the API counts in whole units, rounded up.
  Quantity counted(const Quantity& amount) const {
    return context_.gates().on(Gate::kFractionalCapacityRange) || is_whole(amount)
               ? amount
               : Quantity::from_units(amount.value());
  }

  void on_step(std::string_view what, const Quantity& amount, const CapacityRange& range, const Quantity& step) {
    if ((counted(amount).nanos() - counted(range.min).nanos()) % counted(step).nanos() == 0) return;
    fail(std::string(what) + ", " + amount.to_string() + ", is not min, " + range.min.to_string() +
         ", and a number of steps of " + step.to_string() + "; correct one of them");
  }

  DecodeContext& context_;
  const Value& at_;
  const DeviceCapacity& capacity_;
  const CapacityRequestPolicy& policy_;
};

}  // namespace

void check_request_policies(DecodeContext& context, const Value& device, const Device& read) {
  for (const DeviceCapacity& capacity : *read.capacity) {
    if (capacity.request_policy.address() == nullptr) continue;
    if (!read.allow_multiple_allocations) {
      context.error(device, "The capacity " + capacity.name.substr(0, 100) +
                                " has a requestPolicy, which only devices with allowMultipleAllocations: true can "
                                "have; remove the policy or set that field.");
      continue;
    }
    PolicyCheck(context, device, capacity).run();
  }
}

}  // namespace berth::api
