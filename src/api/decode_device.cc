// Device: attributes, capacities, counters, and where it can be used.
#include <functional>

#include "api/decode_resource.h"
#include "api/selector.h"

namespace berth::api {
namespace {

constexpr std::size_t kLongestValue = 64;    // bytes of a string or version
constexpr std::size_t kMostParts = 32;       // attributes and capacities of a device
constexpr std::size_t kMostValues = 48;      // the same, with each element of a list
constexpr std::size_t kMostCounters = 32;    // in a set
constexpr std::size_t kMostCounterSets = 2;  // consumed by a device
constexpr std::size_t kMostTaints = 16;
constexpr std::size_t kMostTaints134 = 4;  // in Kubernetes 1.34
constexpr std::size_t kMostGroups = 2;
constexpr std::size_t kMostBindingConditions = 4;

// --- Attributes -----------------------------------------------------------------------------------------------------

struct AttributeReading {
  AttributeValue value;
  int given = 0;
  bool dropped = false;  // its gate is off
};

void check_text(DecodeContext& context, const Value& value, const std::string& text) {
  if (text.size() > kLongestValue)
    context.error(value,
                  "The value has " + std::to_string(text.size()) + " bytes, but at most 64 are allowed; shorten it.",
                  ErrorCode::kLimit);
}

void read(DecodeContext& context, const Value& value, Version& out) {
  read(context, value, out.text);
  if (!value.is_string()) return;
  check_text(context, value, out.text);
  if (!is_semantic_version(out.text))
    context.error(value, "\"" + out.text.substr(0, kLongestValue) +
                             "\" is no semantic version; write one like 1.2.3 (semver.org 2.0.0).");
}

void read_text(DecodeContext& context, const Value& value, std::string& out) {
  read(context, value, out);
  check_text(context, value, out);
}

template <class T, void (*kRead)(DecodeContext&, const Value&, T&)>
void one_value(DecodeContext& context, const Value& value, AttributeReading& out) {
  T read_value{};
  kRead(context, value, read_value);
  out.value = std::move(read_value);
  ++out.given;
}

template <class T, void (*kRead)(DecodeContext&, const Value&, T&)>
void list_value(DecodeContext& context, const Value& value, AttributeReading& out) {
  out.dropped = !context.allows(Gate::kListTypeAttributes, value);
  if (out.dropped) return;
  ++out.given;
  if (!value.is_array()) return context.wrong_kind(value, "an array");
  if (value.size() == 0) return context.error(value, "The list is empty; give it a value or remove the attribute.");
  std::vector<T> list;
  for (std::size_t i = 0; i < value.size(); ++i) {
    const DecodeContext::Scope scope(context, i);
    T item{};
    kRead(context, value.items()[i], item);
    list.push_back(std::move(item));
  }
  out.value = std::move(list);
}

template <class T>
std::size_t values_in(const T& /*value*/) {
  return 1;
}
template <class T>
std::size_t values_in(const std::vector<T>& list) {
  return list.size();
}

// Each element of a list counts.
std::size_t count_values(const DeviceAttributes& attributes) {
  std::size_t count = 0;
  for (const DeviceAttribute& attribute : attributes)
    count += std::visit([](const auto& value) { return values_in(value); }, attribute.value);
  return count;
}

template <class Named>
void sort_by_name(std::vector<Named>& list) {
  if (!std::ranges::is_sorted(list, {}, &Named::name)) std::ranges::sort(list, {}, &Named::name);
}

}  // namespace

void read(DecodeContext& context, const Value& value, DeviceAttributes& out) {
  static const FieldTable<AttributeReading> kFields({{"int", one_value<std::int64_t, read>},
                                                     {"bool", one_value<bool, read>},
                                                     {"string", one_value<std::string, read_text>},
                                                     {"version", one_value<Version, read>},
                                                     {"ints", list_value<std::int64_t, read>},
                                                     {"bools", list_value<bool, read>},
                                                     {"strings", list_value<std::string, read_text>},
                                                     {"versions", list_value<Version, read>}},
                                                    {});
  if (!value.is_object()) return context.wrong_kind(value, "an object");
  out.reserve(value.size());
  for (const text::Member& member : value.members()) {
    const DecodeContext::Scope scope(context, member.name(), DecodeContext::Scope::kMapKey);
    if (auto fault = qualified_name_fault(member.name())) context.error(member.key, *std::move(fault));
    AttributeReading reading;
    kFields.read(context, member.value, reading);
    if (reading.given == 0 && reading.dropped) continue;
    if (reading.given != 1 && member.value.is_object())
      context.error(member.value, "An attribute has exactly one of int, bool, string and version, but this has " +
                                      std::to_string(reading.given) + "; correct it.");
    out.push_back({std::string(member.name()), std::move(reading.value)});
  }
  sort_by_name(out);
}

// --- Capacities -----------------------------------------------------------------------------------------------------

namespace {

void read(DecodeContext& context, const Value& value, CapacityRange& out) {
  static const FieldTable<CapacityRange> kFields({{"min", member<&CapacityRange::min>},
                                                  {"max", member<&CapacityRange::max>},
                                                  {"step", member<&CapacityRange::step>}},
                                                 {});
  kFields.read(context, value, out);
  require(context, value, "min", "write the smallest amount that can be requested.");
}

}  // namespace

void read(DecodeContext& context, const Value& value, CapacityRequestPolicy& out) {
  static const FieldTable<CapacityRequestPolicy> kFields(
      {{"default", member<&CapacityRequestPolicy::default_value>},
       {"validValues", member<&CapacityRequestPolicy::valid_values>},
       {"validRange", [](DecodeContext& inside, const Value& range,
                         CapacityRequestPolicy& policy) { read(inside, range, policy.valid_range.emplace()); }}},
      {});
  kFields.read(context, value, out);
}

namespace {

void read(DecodeContext& context, const Value& value, DeviceCapacity& out) {
  static const FieldTable<DeviceCapacity> kFields(
      {{"value", member<&DeviceCapacity::value>},
       {"requestPolicy",
        gated<Gate::kConsumableCapacity, shared_member<&DeviceCapacity::request_policy>, DeviceCapacity>}},
      {});
  kFields.read(context, value, out);
}

}  // namespace

void read(DecodeContext& context, const Value& value, DeviceCapacities& out) {
  if (!value.is_object()) return context.wrong_kind(value, "an object");
  out.reserve(value.size());
  for (const text::Member& member : value.members()) {
    const DecodeContext::Scope scope(context, member.name(), DecodeContext::Scope::kMapKey);
    if (auto fault = qualified_name_fault(member.name())) context.error(member.key, *std::move(fault));
    DeviceCapacity& capacity = out.emplace_back();
    capacity.name = member.name();
    read(context, member.value, capacity);
  }
  sort_by_name(out);
}

// --- Counters -------------------------------------------------------------------------------------------------------

namespace {

void read_counters(DecodeContext& context, const Value& value, CounterSet& out) {
  static const FieldTable<Counter> kFields({{"value", member<&Counter::value>}}, {});
  if (!value.is_object()) return context.wrong_kind(value, "an object");
  if (!within_limit(context, value, kMostCounters, "counters")) return;
  out.counters.reserve(value.size());
  for (const text::Member& member : value.members()) {
    const DecodeContext::Scope scope(context, member.name(), DecodeContext::Scope::kMapKey);
    if (auto fault = dns_label_fault(member.name())) context.error(member.key, *std::move(fault));
    Counter& counter = out.counters.emplace_back();
    counter.name = member.name();
    kFields.read(context, member.value, counter);
  }
  sort_by_name(out.counters);
}

void require_counters(DecodeContext& context, const Value& value, const CounterSet& set, std::string_view name) {
  require(context, value, name, "name the set of counters.");
  const Value* counters = value.find("counters");
  if (value.is_object() && (counters == nullptr || counters->is_null() || counters->size() == 0) &&
      set.counters.empty())
    context.error(value, "counters is empty; name at least one counter.");
}

void read_groups(DecodeContext& context, const Value& value, CounterSet& out) {
  read_at_most(context, value, kMostGroups, "groups", out.compatibility_groups);
  for (const std::string& group : out.compatibility_groups)
    if (auto fault = dns_label_fault(group)) context.error(value, *std::move(fault));
  require_distinct(context, value, out.compatibility_groups, std::identity());
  if (!out.compatibility_groups.empty())
    context.remark(value,
                   "Groups of compatible devices are an alpha feature (DRADeviceCompatibilityGroups) that is not "
                   "judged here; where the gate is on devices are taken to be compatible, where it is off the slice "
                   "is not used.");
}

// An entry of consumesCounters.
void read_consumption(DecodeContext& context, const Value& value, CounterSet& out) {
  static const FieldTable<CounterSet> kFields(
      {{"counterSet", name_member<&CounterSet::name, dns_label_fault>},
       {"counters", read_counters},
       {"compatibilityGroups", gated<Gate::kDeviceCompatibilityGroups, read_groups, CounterSet>}},
      {});
  kFields.read(context, value, out);
  require_counters(context, value, out, "counterSet");
}

void read_consumptions(DecodeContext& context, const Value& value, Device& out) {
  if (!value.is_array()) return context.wrong_kind(value, "an array");
  // Kubernetes 1.34 counts the counters alone.
  const bool by_counters = context.version() == KubernetesVersion::k134;
  if (!within_limit(context, value, by_counters ? kMostCounters : kMostCounterSets, "sets of counters")) return;
  std::vector<CounterSet> consumed(value.size());
  std::size_t counters = 0;
  for (std::size_t i = 0; i < value.size(); ++i) {
    const DecodeContext::Scope scope(context, i);
    read_consumption(context, value.items()[i], consumed[i]);
    counters += consumed[i].counters.size();
  }
  if (by_counters && counters > kMostCounters)
    context.error(value, "The device consumes more than 32 counters; let it consume fewer.", ErrorCode::kLimit);
  require_distinct(context, value, consumed, &CounterSet::name);
  out.consumes_counters = context.shares().counters.share(std::move(consumed));
}

}  // namespace

void read(DecodeContext& context, const Value& value, CounterSet& out) {
  static const FieldTable<CounterSet> kFields(
      {{"name", name_member<&CounterSet::name, dns_label_fault>}, {"counters", read_counters}}, {});
  kFields.read(context, value, out);
  require_counters(context, value, out, "name");
}

// --- Device ---------------------------------------------------------------------------------------------------------

namespace {

void read_attributes(DecodeContext& context, const Value& value, Device& out) {
  DeviceAttributes attributes;
  read(context, value, attributes);
  out.attributes = context.shares().attributes.share(std::move(attributes));
}

void read_capacity(DecodeContext& context, const Value& value, Device& out) {
  DeviceCapacities capacities;
  read(context, value, capacities);
  out.capacity = context.shares().capacities.share(std::move(capacities));
}

void read_device_taints(DecodeContext& context, const Value& value, Device& out) {
  std::vector<DeviceTaint> taints;
  const bool few = context.version() == KubernetesVersion::k134;
  read_at_most(context, value, few ? kMostTaints134 : kMostTaints, "taints", taints);
  out.taints = std::move(taints);
}

template <Shared<std::vector<std::string>> Device::* kList>
void read_conditions(DecodeContext& context, const Value& value, Device& out) {
  std::vector<std::string> types;
  read_at_most(context, value, kMostBindingConditions, "types of conditions", types);
  require_distinct(context, value, types, [](const std::string& type) { return std::string_view(type); });
  for (const std::string& type : types)
    if (auto fault = label_key_fault(type)) context.error(value, *std::move(fault));
  out.*kList = std::move(types);
}

void read_device_node_selector(DecodeContext& context, const Value& value, Device& out) {
  std::optional<NodeSelector> selector;
  read(context, value, selector);
  out.node_selector = std::move(selector);
}

// --- Node allocatable resources ---

struct AllocatableReading {
  NodeAllocatableMapping mapping;
  bool has_mapping = false;
  bool has_overhead = false;
};

void read_mapping(DecodeContext& context, const Value& value, AllocatableReading& out) {
  struct Mapping {
    std::string key;
    std::optional<Quantity> capacity_multiplier;
    std::optional<Quantity> device_multiplier;
  };
  static const FieldTable<Mapping> kFields({{"capacityKey", member<&Mapping::key>},
                                            {"capacityMultiplier", member<&Mapping::capacity_multiplier>},
                                            {"deviceMultiplier", member<&Mapping::device_multiplier>}},
                                           {});
  Mapping mapping;
  kFields.read(context, value, mapping);
  out.has_mapping = true;
  if (mapping.key.empty() == mapping.capacity_multiplier.has_value() ||
      mapping.capacity_multiplier.has_value() == mapping.device_multiplier.has_value())
    context.error(value,
                  "Either capacityKey with capacityMultiplier or deviceMultiplier is wanted; write one of them.");
  out.mapping.capacity_key = mapping.key;
  out.mapping.multiplier = mapping.key.empty() ? mapping.device_multiplier : mapping.capacity_multiplier;
  if (out.mapping.multiplier && (out.mapping.multiplier->is_zero() || out.mapping.multiplier->is_negative()))
    context.error(value, "The multiplier " + out.mapping.multiplier->to_string() + " is not above 0; correct it.");
}

void read_overhead(DecodeContext& context, const Value& value, AllocatableReading& out) {
  static const FieldTable<NodeAllocatableMapping> kFields(
      {{"perPod", member<&NodeAllocatableMapping::overhead_per_pod>},
       {"perContainer", member<&NodeAllocatableMapping::overhead_per_container>}},
      {});
  kFields.read(context, value, out.mapping);
  out.has_overhead = true;
  const auto& [resource, key, multiplier, per_pod, per_container] = out.mapping;
  if (!per_pod && !per_container) context.error(value, "Neither perPod nor perContainer is given; write at least one.");
  if ((per_pod && per_pod->is_negative()) || (per_container && per_container->is_negative()))
    context.error(value, "An overhead is negative; write 0 or more.");
}

void read_allocatable(DecodeContext& context, const Value& value, Device& out) {
  static const FieldTable<AllocatableReading> kFields({{"mapping", read_mapping}, {"overhead", read_overhead}}, {});
  if (!value.is_object()) return context.wrong_kind(value, "an object");
  std::vector<NodeAllocatableMapping> mappings;
  for (const text::Member& member : value.members()) {
    const DecodeContext::Scope scope(context, member.name(), DecodeContext::Scope::kMapKey);
    AllocatableReading reading;
    reading.mapping.resource = member.name();
    kFields.read(context, member.value, reading);
    if (!reading.has_mapping && !reading.has_overhead)
      context.error(member.value, "Neither mapping nor overhead is given; write at least one.");
    mappings.push_back(std::move(reading.mapping));
  }
  std::ranges::sort(mappings, {}, &NodeAllocatableMapping::resource);
  out.node_allocatable_resources = std::move(mappings);
}

const FieldTable<Device>& device_fields() {
  constexpr Gate kPartitions = Gate::kPartitionableDevices;
  constexpr Gate kBinding = Gate::kDeviceBindingConditions;
  static const FieldTable<Device> kFields(
      {{"name", name_member<&Device::name, dns_label_fault>},
       {"attributes", read_attributes},
       {"capacity", read_capacity},
       {"consumesCounters", gated<kPartitions, read_consumptions, Device>},
       {"nodeName", gated<kPartitions, name_member<&Device::node_name, object_name_fault>, Device>},
       {"nodeSelector", gated<kPartitions, read_device_node_selector, Device>},
       {"allNodes", gated<kPartitions, true_member<&Device::all_nodes>, Device>},
       {"taints", gated<Gate::kDeviceTaints, read_device_taints, Device>},
       {"bindsToNode", gated<kBinding, member<&Device::binds_to_node>, Device>},
       {"bindingConditions", gated<kBinding, read_conditions<&Device::binding_conditions>, Device>},
       {"bindingFailureConditions", gated<kBinding, read_conditions<&Device::binding_failure_conditions>, Device>},
       {"allowMultipleAllocations",
        gated<Gate::kConsumableCapacity, member<&Device::allow_multiple_allocations>, Device>},
       {"nodeAllocatableResources", gated<Gate::kNodeAllocatableResources, read_allocatable, Device>}},
      {});
  return kFields;
}

// v1beta1 has all but the name one level deeper.
void read_basic_device(DecodeContext& context, const Value& value, Device& out) {
  static const FieldTable<Device> kFields(
      {{"name", name_member<&Device::name, dns_label_fault>}, {"basic", inner<Device, device_fields>}}, {});
  kFields.read(context, value, out);
}

void check_parts(DecodeContext& context, const Value& value, const Device& device) {
  const std::size_t attributes = device.attributes->size();
  const std::size_t parts = attributes + device.capacity->size();
  if (parts > kMostParts)
    context.error(value,
                  "The device has " + std::to_string(parts) +
                      " attributes and capacities, but at most 32 are allowed; remove some.",
                  ErrorCode::kLimit);
  const std::size_t values = attributes > kMostParts ? attributes : count_values(*device.attributes);
  if (values > kMostValues)
    context.error(value,
                  "The attributes of the device have " + std::to_string(values) +
                      " values, but at most 48 are allowed; remove some.",
                  ErrorCode::kLimit);
  for (const NodeAllocatableMapping& mapping : *device.node_allocatable_resources)
    if (!mapping.capacity_key.empty() && find_capacity(*device.capacity, mapping.capacity_key) == nullptr)
      context.error(value, "The device has no capacity \"" + mapping.capacity_key.substr(0, 100) +
                               "\", which nodeAllocatableResources names; correct capacityKey.");
}

}  // namespace

void read(DecodeContext& context, const Value& value, Device& out) {
  if (context.api_version() == "resource.k8s.io/v1beta1") {
    read_basic_device(context, value, out);
  } else {
    device_fields().read(context, value, out);
  }
  require(context, value, "name", "give the device a name that is unique in its pool.");
  check_parts(context, value, out);
  check_binding_conditions(context, value, *out.binding_conditions, *out.binding_failure_conditions);
  check_request_policies(context, value, out);
}

}  // namespace berth::api
