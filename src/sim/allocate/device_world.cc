#include "sim/allocate/device_world.h"

#include <algorithm>

#include "api/full_name.h"
#include "dialects/dra/allocation.h"
#include "dialects/dra/device_dialect.h"
#include "dialects/dra/selector_rules.h"
#include "dialects/kubernetes/selectors.h"

namespace berth::sim {
namespace {

namespace devices = engine::devices;
namespace dra = dialects::dra;

}  // namespace

DeviceWorld::DeviceWorld(const api::ObjectSet& objects, const AllocateOptions& options)
    : objects_(objects),
      mode_(options.mode),
      features_(dra::features_of(options.kubernetes, options.gates)),
      inventory_(names_, names_.devices()),
      translator_(names_, names_.devices()),
      selectors_(names_.devices().selectors, names_.devices(), names_,
                 dra::SelectorRules::of(options.kubernetes, options.gates)),
      published_(objects.resource_slices) {
  add_slices(options.gates.on(api::Gate::kDeviceTaintRules));
  add_claims();
  find_nodes();
}

void DeviceWorld::add_slices(bool with_rules) {
  std::vector<const api::DeviceTaintRule*> rules;
  if (with_rules) {
    for (const auto& read : objects_.device_taint_rules) rules.push_back(&read.object);
    std::ranges::sort(rules, {}, [](const api::DeviceTaintRule* rule) { return rule->metadata.name; });
  }
  for (const auto& read : objects_.resource_slices) inventory_.set(translator_.slice(read.object, rules));
}

void DeviceWorld::add_claims() {
  boost::unordered_flat_map<std::string_view, const api::DeviceClass*> classes;
  for (const auto& read : objects_.device_classes) classes.try_emplace(read.object.metadata.name, &read.object);
  const auto class_of = [&](std::string_view name) -> const api::DeviceClass* {
    const auto found = classes.find(name);
    return found == classes.end() ? nullptr : found->second;
  };
  for (const auto& read : objects_.resource_claims) {
    const api::ResourceClaim& claim = read.object;
    if (!claim.status.allocation) {
      pending_.push_back(&read);
      claims_.push_back(translator_.claim(claim.spec, class_of));
      continue;
    }
    ++in_use_;
    translator_.hold(*claim.status.allocation, features_, inventory_, usage_);
    for (const api::DeviceAllocationResult& one : claim.status.allocation->results) {
      if (one.admin_access) continue;
      const devices::DeviceId device = inventory_.device(names_.names.intern(one.driver), names_.names.intern(one.pool),
                                                         names_.names.intern(one.device));
      holders_[device].push_back(api::full_name(claim.metadata));
    }
  }
  for (const devices::Claim& claim : claims_) asked_.push_back(&claim);
}

void DeviceWorld::find_nodes() {
  for (const auto& read : objects_.nodes) nodes_.try_emplace(read.object.metadata.name, &read.object);
  for (const auto& read : objects_.resource_slices) {
    if (!read.object.node_name.empty()) nodes_.try_emplace(read.object.node_name, nullptr);
    if (!read.object.per_device_node_selection) continue;
    for (const api::Device& device : read.object.devices) {
      if (!device.node_name.empty()) nodes_.try_emplace(device.node_name, nullptr);
    }
  }
}

devices::NodeDevices DeviceWorld::on(const std::string& node) {
  engine::NodeInput input;
  input.name = names_.names.intern(node);
  const auto found = nodes_.find(node);
  if (found != nodes_.end() && found->second != nullptr)
    input.labels = dialects::kubernetes::labels(found->second->metadata.labels, names_);
  return inventory_.on(input, features_);
}

devices::Question DeviceWorld::question(const devices::NodeDevices& node, std::size_t claims, bool emptied) const {
  devices::Question question;
  question.catalogue = &names_.devices();
  question.node = &node;
  question.claims = std::span(asked_).first(claims);
  question.usage = emptied ? &empty_ : &usage_;
  question.selectors = &selectors_;
  question.features = features_;
  question.mode = mode_;
  return question;
}

std::vector<api::AllocationResult> DeviceWorld::results(const devices::NodeDevices& node,
                                                        const devices::Answer& answer) const {
  std::vector<api::AllocationResult> out;
  for (std::size_t i = 0; i < answer.claims.size(); ++i) {
    const devices::ClaimAllocation& claim = answer.claims[i];
    std::vector<dra::PublishedDevice> found;
    for (const devices::DeviceAllocation& device : claim.devices) {
      const devices::NodeSlice& slice = node.slices[node.devices[device.placed].slice];
      found.push_back(
          published_.in_slice(names_.names.text(slice.name), names_.names.text(inventory_.key(device.device).device)));
    }
    out.push_back(dra::allocation_result(
        {.devices = claim.devices, .chosen = claim.chosen, .found = found, .node = names_.names.text(node.node)},
        inventory_, pending_[i]->object, objects_.device_classes, names_, features_.binding_conditions));
  }
  return out;
}

std::string DeviceWorld::claim_name(std::size_t pending) const {
  const api::ObjectMeta& metadata = pending_[pending]->object.metadata;
  return api::full_name(metadata);
}

std::string DeviceWorld::device_name(devices::DeviceId device) const {
  const devices::Inventory::DeviceKey& key = inventory_.key(device);
  return std::string(names_.names.text(key.pool)) + '/' + std::string(names_.names.text(key.device));
}

std::span<const std::string> DeviceWorld::holders(devices::DeviceId device) const {
  const auto found = holders_.find(device);
  return found == holders_.end() ? std::span<const std::string>() : std::span<const std::string>(found->second);
}

}  // namespace berth::sim
