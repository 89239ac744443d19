#include "dialects/dra/allocation.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "base/mutant.h"
#include "base/random.h"
#include "engine/devices/catalogue.h"

namespace berth::dialects::dra {

namespace devices = engine::devices;

namespace {

struct Chosen {
  std::string name;  // "a" or "a/b"
  const api::ExactDeviceRequest* request = nullptr;
};

Chosen chosen(const api::ResourceClaimSpec& spec, std::uint32_t number, std::uint32_t alternative) {
  const api::DeviceRequest& request = spec.requests[number];
  if (request.exactly) return {request.name, &*request.exactly};
  const api::DeviceSubRequest& sub = request.first_available[alternative];
  return {request.name + "/" + sub.name, &sub.request};
}

// A stable UUID (version 8, RFC 9562) for a share: the same input gives the same id, a claim that is made anew another.
std::string share_id(std::uint64_t seed) {
  const std::uint64_t high = split_mix(seed);
  const std::uint64_t low = split_mix(high);
  return fmt::format("{:08x}-{:04x}-8{:03x}-{:04x}-{:012x}", high >> 32U, high >> 16U & 0xffffU, high & 0xfffU,
                     (low >> 48U & 0x3fffU) | 0x8000U, low & 0xffff'ffff'ffffU);
}

std::uint64_t seed_of(const api::ResourceClaim& claim, std::size_t position) {
  std::uint64_t seed = position;
  const api::ObjectMeta& its = claim.metadata;
  for (const char byte : its.namespace_ + "/" + its.name + "/" + its.uid) {
    seed = split_mix(seed ^ static_cast<unsigned char>(byte));
  }
  return seed;
}

// How the API writes the amount that a request takes of a capacity: in the form of the number that decided it.
api::Quantity::Format consumed_format(const api::DeviceCapacity& capacity, const api::ResourceList& asked,
                                      const api::Quantity& amount) {
  const api::CapacityRequestPolicy& policy = *capacity.request_policy;
  const auto wanted = asked.find(capacity.name);
  if (wanted == asked.end()) return (policy.default_value ? *policy.default_value : capacity.value).format();
  if (policy.valid_range) {
    if (wanted->second < policy.valid_range->min) return policy.valid_range->min.format();
    if (policy.valid_range->step) return policy.valid_range->step->format();
  }
  const auto valid = std::ranges::find(policy.valid_values, amount);
  return (valid == policy.valid_values.end() ? wanted->second : *valid).format();
}

api::Quantity consumed(const devices::CapacityRequest& taken, std::string_view name, const Chosen& chosen,
                       const PublishedDevice& found) {
  const auto amount = api::Quantity::from_nanos(taken.amount);
  const api::DeviceCapacity* capacity =
      found.device == nullptr ? nullptr : api::find_capacity(*found.device->capacity, name);
  if (capacity == nullptr) return amount;
  const auto& asked = chosen.request->capacity_requests;
  return api::Quantity::from_nanos(taken.amount,
                                   consumed_format(*capacity, asked ? *asked : api::ResourceList(), amount));
}

void add_new(const std::vector<api::SelectorRequirement>& from, std::vector<api::SelectorRequirement>& to) {
  for (const api::SelectorRequirement& requirement : from) {
    if (std::ranges::find(to, requirement) == to.end()) to.push_back(requirement);
  }
}

std::optional<api::NodeSelector> node_selector(const Given& given) {
  api::NodeSelectorTerm term;
  for (const PublishedDevice& found : given.found) {
    if (found.device == nullptr) continue;
    const bool per_device = found.slice->per_device_node_selection;
    const std::string& node = per_device ? found.device->node_name : found.slice->node_name;
    if (!node.empty() || found.device->binds_to_node) {
      api::NodeSelectorTerm here;
      here.match_fields.push_back({"metadata.name", api::SelectorOperator::kIn, {std::string(given.node)}});
      return api::NodeSelector{{std::move(here)}};
    }
    const std::optional<api::NodeSelector>& selector =
        per_device ? *found.device->node_selector : found.slice->node_selector;
    if (!selector || selector->terms.empty()) continue;
    add_new(selector->terms.front().match_fields, term.match_fields);
    add_new(selector->terms.front().match_expressions, term.match_expressions);
  }
  if (term.match_fields.empty() && term.match_expressions.empty()) return std::nullopt;
  return api::NodeSelector{{std::move(term)}};
}

// Per request: what was chosen of it.
using Choices = std::vector<Chosen>;

void add_class_config(api::AllocationResult& result, const Choices& choices,
                      std::span<const api::Read<api::DeviceClass>> classes) {
  std::map<std::string_view, std::pair<std::size_t, std::size_t>> added;  // class to its entries, first and last + 1
  for (const Chosen& chosen : choices) {
    const std::string& name = chosen.request->device_class_name;
    const auto [known, fresh] = added.try_emplace(name, result.config.size(), result.config.size());
    if (!fresh) {
      for (std::size_t i = known->second.first; i < known->second.second; ++i)
        result.config[i].requests.push_back(chosen.name);
      continue;
    }
    const auto its_class = std::ranges::find(classes, name, [](const auto& read) { return read.object.metadata.name; });
    if (its_class == classes.end()) continue;
    for (const api::OpaqueConfig& config : its_class->object.config)
      result.config.push_back({api::ConfigSource::kFromClass, {chosen.name}, config});
    known->second.second = result.config.size();
  }
}

// Does the list name the request, or the alternative of it that was chosen?
bool names(const std::vector<std::string>& requests, const api::DeviceRequest& request, const Chosen& chosen) {
  return std::ranges::any_of(requests,
                             [&](const std::string& name) { return name == request.name || name == chosen.name; });
}

void add_claim_config(api::AllocationResult& result, const Choices& choices, const api::ResourceClaimSpec& spec) {
  for (const api::DeviceClaimConfig& config : spec.config) {
    bool applies = config.requests.empty();
    for (std::size_t i = 0; i < choices.size() && !applies; ++i)
      applies = names(config.requests, spec.requests[i], choices[i]);
    if (applies) result.config.push_back({api::ConfigSource::kFromClaim, config.requests, config.opaque});
  }
}

// "Empty means all" is shorter.
void shorten(api::DeviceAllocationConfig& config, const Choices& choices, const api::ResourceClaimSpec& spec) {
  for (std::size_t i = 0; i < choices.size(); ++i)
    if (!names(config.requests, spec.requests[i], choices[i])) return;
  config.requests.clear();
}

}  // namespace

api::AllocationResult allocation_result(const Given& given, const devices::Inventory& inventory,
                                        const api::ResourceClaim& claim,
                                        std::span<const api::Read<api::DeviceClass>> classes,
                                        const engine::Names& names, bool binding_conditions) {
  api::AllocationResult result;
  for (std::size_t i = 0; i < given.devices.size(); ++i) {
    const devices::DeviceAllocation& device = given.devices[i];
    const PublishedDevice& found = given.found[i];
    const Chosen its = chosen(claim.spec, device.request, device.alternative);
    const devices::Inventory::DeviceKey& key = inventory.key(device.device);
    api::DeviceAllocationResult& entry = result.results.emplace_back();
    entry.request = its.name;
    entry.driver = names.names.text(key.driver);
    entry.pool = names.names.text(key.pool);
    entry.device = names.names.text(key.device);
    entry.admin_access = device.admin_access;
    entry.tolerations = its.request->tolerations;
    if (found.device != nullptr && binding_conditions) {
      entry.binding_conditions = *found.device->binding_conditions;
      entry.binding_failure_conditions = *found.device->binding_failure_conditions;
    }
    if (found.slice != nullptr) entry.skip_node_operations = found.slice->skip_node_operations;
    if (device.shared) entry.share_id = share_id(seed_of(claim, i));
    for (const devices::CapacityRequest& taken : device.consumed) {
      const std::string_view name = names.devices().capacities.text(taken.name);
      entry.consumed_capacity.emplace(name, consumed(taken, name, its, found));
    }
  }
  Choices choices;
  for (std::uint32_t r = 0; r < claim.spec.requests.size(); ++r)
    choices.push_back(chosen(claim.spec, r, r < given.chosen.size() ? given.chosen[r] : 0));
  if (mutant("Device.ConfigOrder")) add_claim_config(result, choices, claim.spec);
  add_class_config(result, choices, classes);
  if (!mutant("Device.ConfigOrder")) add_claim_config(result, choices, claim.spec);
  for (api::DeviceAllocationConfig& config : result.config) shorten(config, choices, claim.spec);
  result.node_selector = node_selector(given);
  return result;
}

}  // namespace berth::dialects::dra
