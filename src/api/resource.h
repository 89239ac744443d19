// resource.k8s.io: devices that drivers publish, classes of them, claims on them.
//
// The shape is v1's; v1beta2 is the same and v1beta1 is brought to it on reading. Validated objects keep the limits of
// the API (devices <= 128 a slice, requests <= 32 a claim, ...), so consumers need not check them again.
// Source: the Kubernetes API reference, v1.37, and the KEPs named at the fields.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "api/core.h"
#include "api/meta.h"
#include "api/quantity.h"
#include "base/shared.h"

namespace berth::api {

// --- Devices --------------------------------------------------------------------------------------------------------

// A semantic version (semver.org 2.0.0), as written.
struct Version {
  std::string text;
  bool operator==(const Version&) const = default;
};

// The lists need the gate DRAListTypeAttributes; they are never empty.
using AttributeValue = std::variant<std::int64_t, bool, std::string, Version, std::vector<std::int64_t>,
                                    std::vector<bool>, std::vector<std::string>, std::vector<Version>>;

// Names of attributes and capacities are as written: "model", which belongs to the driver's domain, or
// "dra.example.com/model".
struct DeviceAttribute {
  std::string name;
  AttributeValue value;
  bool operator==(const DeviceAttribute&) const = default;
};
using DeviceAttributes = std::vector<DeviceAttribute>;  // in name order, each name once

struct CapacityRange {
  Quantity min;
  std::optional<Quantity> max;
  std::optional<Quantity> step;
  bool operator==(const CapacityRange&) const = default;
};

// What a request may ask of a capacity of a device that allows multiple allocations (KEP-5075). All empty: no policy.
struct CapacityRequestPolicy {
  std::optional<Quantity> default_value;  // what a request that does not name the capacity consumes
  std::vector<Quantity> valid_values;     // ascending; at most one of these two
  std::optional<CapacityRange> valid_range;
  bool operator==(const CapacityRequestPolicy&) const = default;
};

struct DeviceCapacity {
  std::string name;
  Quantity value;
  Shared<CapacityRequestPolicy> request_policy;
  bool operator==(const DeviceCapacity&) const = default;
};
using DeviceCapacities = std::vector<DeviceCapacity>;  // in name order, each name once

// An amount of something that devices of a pool share (KEP-4815).
struct Counter {
  std::string name;
  Quantity value;
  bool operator==(const Counter&) const = default;
};

// In a slice: what there is. At a device: what it takes of the set of that name.
struct CounterSet {
  std::string name;
  std::vector<Counter> counters;                  // in name order, each name once
  std::vector<std::string> compatibility_groups;  // alpha, of a device: others that take of the set share one of them
  bool operator==(const CounterSet&) const = default;
};

enum class DeviceTaintEffect : std::uint8_t { kNone, kNoSchedule, kNoExecute };

struct DeviceTaint {
  std::string key;
  std::string value;
  DeviceTaintEffect effect = DeviceTaintEffect::kNone;  // an effect that is not known counts as None
  std::optional<Time> time_added;
  bool operator==(const DeviceTaint&) const = default;
};

// KEP-5517: what a device takes of, or brings to, the node's allocatable resources.
struct NodeAllocatableMapping {
  std::string resource;      // such as cpu or memory
  std::string capacity_key;  // a capacity of the device; empty: counted per device
  std::optional<Quantity> multiplier;
  std::optional<Quantity> overhead_per_pod;
  std::optional<Quantity> overhead_per_container;
  bool operator==(const NodeAllocatableMapping&) const = default;
};

// Its identity is (driver, pool, name).
struct Device {
  std::string name;
  Shared<DeviceAttributes> attributes;
  Shared<DeviceCapacities> capacity;
  Shared<std::vector<CounterSet>> consumes_counters;
  // Where it can be used, with perDeviceNodeSelection of the slice only: exactly one.
  std::string node_name;
  bool all_nodes = false;
  bool binds_to_node = false;
  bool allow_multiple_allocations = false;  // then all its capacity is consumable
  Shared<std::optional<NodeSelector>> node_selector;
  Shared<std::vector<DeviceTaint>> taints;
  Shared<std::vector<std::string>> binding_conditions;
  Shared<std::vector<std::string>> binding_failure_conditions;
  Shared<std::vector<NodeAllocatableMapping>> node_allocatable_resources;  // in resource order
  bool operator==(const Device&) const = default;
};

struct ResourcePool {
  std::string name;
  std::int64_t generation = 0;            // only slices of the highest one count
  std::int64_t resource_slice_count = 0;  // slices of this generation
  bool operator==(const ResourcePool&) const = default;
};

// Has either devices or shared counters. Exactly one of the four ways to say where its devices can be used.
struct ResourceSlice {
  ObjectMeta metadata;
  std::string driver;
  ResourcePool pool;
  std::string node_name;
  std::optional<NodeSelector> node_selector;  // one term
  bool all_nodes = false;
  bool per_device_node_selection = false;
  std::vector<Device> devices;
  std::vector<CounterSet> shared_counters;
  std::string partition_type_attribute;           // alpha; empty: none
  std::vector<std::string> skip_node_operations;  // alpha: NodePrepareResources, NodeUnprepareResources or *
  bool operator==(const ResourceSlice&) const = default;
};

[[nodiscard]] const DeviceAttribute* find_attribute(const DeviceAttributes& attributes, std::string_view name);
[[nodiscard]] const DeviceCapacity* find_capacity(const DeviceCapacities& capacities, std::string_view name);

// --- Classes and claims ---------------------------------------------------------------------------------------------

struct DeviceSelector {
  std::string expression;  // CEL over `device`
  bool operator==(const DeviceSelector&) const = default;
};

struct OpaqueConfig {
  std::string driver;
  std::string parameters;  // one JSON object, compact
  bool operator==(const OpaqueConfig&) const = default;
};

struct DeviceClass {
  ObjectMeta metadata;
  std::vector<DeviceSelector> selectors;  // all must hold
  std::vector<OpaqueConfig> config;
  std::string extended_resource_name;  // empty: only the implicit deviceclass.resource.kubernetes.io/NAME
  bool operator==(const DeviceClass&) const = default;
};

enum class DeviceTolerationOperator : std::uint8_t { kEqual, kExists };

struct DeviceToleration {
  std::string key;  // empty: every key
  DeviceTolerationOperator op = DeviceTolerationOperator::kEqual;
  std::string value;
  std::optional<DeviceTaintEffect> effect;  // none: every effect
  std::optional<std::int64_t> toleration_seconds;
  bool operator==(const DeviceToleration&) const = default;
};

enum class DeviceAllocationMode : std::uint8_t { kExactCount, kAll };

// What one request, or one alternative of it, asks for.
struct ExactDeviceRequest {
  std::string device_class_name;
  std::vector<DeviceSelector> selectors;  // all must hold, beside those of the class
  DeviceAllocationMode allocation_mode = DeviceAllocationMode::kExactCount;
  std::int64_t count = 1;            // devices, with kExactCount; 0 with kAll
  std::optional<bool> admin_access;  // where the gate is off it matters that the field is there
  std::vector<DeviceToleration> tolerations;
  std::optional<ResourceList> capacity_requests;  // capacity.requests: qualified name to amount; none: no capacity
  std::string derived_attributes;                 // alpha: one JSON array, compact, which nobody reads; empty: none
  bool operator==(const ExactDeviceRequest&) const = default;
};

struct DeviceSubRequest {
  std::string name;
  ExactDeviceRequest request;  // without admin_access
  bool operator==(const DeviceSubRequest&) const = default;
};

// Either `exactly`, or alternatives of which the first that can be had is taken.
struct DeviceRequest {
  std::string name;
  std::optional<ExactDeviceRequest> exactly;
  std::vector<DeviceSubRequest> first_available;
  bool operator==(const DeviceRequest&) const = default;
};

// One of the two attributes is set, with its domain.
struct DeviceConstraint {
  std::vector<std::string> requests;  // "a", which covers all its alternatives, or "a/b"; empty: all
  std::string match_attribute;        // all devices have the same value
  std::string distinct_attribute;     // no two devices have the same value
  bool operator==(const DeviceConstraint&) const = default;
};

struct DeviceClaimConfig {
  std::vector<std::string> requests;  // "a" or "a/b"; empty: all
  OpaqueConfig opaque;
  bool operator==(const DeviceClaimConfig&) const = default;
};

struct ResourceClaimSpec {
  std::vector<DeviceRequest> requests;
  std::vector<DeviceConstraint> constraints;
  std::vector<DeviceClaimConfig> config;
  bool operator==(const ResourceClaimSpec&) const = default;
};

struct DeviceAllocationResult {
  std::string request;  // "a" or "a/b"
  std::string driver;
  std::string pool;
  std::string device;
  bool admin_access = false;
  std::vector<DeviceToleration> tolerations;  // those of the request
  std::vector<std::string> binding_conditions;
  std::vector<std::string> binding_failure_conditions;
  std::string share_id;            // a UUID, on a device that allows multiple allocations; else empty
  ResourceList consumed_capacity;  // every capacity of such a device
  std::vector<std::string> skip_node_operations;
  bool operator==(const DeviceAllocationResult&) const = default;
};

enum class ConfigSource : std::uint8_t { kFromClass, kFromClaim };

struct DeviceAllocationConfig {
  ConfigSource source = ConfigSource::kFromClaim;
  std::vector<std::string> requests;  // empty: all
  OpaqueConfig opaque;
  bool operator==(const DeviceAllocationConfig&) const = default;
};

struct AllocationResult {
  std::vector<DeviceAllocationResult> results;
  std::vector<DeviceAllocationConfig> config;
  std::optional<NodeSelector> node_selector;  // none: usable everywhere
  std::optional<Time> allocation_timestamp;
  bool operator==(const AllocationResult&) const = default;
};

// Who uses a claim: a pod ("" and "pods") or a group of pods ("scheduling.k8s.io" and "podgroups").
struct ClaimConsumer {
  std::string api_group;
  std::string resource;
  std::string name;
  std::string uid;
  bool operator==(const ClaimConsumer&) const = default;
};

struct NetworkDeviceData {
  std::string interface_name;
  std::vector<std::string> ips;
  std::string hardware_address;
  bool operator==(const NetworkDeviceData&) const = default;
};

// Written by drivers.
struct AllocatedDeviceStatus {
  std::string driver;
  std::string pool;
  std::string device;
  std::string share_id;
  std::vector<Condition> conditions;
  std::string data;  // one JSON object, compact; empty: none
  std::optional<NetworkDeviceData> network_data;
  bool operator==(const AllocatedDeviceStatus&) const = default;
};

struct ResourceClaimStatus {
  std::optional<AllocationResult> allocation;
  std::vector<ClaimConsumer> reserved_for;
  std::vector<AllocatedDeviceStatus> devices;
  bool operator==(const ResourceClaimStatus&) const = default;
};

struct ResourceClaim {
  ObjectMeta metadata;
  ResourceClaimSpec spec;
  ResourceClaimStatus status;
  bool operator==(const ResourceClaim&) const = default;
};

struct ResourceClaimTemplate {
  ObjectMeta metadata;
  ObjectMeta claim_metadata;  // labels and annotations for the claims
  ResourceClaimSpec spec;
  bool operator==(const ResourceClaimTemplate&) const = default;
};

// --- DeviceTaintRule ------------------------------------------------------------------------------------------------

// All that are set must hold; an empty one selects every device.
struct DeviceTaintSelector {
  std::optional<std::string> driver;
  std::optional<std::string> pool;
  std::optional<std::string> device;
  bool operator==(const DeviceTaintSelector&) const = default;
};

struct DeviceTaintRule {
  ObjectMeta metadata;
  std::optional<DeviceTaintSelector> device_selector;  // none selects no device
  DeviceTaint taint;
  std::vector<Condition> conditions;  // status
  bool operator==(const DeviceTaintRule&) const = default;
};

// --- Names ----------------------------------------------------------------------------------------------------------

inline constexpr std::string_view kPodClaimNameAnnotation = "resource.kubernetes.io/pod-claim-name";
inline constexpr std::string_view kExtendedResourceClaimAnnotation = "resource.kubernetes.io/extended-resource-claim";
inline constexpr std::string_view kAdminAccessLabel = "resource.kubernetes.io/admin-access";
inline constexpr std::string_view kImplicitResourcePrefix = "deviceclass.resource.kubernetes.io/";
inline constexpr std::size_t kMaxReservedFor = 256;
inline constexpr std::size_t kMaxAllocationResults = 32;

}  // namespace berth::api
