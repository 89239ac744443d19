#include "dialects/dra/device_translator.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <type_traits>
#include <utility>
#include <variant>

#include "dialects/kubernetes/selectors.h"

namespace berth::dialects::dra {

namespace devices = engine::devices;

namespace {

devices::DeviceEffect effect(api::DeviceTaintEffect effect) {
  switch (effect) {
    case api::DeviceTaintEffect::kNone:
      return devices::DeviceEffect::kNone;
    case api::DeviceTaintEffect::kNoSchedule:
      return devices::DeviceEffect::kNoSchedule;
    case api::DeviceTaintEffect::kNoExecute:
      return devices::DeviceEffect::kNoExecute;
  }
  return devices::DeviceEffect::kNone;
}

bool selects(const api::DeviceTaintRule& rule, const api::ResourceSlice& slice, const api::Device& device) {
  if (!rule.device_selector) return false;
  const auto agrees = [](const std::optional<std::string>& wanted, const std::string& found) {
    return !wanted || *wanted == found;
  };
  return agrees(rule.device_selector->driver, slice.driver) && agrees(rule.device_selector->pool, slice.pool.name) &&
         agrees(rule.device_selector->device, device.name);
}

template <class T>
std::pair<devices::AtomType, std::string> scalar(const T& value) {
  if constexpr (std::is_same_v<T, bool>) {
    return {devices::AtomType::kBool, value ? "true" : "false"};
  } else if constexpr (std::is_same_v<T, std::int64_t>) {
    return {devices::AtomType::kInt, std::to_string(value)};
  } else if constexpr (std::is_same_v<T, api::Version>) {
    return {devices::AtomType::kVersion, value.text};
  } else {
    return {devices::AtomType::kString, value};
  }
}

template <class T>
constexpr bool kIsList = false;
template <class T>
constexpr bool kIsList<std::vector<T>> = true;

}  // namespace

devices::AttributeId DeviceTranslator::attribute(std::string_view name, std::string_view driver) {
  if (name.find('/') != std::string_view::npos) return catalogue_.attributes.intern(name);
  key_.assign(driver).append("/").append(name);
  return catalogue_.attributes.intern(key_);
}

devices::ValueId DeviceTranslator::value(const api::AttributeValue& value) {
  return std::visit(
      [this](const auto& content) {
        using Content = std::decay_t<decltype(content)>;
        if constexpr (kIsList<Content>) {
          std::vector<devices::AtomId> atoms;
          for (auto&& item : content) {
            const auto [type, text] = scalar(static_cast<const typename Content::value_type&>(item));
            atoms.push_back(catalogue_.atom(type, text));
          }
          return catalogue_.list(std::move(atoms));
        } else {
          const auto [type, text] = scalar(content);
          return catalogue_.scalar(type, text);
        }
      },
      value);
}

devices::PolicyId DeviceTranslator::policy(const api::CapacityRequestPolicy& policy) {
  if (policy == api::CapacityRequestPolicy{}) return devices::PolicyId::none();
  devices::RequestPolicy result;
  if (policy.default_value) result.standard = policy.default_value->nanos();
  for (const api::Quantity& valid : policy.valid_values) result.valid_values.push_back(valid.nanos());
  if (policy.valid_range) {
    devices::RequestRange& range = result.valid_range.emplace();
    range.min = policy.valid_range->min.nanos();
    if (policy.valid_range->max) range.max = policy.valid_range->max->nanos();
    if (policy.valid_range->step) range.step = policy.valid_range->step->nanos();
  }
  return catalogue_.policies.intern(std::move(result));
}

devices::KindId DeviceTranslator::kind(const api::Device& device, std::string_view driver) {
  devices::Kind result{
      .driver = name(driver), .allow_multiple = device.allow_multiple_allocations, .attributes = {}, .capacities = {}};
  std::map<devices::AttributeId, devices::ValueId> attributes;
  for (const bool qualified : {false, true}) {  // a qualified name counts more than a bare one
    for (const api::DeviceAttribute& one : *device.attributes) {
      if ((one.name.find('/') != std::string::npos) == qualified)
        attributes[attribute(one.name, driver)] = value(one.value);
    }
  }
  for (const auto& [id, content] : attributes) result.attributes.push_back({.name = id, .value = content});
  for (const api::DeviceCapacity& one : *device.capacity) {
    result.capacities.push_back({.name = catalogue_.capacities.intern(one.name),
                                 .value = one.value.nanos(),
                                 .policy = policy(*one.request_policy)});
  }
  std::ranges::sort(result.capacities, {}, &devices::Capacity::name);
  return catalogue_.kinds.intern(std::move(result));
}

std::vector<devices::CounterSet> DeviceTranslator::counter_sets(const std::vector<api::CounterSet>& sets) {
  std::vector<devices::CounterSet> result;
  for (const api::CounterSet& set : sets) {
    devices::CounterSet& translated = result.emplace_back();
    translated.name = catalogue_.counter_sets.intern(set.name);
    for (const api::Counter& counter : set.counters) {
      translated.counters.push_back(
          {.name = catalogue_.counters.intern(counter.name), .amount = counter.value.nanos()});
    }
    std::ranges::sort(translated.counters, {}, &devices::Counter::name);
  }
  return result;
}

devices::DeviceInput DeviceTranslator::device(const api::Device& device, const api::ResourceSlice& slice,
                                              std::span<const api::DeviceTaintRule* const> rules) {
  devices::DeviceInput result;
  result.name = name(device.name);
  result.kind = kind(device, slice.driver);
  if (!device.consumes_counters->empty()) {
    result.consumption = catalogue_.consumptions.intern(counter_sets(*device.consumes_counters));
  }
  std::vector<devices::DeviceTaint> taints;
  const auto add = [&](const api::DeviceTaint& taint) {
    taints.push_back({.key = name(taint.key), .value = name(taint.value), .effect = effect(taint.effect)});
  };
  for (const api::DeviceTaint& taint : *device.taints) add(taint);
  for (const api::DeviceTaintRule* rule : rules) {
    if (selects(*rule, slice, device)) add(rule->taint);
  }
  if (!taints.empty()) result.taints = catalogue_.taints.intern(std::move(taints));
  if (!device.binding_conditions->empty()) {
    devices::Binding binding;
    for (const std::string& one : *device.binding_conditions) binding.conditions.push_back(name(one));
    for (const std::string& one : *device.binding_failure_conditions) binding.failure_conditions.push_back(name(one));
    result.binding = catalogue_.bindings.intern(std::move(binding));
  }
  result.binds_to_node = device.binds_to_node;
  result.compatibility_groups = std::ranges::any_of(
      *device.consumes_counters, [](const api::CounterSet& set) { return !set.compatibility_groups.empty(); });
  return result;
}

devices::SliceInput DeviceTranslator::slice(const api::ResourceSlice& slice,
                                            std::span<const api::DeviceTaintRule* const> rules) {
  const auto target = [this](const std::string& node, const std::optional<api::NodeSelector>& selector,
                             bool all_nodes) {
    devices::NodeTarget result;
    if (!node.empty()) {
      result.kind = devices::NodeTarget::Kind::kNode;
      result.node = name(node);
    } else if (all_nodes) {
      result.kind = devices::NodeTarget::Kind::kAllNodes;
    } else if (selector) {
      result.kind = devices::NodeTarget::Kind::kSelector;
      result.selector = kubernetes::node_selector(*selector, names_);
    }
    return result;
  };
  devices::SliceInput result;
  result.name = name(slice.metadata.name);
  result.driver = name(slice.driver);
  result.pool = name(slice.pool.name);
  result.generation = slice.pool.generation;
  result.slice_count = slice.pool.resource_slice_count;
  result.target = target(slice.node_name, slice.node_selector, slice.all_nodes);
  result.per_device_selection_set = slice.per_device_node_selection;
  result.skips_node_operations = !slice.skip_node_operations.empty();
  result.counter_sets = counter_sets(slice.shared_counters);
  const bool per_device = slice.per_device_node_selection && result.target.kind == devices::NodeTarget::Kind::kUnknown;
  if (per_device) result.target.kind = devices::NodeTarget::Kind::kPerDevice;
  for (const api::Device& one : slice.devices) {
    result.devices.push_back(device(one, slice, rules));
    if (per_device) result.device_targets.push_back(target(one.node_name, *one.node_selector, one.all_nodes));
  }
  return result;
}

std::vector<devices::CapacityRequest> DeviceTranslator::capacities(const api::ResourceList& amounts) {
  std::vector<devices::CapacityRequest> result;
  for (const auto& [key, amount] : amounts) {
    result.push_back({.name = catalogue_.capacities.intern(key), .amount = amount.nanos()});
  }
  std::ranges::sort(result, {}, &devices::CapacityRequest::name);
  return result;
}

devices::Alternative DeviceTranslator::alternative(const api::ExactDeviceRequest& request, const ClassLookup& classes) {
  devices::Alternative result;
  result.device_class = name(request.device_class_name);
  const api::DeviceClass* its_class = classes(request.device_class_name);
  if (its_class == nullptr) {
    result.problem = devices::RequestProblem::kClassMissing;
  } else {
    for (const api::DeviceSelector& one : its_class->selectors)
      result.selectors.push_back(selectors.intern(one.expression));
  }
  for (const api::DeviceSelector& one : request.selectors) result.selectors.push_back(selectors.intern(one.expression));
  if (request.allocation_mode == api::DeviceAllocationMode::kAll) result.mode = devices::Alternative::Mode::kAll;
  result.count = request.count;
  if (!request.derived_attributes.empty()) result.problem = devices::RequestProblem::kDerivedAttributes;
  result.admin_access = request.admin_access;
  for (const api::DeviceToleration& one : request.tolerations) {
    devices::DeviceToleration& toleration = result.tolerations.emplace_back();
    if (!one.key.empty()) toleration.key = name(one.key);
    toleration.match = one.op == api::DeviceTolerationOperator::kExists ? devices::DeviceToleration::Match::kExists
                                                                        : devices::DeviceToleration::Match::kEqual;
    toleration.value = name(one.value);
    if (one.effect) toleration.effect = effect(*one.effect);
  }
  if (request.capacity_requests) result.capacities = capacities(*request.capacity_requests);
  return result;
}

devices::Constraint DeviceTranslator::constraint(const api::DeviceConstraint& constraint,
                                                 const api::ResourceClaimSpec& spec) {
  devices::Constraint result;
  const bool match = !constraint.match_attribute.empty();
  result.kind = match                                    ? devices::Constraint::Kind::kMatch
                : !constraint.distinct_attribute.empty() ? devices::Constraint::Kind::kDistinct
                                                         : devices::Constraint::Kind::kUnknown;
  result.attribute = catalogue_.attributes.intern(match ? constraint.match_attribute : constraint.distinct_attribute);
  result.all_requests = constraint.requests.empty();
  for (const std::string& wanted : constraint.requests) {
    for (std::uint32_t r = 0; r < spec.requests.size(); ++r) {
      const api::DeviceRequest& request = spec.requests[r];
      if (wanted == request.name) result.targets.push_back({.request = r, .alternative = {}});
      for (std::uint32_t a = 0; a < request.first_available.size(); ++a) {
        if (wanted == request.name + "/" + request.first_available[a].name) {
          result.targets.push_back({.request = r, .alternative = a});
        }
      }
    }
  }
  return result;
}

devices::Claim DeviceTranslator::claim(const api::ResourceClaimSpec& spec, const ClassLookup& classes) {
  devices::Claim result;
  for (const api::DeviceRequest& one : spec.requests) {
    devices::Request& request = result.requests.emplace_back();
    request.prioritized = !one.first_available.empty();
    for (const api::DeviceSubRequest& sub : one.first_available) {
      request.alternatives.push_back(alternative(sub.request, classes));
    }
    if (one.exactly) request.alternatives.push_back(alternative(*one.exactly, classes));
  }
  for (const api::DeviceConstraint& one : spec.constraints) result.constraints.push_back(constraint(one, spec));
  return result;
}

void DeviceTranslator::hold(const api::AllocationResult& allocation, const devices::Features& features,
                            devices::Inventory& inventory, devices::Usage& usage) {
  for (const api::DeviceAllocationResult& one : allocation.results) {
    if (one.admin_access) continue;
    const devices::DeviceId id = inventory.device(name(one.driver), name(one.pool), name(one.device));
    if (one.share_id.empty() || !features.consumable_capacity) {
      usage.hold(id);
    } else {
      usage.add_share(id, capacities(one.consumed_capacity));
    }
  }
}

void DeviceTranslator::release(const api::AllocationResult& allocation, const devices::Features& features,
                               devices::Inventory& inventory, devices::Usage& usage) {
  for (const api::DeviceAllocationResult& one : allocation.results) {
    if (one.admin_access) continue;
    const devices::DeviceId id = inventory.device(name(one.driver), name(one.pool), name(one.device));
    if (one.share_id.empty() || !features.consumable_capacity) {
      usage.release(id);
    } else {
      usage.remove_share(id, capacities(one.consumed_capacity));
    }
  }
}

}  // namespace berth::dialects::dra
