#include "dialects/dra/allocation.h"

#include <algorithm>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "base/random.h"
#include "engine/devices/catalogue.h"

namespace berth::dialects::dra {

namespace devices = engine::devices;

namespace {

struct Chosen {
  std::string name;  // "a" or "a/b"
  const api::ExactDeviceRequest* request = nullptr;
};

Chosen chosen(const api::ResourceClaimSpec& spec, const devices::DeviceAllocation& device) {
  const api::DeviceRequest& request = spec.requests[device.request];
  if (request.exactly) return {request.name, &*request.exactly};
  const api::DeviceSubRequest& sub = request.first_available[device.alternative];
  return {request.name + "/" + sub.name, &sub.request};
}

// A stable UUID (version 8, RFC 9562) for a share: the same input gives the same id.
std::string share_id(std::uint64_t seed) {
  const std::uint64_t high = split_mix(seed);
  const std::uint64_t low = split_mix(high);
  return fmt::format("{:08x}-{:04x}-8{:03x}-{:04x}-{:012x}", high >> 32U, high >> 16U & 0xffffU, high & 0xfffU,
                     (low >> 48U & 0x3fffU) | 0x8000U, low & 0xffff'ffff'ffffU);
}

std::uint64_t seed_of(const api::ResourceClaim& claim, std::size_t position) {
  std::uint64_t seed = position;
  for (const char byte : claim.metadata.namespace_ + "/" + claim.metadata.name) {
    seed = split_mix(seed ^ static_cast<unsigned char>(byte));
  }
  return seed;
}

api::NodeSelectorTerm term_of(const engine::NodeTerm& term, const engine::Names& names) {
  api::NodeSelectorTerm result;
  for (const engine::NameRequirement& from : term.names) {
    api::SelectorRequirement& requirement = result.match_fields.emplace_back();
    requirement.key = "metadata.name";
    requirement.op = from.in ? api::SelectorOperator::kIn : api::SelectorOperator::kNotIn;
    for (const engine::NameId name : from.names) requirement.values.emplace_back(names.names.text(name));
  }
  for (const engine::Requirement& from : term.labels) {
    api::SelectorRequirement& requirement = result.match_expressions.emplace_back();
    requirement.key = names.label_keys.text(from.key);
    switch (from.op) {
      case engine::Operator::kIn:
        requirement.op = api::SelectorOperator::kIn;
        break;
      case engine::Operator::kNotIn:
        requirement.op = api::SelectorOperator::kNotIn;
        break;
      case engine::Operator::kExists:
        requirement.op = api::SelectorOperator::kExists;
        break;
      case engine::Operator::kDoesNotExist:
        requirement.op = api::SelectorOperator::kDoesNotExist;
        break;
      case engine::Operator::kGreaterThan:
        requirement.op = api::SelectorOperator::kGreaterThan;
        break;
      case engine::Operator::kLessThan:
        requirement.op = api::SelectorOperator::kLessThan;
        break;
    }
    for (const engine::LabelValueId value : from.values) requirement.values.emplace_back(names.text(value));
    if (from.bound) requirement.values = {std::to_string(*from.bound)};
  }
  return result;
}

// What the class of the request says to the drivers.
void add_config(api::AllocationResult& result, const Chosen& chosen,
                std::span<const api::Read<api::DeviceClass>> classes) {
  const auto its_class = std::ranges::find(classes, chosen.request->device_class_name,
                                           [](const auto& read) { return read.object.metadata.name; });
  if (its_class == classes.end()) return;
  for (const api::OpaqueConfig& config : its_class->object.config) {
    api::DeviceAllocationConfig entry{api::ConfigSource::kFromClass, {chosen.name}, config};
    if (std::ranges::find(result.config, entry) == result.config.end()) result.config.push_back(std::move(entry));
  }
}

}  // namespace

api::AllocationResult allocation_result(const devices::Grant& grant, const devices::Inventory& inventory,
                                        const api::ResourceClaim& claim,
                                        std::span<const api::Read<api::DeviceClass>> classes,
                                        const engine::Names& names) {
  api::AllocationResult result;
  for (std::size_t i = 0; i < grant.devices.size(); ++i) {
    const devices::DeviceAllocation& device = grant.devices[i];
    const Chosen its = chosen(claim.spec, device);
    const devices::Inventory::DeviceKey& key = inventory.key(device.device);
    api::DeviceAllocationResult& entry = result.results.emplace_back();
    entry.request = its.name;
    entry.driver = names.names.text(key.driver);
    entry.pool = names.names.text(key.pool);
    entry.device = names.names.text(key.device);
    entry.admin_access = device.admin_access;
    entry.tolerations = its.request->tolerations;
    if (device.shared) entry.share_id = share_id(seed_of(claim, i));
    for (const devices::CapacityRequest& taken : device.consumed) {
      entry.consumed_capacity.emplace(names.devices().capacities.text(taken.name),
                                      api::Quantity::from_nanos(taken.amount));
    }
    add_config(result, its, classes);
  }
  for (const api::DeviceClaimConfig& config : claim.spec.config) {
    result.config.push_back({api::ConfigSource::kFromClaim, config.requests, config.opaque});
  }
  if (grant.reach) {
    api::NodeSelector selector;
    for (const engine::NodeTerm& term : grant.reach->terms) selector.terms.push_back(term_of(term, names));
    result.node_selector = std::move(selector);
  }
  return result;
}

}  // namespace berth::dialects::dra
