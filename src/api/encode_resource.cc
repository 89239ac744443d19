// resource.k8s.io/v1. A claim that is allocated or reserved is written with its status, so that it can be applied.
#include "api/encode.h"
#include "api/encode_parts.h"
#include "text/json_reader.h"

namespace berth::api {
namespace {

using encoding::array_member;
using encoding::enum_member;
using encoding::object_member;
using encoding::resources_member;
using encoding::text_member;
using encoding::texts_member;
using encoding::time_member;
using text::Writer;

constexpr std::string_view kVersion = "resource.k8s.io/v1";

void quantity_member(Writer& out, std::string_view name, const std::optional<Quantity>& amount) {
  if (amount) out.member(name, amount->to_string());
}

void node_selector_member(Writer& out, const std::optional<NodeSelector>& selector) {
  if (!selector) return;
  out.key("nodeSelector");
  encoding::write_node_selector(out, *selector);
}

// --- Slices ---------------------------------------------------------------------------------------------------------

void write_taint_value(Writer& out, const DeviceTaint& taint) {
  out.begin_object();
  out.member("key", taint.key);
  text_member(out, "value", taint.value);
  enum_member(out, "effect", taint.effect);
  time_member(out, "timeAdded", taint.time_added);
  out.end_object();
}

class AttributeWriter {
 public:
  explicit AttributeWriter(Writer& out) : out_(out) {}

  void operator()(std::int64_t value) { out_.member("int", value); }
  void operator()(bool value) { out_.flag("bool", value); }
  void operator()(const std::string& value) { out_.member("string", value); }
  void operator()(const Version& value) { out_.member("version", value.text); }
  void operator()(const std::vector<std::int64_t>& list) {
    write("ints", list, [this](std::int64_t value) { out_.integer(value); });
  }
  void operator()(const std::vector<bool>& list) {
    write("bools", list, [this](bool value) { out_.boolean(value); });
  }
  void operator()(const std::vector<std::string>& list) {
    write("strings", list, [this](const std::string& value) { out_.string(value); });
  }
  void operator()(const std::vector<Version>& list) {
    write("versions", list, [this](const Version& value) { out_.string(value.text); });
  }

 private:
  template <class List, class WriteOne>
  void write(std::string_view name, const List& list, WriteOne write_one) {
    out_.key(name);
    out_.begin_array();
    for (const auto& value : list) write_one(value);
    out_.end_array();
  }

