// ResourceSlice and DeviceTaintRule.
#include <algorithm>
#include <array>

#include "api/decode_objects.h"
#include "api/decode_resource.h"
#include "api/selector.h"

namespace berth::api {
namespace {

constexpr std::size_t kMostDevices = 128;
constexpr std::size_t kMostAdvancedDevices = 64;  // with taints, counters or lists
constexpr std::size_t kMostCounterSets = 8;
// Kubernetes 1.34, where a slice has sets of counters and the devices that consume them.
constexpr std::size_t kMostSharedCounters = 32;
constexpr std::size_t kMostConsumedCounters = 1024;

std::size_t count(const std::vector<CounterSet>& sets) {
  std::size_t sum = 0;
  for (const CounterSet& set : sets) sum += set.counters.size();
  return sum;
}
constexpr std::size_t kMostRuleConditions = 8;

}  // namespace

void read(DecodeContext& context, const Value& value, ResourcePool& out) {
  static const FieldTable<ResourcePool> kFields({{"name", name_member<&ResourcePool::name, pool_name_fault>},
                                                 {"generation", member<&ResourcePool::generation>},
                                                 {"resourceSliceCount", member<&ResourcePool::resource_slice_count>}},
                                                {});
  kFields.read(context, value, out);
  require(context, value, "name", "name the pool.");
  if (value.is_object() && out.resource_slice_count <= 0)
    context.error(value, "resourceSliceCount must be above 0; write the number of slices of the pool.");
  if (out.generation < 0) context.error(value, "generation is negative; write 0 or more.");
}

namespace {

void read_devices(DecodeContext& context, const Value& value, ResourceSlice& out) {
  read_at_most(context, value, kMostDevices, "devices", out.devices);
  require_distinct(context, value, out.devices, &Device::name);
}

void read_shared_counters(DecodeContext& context, const Value& value, ResourceSlice& out) {
  const bool with_devices = context.version() == KubernetesVersion::k134;
  read_at_most(context, value, with_devices ? kMostSharedCounters : kMostCounterSets, "sets of counters",
               out.shared_counters);
  if (with_devices && count(out.shared_counters) > kMostSharedCounters)
    context.error(value, "There are more than 32 counters in all sets of the slice; split the slice.",
                  ErrorCode::kLimit);
  require_distinct(context, value, out.shared_counters, &CounterSet::name);
}

}  // namespace

void check_skipped_operations(DecodeContext& context, const Value& value, const std::vector<std::string>& operations) {
  const auto has = [&operations](std::string_view name) {
    return std::ranges::find(operations, name) != operations.end();
  };
  for (const std::string& operation : operations)
    if (operation != "NodePrepareResources" && operation != "NodeUnprepareResources" && operation != "*")
      context.error(value, "\"" + operation.substr(0, 100) +
                               "\" cannot be skipped; write NodePrepareResources, NodeUnprepareResources or *.");
  if (has("NodePrepareResources") && !has("NodeUnprepareResources") && !has("*"))
    context.error(value, "NodePrepareResources is skipped only together with NodeUnprepareResources; add that.");
}

namespace {

void read_skipped(DecodeContext& context, const Value& value, ResourceSlice& out) {
  read(context, value, out.skip_node_operations);
  check_skipped_operations(context, value, out.skip_node_operations);
}

const FieldTable<ResourceSlice>& slice_spec_fields() {
  constexpr Gate kPartitions = Gate::kPartitionableDevices;
  static const FieldTable<ResourceSlice> kFields(
      {{"driver", name_member<&ResourceSlice::driver, driver_name_fault>},
       {"pool", member<&ResourceSlice::pool>},
       {"nodeName", name_member<&ResourceSlice::node_name, object_name_fault>},
       {"nodeSelector", member<&ResourceSlice::node_selector>},
       {"allNodes", true_member<&ResourceSlice::all_nodes>},
       {"perDeviceNodeSelection",
        gated<kPartitions, true_member<&ResourceSlice::per_device_node_selection>, ResourceSlice>},
       {"devices", read_devices},
       {"sharedCounters", gated<kPartitions, read_shared_counters, ResourceSlice>},
       {"partitionTypeAttribute",
        gated<Gate::kPartitionableDevicesType,
              name_member<&ResourceSlice::partition_type_attribute, fully_qualified_name_fault>, ResourceSlice>},
       {"skipNodeOperations", gated<Gate::kOptionalNodeOperations, read_skipped, ResourceSlice>}},
      {});
  return kFields;
}

// Exactly one way to say where the devices can be used.
void check_nodes(DecodeContext& context, const Value& value, const ResourceSlice& slice) {
  const int ways = (slice.node_name.empty() ? 0 : 1) + (slice.node_selector ? 1 : 0) + (slice.all_nodes ? 1 : 0) +
                   (slice.per_device_node_selection ? 1 : 0);
  if (ways != 1)
    context.error(value, "Exactly one of nodeName, nodeSelector, allNodes and perDeviceNodeSelection is wanted, but " +
                             std::to_string(ways) + " are set; say once where the devices can be used.");
  if (slice.node_selector && slice.node_selector->terms.size() > 1)
    context.error(value, "The nodeSelector of a slice has exactly one term; split the slice or the term.");
}

void check_device_nodes(DecodeContext& context, const Value& list, const ResourceSlice& slice) {
  if (list.size() != slice.devices.size()) return;
  for (std::size_t i = 0; i < slice.devices.size(); ++i) {
    const Device& device = slice.devices[i];
    const int ways = (device.node_name.empty() ? 0 : 1) + (*device.node_selector ? 1 : 0) + (device.all_nodes ? 1 : 0);
    if (ways == (slice.per_device_node_selection ? 1 : 0)) continue;
    const DecodeContext::Scope scope(context, i);
    context.error(list.items()[i],
                  slice.per_device_node_selection
                      ? "Exactly one of nodeName, nodeSelector and allNodes is wanted at each device of a slice with "
                        "perDeviceNodeSelection; correct the device."
                      : "nodeName, nodeSelector and allNodes at a device need perDeviceNodeSelection: true in the "
                        "slice; set that or remove them.");
  }
}

bool has_list(const DeviceAttributes& attributes) {
  constexpr std::size_t kFirstList = 4;  // in AttributeValue
  return std::ranges::any_of(attributes, [](const auto& attribute) { return attribute.value.index() >= kFirstList; });
}

bool is_advanced(const Device& device) {
  return !device.taints->empty() || !device.consumes_counters->empty() || has_list(*device.attributes);
}

// A partition's type is a string attribute of every device that consumes counters.
void check_partition_type(DecodeContext& context, const Value& list, const ResourceSlice& slice) {
  const std::string& name = slice.partition_type_attribute;
  if (name.empty()) return;
  const std::string own_domain = slice.driver + "/";
  const bool partitioned =
      std::ranges::any_of(slice.devices, [](const Device& device) { return !device.consumes_counters->empty(); });
  if (!partitioned)
    context.error(list, "partitionTypeAttribute needs devices that consume counters; remove it or add them.");
  for (const Device& device : slice.devices) {
    if (device.consumes_counters->empty()) continue;
    const DeviceAttribute* attribute = find_attribute(*device.attributes, name);
    if (attribute == nullptr && name.starts_with(own_domain))
      attribute = find_attribute(*device.attributes, std::string_view(name).substr(own_domain.size()));
    if (attribute == nullptr || !std::holds_alternative<std::string>(attribute->value))
      context.error(list, "The device " + device.name + " has no string attribute " + name +
                              ", which partitionTypeAttribute names; add it.");
  }
}

// Kubernetes 1.34: what a device consumes is in its slice.
void check_consumptions(DecodeContext& context, const Value& list, const ResourceSlice& slice) {
  std::size_t counters = 0;
  for (const Device& device : slice.devices) {
    counters += count(*device.consumes_counters);
    for (const CounterSet& consumed : *device.consumes_counters) {
      const auto set = std::ranges::find(slice.shared_counters, consumed.name, &CounterSet::name);
      if (set == slice.shared_counters.end()) {
        context.error(list,
                      "The device " + device.name + " consumes counters of the set " + consumed.name +
                          ", which is not in the slice's sharedCounters. Kubernetes 1.34 wants it there; set 1.35 "
                          "or later for sets in slices of their own.");
        continue;
      }
      for (const Counter& counter : consumed.counters) {
        if (std::ranges::find(set->counters, counter.name, &Counter::name) == set->counters.end())
          context.error(list, "The device " + device.name + " consumes the counter " + counter.name +
                                  ", which the set " + set->name + " does not have; add it or correct the name.");
      }
    }
  }
  if (counters > kMostConsumedCounters)
    context.error(list, "The devices consume more than 1024 counters together; split the slice.", ErrorCode::kLimit);
}

void read_slice_spec(DecodeContext& context, const Value& value, ResourceSlice& out) {
  const std::int32_t before = context.errors();
  slice_spec_fields().read(context, value, out);
  require(context, value, "driver", "name the driver that publishes the slice.");
  require(context, value, "pool", "say which pool the slice belongs to.");
  if (!value.is_object() || context.errors() != before) return;  // what follows would only repeat it
  check_nodes(context, value, out);
  const bool together = context.version() == KubernetesVersion::k134;
  if (!together && !out.shared_counters.empty() && !out.devices.empty())
    context.error(value,
                  "A slice has either devices or sharedCounters; move the counters to a slice of their own, or "
                  "set Kubernetes 1.34, where they are in one.");
  const Value* devices = value.find("devices");
  if (devices == nullptr || !devices->is_array()) return;
  const DecodeContext::Scope scope(context, "devices");
  if (together) check_consumptions(context, *devices, out);
  if (!together && out.devices.size() > kMostAdvancedDevices && std::ranges::any_of(out.devices, is_advanced))
    context.error(*devices,
                  "There are " + std::to_string(out.devices.size()) +
                      " devices, but at most 64 are allowed where one has taints, counters or lists; split the slice.",
                  ErrorCode::kLimit);
  check_device_nodes(context, *devices, out);
  check_partition_type(context, *devices, out);
}

}  // namespace

void read(DecodeContext& context, const Value& value, ResourceSlice& out) {
  static const FieldTable<ResourceSlice> kFields(
      {{"metadata", member<&ResourceSlice::metadata>}, {"spec", read_slice_spec}}, {"apiVersion", "kind"});
  kFields.read(context, value, out);
  require(context, value, "spec", "write the slice's driver, pool and devices.");
}

// --- DeviceTaintRule ------------------------------------------------------------------------------------------------

namespace {

template <std::optional<std::string> DeviceTaintSelector::* kMember,
          std::optional<std::string> (*kFault)(std::string_view)>
void selected_name(DecodeContext& context, const Value& value, DeviceTaintSelector& out) {
  read_name<kFault>(context, value, (out.*kMember).emplace());
}

void read_selected(DecodeContext& context, const Value& value, DeviceTaintRule& out) {
  static const FieldTable<DeviceTaintSelector> kFields(
      {{"driver", selected_name<&DeviceTaintSelector::driver, driver_name_fault>},
       {"pool", selected_name<&DeviceTaintSelector::pool, pool_name_fault>},
       {"device", selected_name<&DeviceTaintSelector::device, dns_label_fault>}},
      {});
  // What is left out of a selector widens it. v1alpha3 had deviceClassName and selectors until Kubernetes 1.35.
  if (value.is_object()) {
    static constexpr std::array<std::string_view, 3> kKnown = {"driver", "pool", "device"};
    for (const text::Member& member : value.members()) {
      if (member.value.is_null() || std::ranges::find(kKnown, member.name()) != kKnown.end()) continue;
      context.error(member.key, "A rule cannot select devices by " + std::string(member.name().substr(0, 64)) +
                                    ", and without it would taint more of them; select by driver, pool and device.");
    }
  }
  kFields.read(context, value, out.device_selector.emplace());
}

const FieldTable<DeviceTaintRule>& rule_spec_fields() {
  static const FieldTable<DeviceTaintRule> kFields(
      {{"deviceSelector", read_selected}, {"taint", member<&DeviceTaintRule::taint>}}, {});
  return kFields;
}

void read_rule_spec(DecodeContext& context, const Value& value, DeviceTaintRule& out) {
  rule_spec_fields().read(context, value, out);
  require(context, value, "taint", "write the taint that the devices get.");
}

void read_rule_status(DecodeContext& context, const Value& value, DeviceTaintRule& out) {
  static const FieldTable<DeviceTaintRule> kFields(
      {{"conditions",
        [](DecodeContext& inside, const Value& list, DeviceTaintRule& rule) {
          read_at_most(inside, list, kMostRuleConditions, "conditions", rule.conditions);
        }}},
      {});
  kFields.read(context, value, out);
}

}  // namespace

void read(DecodeContext& context, const Value& value, DeviceTaintRule& out) {
  static const FieldTable<DeviceTaintRule> kFields(
      {{"metadata", member<&DeviceTaintRule::metadata>}, {"spec", read_rule_spec}, {"status", read_rule_status}},
      {"apiVersion", "kind"});
  kFields.read(context, value, out);
  require(context, value, "spec", "write the rule's deviceSelector and taint.");
}

}  // namespace berth::api