  Writer& out_;
};

void attributes_member(Writer& out, const DeviceAttributes& attributes) {
  if (attributes.empty()) return;
  object_member(out, "attributes", [&] {
    for (const DeviceAttribute& attribute : attributes)
      object_member(out, attribute.name, [&] { std::visit(AttributeWriter(out), attribute.value); });
  });
}

void write_policy(Writer& out, const CapacityRequestPolicy& policy) {
  quantity_member(out, "default", policy.default_value);
  array_member(out, "validValues", policy.valid_values,
               [](Writer& writer, const Quantity& value) { writer.string(value.to_string()); });
  if (!policy.valid_range) return;
  object_member(out, "validRange", [&] {
    out.member("min", policy.valid_range->min.to_string());
    quantity_member(out, "max", policy.valid_range->max);
    quantity_member(out, "step", policy.valid_range->step);
  });
}

void capacity_member(Writer& out, const DeviceCapacities& capacities) {
  if (capacities.empty()) return;
  object_member(out, "capacity", [&] {
    for (const DeviceCapacity& capacity : capacities) {
      object_member(out, capacity.name, [&] {
        out.member("value", capacity.value.to_string());
        if (capacity.request_policy.address() != nullptr)
          object_member(out, "requestPolicy", [&] { write_policy(out, *capacity.request_policy); });
      });
    }
  });
}

void write_counters(Writer& out, std::string_view name_field, const CounterSet& set) {
  out.begin_object();
  out.member(name_field, set.name);
  object_member(out, "counters", [&] {
    for (const Counter& counter : set.counters)
      object_member(out, counter.name, [&] { out.member("value", counter.value.to_string()); });
  });
  texts_member(out, "compatibilityGroups", set.compatibility_groups);
  out.end_object();
}

void allocatable_member(Writer& out, const std::vector<NodeAllocatableMapping>& mappings) {
  if (mappings.empty()) return;
  object_member(out, "nodeAllocatableResources", [&] {
    for (const NodeAllocatableMapping& mapping : mappings) {
      object_member(out, mapping.resource, [&] {
        const bool per_device = mapping.capacity_key.empty();
        if (mapping.multiplier) {
          object_member(out, "mapping", [&] {
            text_member(out, "capacityKey", mapping.capacity_key);
            quantity_member(out, per_device ? "deviceMultiplier" : "capacityMultiplier", mapping.multiplier);
          });
        }
        if (!mapping.overhead_per_pod && !mapping.overhead_per_container) return;
        object_member(out, "overhead", [&] {
          quantity_member(out, "perPod", mapping.overhead_per_pod);
          quantity_member(out, "perContainer", mapping.overhead_per_container);
        });
      });
    }
  });
}

void write_device(Writer& out, const Device& device) {
  out.begin_object();
  out.member("name", device.name);
  attributes_member(out, *device.attributes);
  capacity_member(out, *device.capacity);
  array_member(out, "consumesCounters", *device.consumes_counters,
               [](Writer& writer, const CounterSet& set) { write_counters(writer, "counterSet", set); });
  text_member(out, "nodeName", device.node_name);
  node_selector_member(out, *device.node_selector);
  if (device.all_nodes) out.flag("allNodes", true);
  array_member(out, "taints", *device.taints, write_taint_value);
  if (device.binds_to_node) out.flag("bindsToNode", true);
  texts_member(out, "bindingConditions", *device.binding_conditions);
  texts_member(out, "bindingFailureConditions", *device.binding_failure_conditions);
  if (device.allow_multiple_allocations) out.flag("allowMultipleAllocations", true);
  allocatable_member(out, *device.node_allocatable_resources);
  out.end_object();
}

// --- Claims ---------------------------------------------------------------------------------------------------------

void write_selector(Writer& out, const DeviceSelector& selector) {
  out.begin_object();
  object_member(out, "cel", [&] { out.member("expression", selector.expression); });
  out.end_object();
}

// The text was one JSON object or array when it was read, or there was none.
void raw_member(Writer& out, std::string_view name, const std::string& json) {
  if (json.empty()) return;
  const Result<text::Document> document = text::parse_json(json);
  if (!document) return;
  out.key(name);
  out.value(document->root());
}

void write_request(Writer& out, const ExactDeviceRequest& request) {
  out.member("deviceClassName", request.device_class_name);
  array_member(out, "selectors", request.selectors, write_selector);
  enum_member(out, "allocationMode", request.allocation_mode);
  if (request.allocation_mode == DeviceAllocationMode::kExactCount) out.member("count", request.count);
  if (request.admin_access) out.flag("adminAccess", *request.admin_access);
  array_member(out, "tolerations", request.tolerations, encoding::write_toleration<DeviceToleration>);
  raw_member(out, "derivedAttributes", request.derived_attributes);
  if (request.capacity_requests)
    object_member(out, "capacity", [&] { resources_member(out, "requests", *request.capacity_requests); });
}

void write_device_request(Writer& out, const DeviceRequest& request) {
  out.begin_object();
  out.member("name", request.name);
  if (request.exactly) object_member(out, "exactly", [&] { write_request(out, *request.exactly); });
  array_member(out, "firstAvailable", request.first_available, [](Writer& writer, const DeviceSubRequest& alternative) {
    writer.begin_object();
    writer.member("name", alternative.name);
    write_request(writer, alternative.request);
    writer.end_object();
  });
  out.end_object();
}

void opaque_member(Writer& out, const OpaqueConfig& config) {
  object_member(out, "opaque", [&] {
    out.member("driver", config.driver);
    raw_member(out, "parameters", config.parameters);
  });
}

void claim_spec_member(Writer& out, const ResourceClaimSpec& spec) {
  object_member(out, "spec", [&] {
    object_member(out, "devices", [&] {
      array_member(out, "requests", spec.requests, write_device_request);
      array_member(out, "constraints", spec.constraints, [](Writer& writer, const DeviceConstraint& constraint) {
        writer.begin_object();
        texts_member(writer, "requests", constraint.requests);
        text_member(writer, "matchAttribute", constraint.match_attribute);
        text_member(writer, "distinctAttribute", constraint.distinct_attribute);
        writer.end_object();
      });
      array_member(out, "config", spec.config, [](Writer& writer, const DeviceClaimConfig& config) {
        writer.begin_object();
        texts_member(writer, "requests", config.requests);
        opaque_member(writer, config.opaque);
        writer.end_object();
      });
    });
  });
}

void write_result(Writer& out, const DeviceAllocationResult& result) {
  out.begin_object();
  out.member("request", result.request);
  out.member("driver", result.driver);
  out.member("pool", result.pool);
  out.member("device", result.device);
  if (result.admin_access) out.flag("adminAccess", true);
  array_member(out, "tolerations", result.tolerations, encoding::write_toleration<DeviceToleration>);
  texts_member(out, "bindingConditions", result.binding_conditions);
  texts_member(out, "bindingFailureConditions", result.binding_failure_conditions);
  text_member(out, "shareID", result.share_id);
  resources_member(out, "consumedCapacity", result.consumed_capacity);
  texts_member(out, "skipNodeOperations", result.skip_node_operations);
  out.end_object();
}

void allocation_member(Writer& out, const AllocationResult& allocation) {
  object_member(out, "allocation", [&] {
    object_member(out, "devices", [&] {
      array_member(out, "results", allocation.results, write_result);
      array_member(out, "config", allocation.config, [](Writer& writer, const DeviceAllocationConfig& config) {
        writer.begin_object();
        enum_member(writer, "source", config.source);
        texts_member(writer, "requests", config.requests);
        opaque_member(writer, config.opaque);
        writer.end_object();
      });
    });
    node_selector_member(out, allocation.node_selector);
    time_member(out, "allocationTimestamp", allocation.allocation_timestamp);
  });
}

void write_device_status(Writer& out, const AllocatedDeviceStatus& device) {
  out.begin_object();
  out.member("driver", device.driver);
  out.member("pool", device.pool);
  out.member("device", device.device);
  text_member(out, "shareID", device.share_id);
  array_member(out, "conditions", device.conditions, encoding::write_condition);
  raw_member(out, "data", device.data);
  if (device.network_data) {
    object_member(out, "networkData", [&] {
      text_member(out, "interfaceName", device.network_data->interface_name);
      texts_member(out, "ips", device.network_data->ips);
      text_member(out, "hardwareAddress", device.network_data->hardware_address);
    });
  }
  out.end_object();
}

void claim_status_member(Writer& out, const ResourceClaimStatus& status) {
  if (status == ResourceClaimStatus{}) return;
  object_member(out, "status", [&] {
    if (status.allocation) allocation_member(out, *status.allocation);
    array_member(out, "reservedFor", status.reserved_for, [](Writer& writer, const ClaimConsumer& consumer) {
      writer.begin_object();
      text_member(writer, "apiGroup", consumer.api_group);
      writer.member("resource", consumer.resource);
      writer.member("name", consumer.name);
      writer.member("uid", consumer.uid);
      writer.end_object();
    });
    array_member(out, "devices", status.devices, write_device_status);
  });
}

}  // namespace

void write(Writer& out, const ResourceSlice& slice) {
  encoding::begin(out, kVersion, "ResourceSlice", slice.metadata);
  object_member(out, "spec", [&] {
    out.member("driver", slice.driver);
    object_member(out, "pool", [&] {
      out.member("name", slice.pool.name);
      out.member("generation", slice.pool.generation);
      out.member("resourceSliceCount", slice.pool.resource_slice_count);
    });
    text_member(out, "nodeName", slice.node_name);
    node_selector_member(out, slice.node_selector);
    if (slice.all_nodes) out.flag("allNodes", true);
    if (slice.per_device_node_selection) out.flag("perDeviceNodeSelection", true);
    array_member(out, "devices", slice.devices, write_device);
    array_member(out, "sharedCounters", slice.shared_counters,
                 [](Writer& writer, const CounterSet& set) { write_counters(writer, "name", set); });
    text_member(out, "partitionTypeAttribute", slice.partition_type_attribute);
    texts_member(out, "skipNodeOperations", slice.skip_node_operations);
  });
  out.end_object();
}

void write(Writer& out, const DeviceClass& device_class) {
  encoding::begin(out, kVersion, "DeviceClass", device_class.metadata);
  object_member(out, "spec", [&] {
    array_member(out, "selectors", device_class.selectors, write_selector);
    array_member(out, "config", device_class.config, [](Writer& writer, const OpaqueConfig& config) {
      writer.begin_object();
      opaque_member(writer, config);
      writer.end_object();
    });
    text_member(out, "extendedResourceName", device_class.extended_resource_name);
  });
  out.end_object();
}

void write(Writer& out, const ResourceClaim& claim) {
  encoding::begin(out, kVersion, "ResourceClaim", claim.metadata);
  claim_spec_member(out, claim.spec);
  claim_status_member(out, claim.status);
  out.end_object();
}

void write(Writer& out, const ResourceClaimTemplate& from) {
  encoding::begin(out, kVersion, "ResourceClaimTemplate", from.metadata);
  object_member(out, "spec", [&] {
    if (!from.claim_metadata.labels.empty() || !from.claim_metadata.annotations.empty()) {
      object_member(out, "metadata", [&] {
        encoding::map_member(out, "labels", from.claim_metadata.labels);
        encoding::map_member(out, "annotations", from.claim_metadata.annotations);
      });
    }
    claim_spec_member(out, from.spec);
  });
  out.end_object();
}

void write(Writer& out, const DeviceTaintRule& rule) {
  encoding::begin(out, kVersion, "DeviceTaintRule", rule.metadata);
  object_member(out, "spec", [&] {
    if (rule.device_selector) {
      object_member(out, "deviceSelector", [&] {
        const DeviceTaintSelector& selector = *rule.device_selector;
        if (selector.driver) out.member("driver", *selector.driver);
        if (selector.pool) out.member("pool", *selector.pool);
        if (selector.device) out.member("device", *selector.device);
      });
    }
    out.key("taint");
    write_taint_value(out, rule.taint);
  });
  object_member(out, "status", [&] { array_member(out, "conditions", rule.conditions, encoding::write_condition); });
  out.end_object();
}

}  // namespace berth::api
