// What ResourceSlices say, in engine terms: kinds of devices, counters, taints, node targets, slices.
//
// Source: resource.k8s.io/v1 ResourceSlice (KEP-4381; KEP-4815 partitionable devices, KEP-5055 taints, KEP-5075
// consumable capacity, KEP-5007 binding conditions, KEP-5491 list attributes).
//
// Who translates (src/dialects/dra) has to
// - qualify attribute names: a bare name belongs to the driver's domain; where a device has both `d/x` and bare `x` of
//   driver d, the qualified one counts;
// - leave capacity names as they are written: a request for `memory` does not match a capacity `driver/memory`;
// - add the taints of DeviceTaintRules to those of the slice;
// - hand over only what the API server's validation would accept.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "engine/devices/ids.h"
#include "engine/input.h"

namespace berth::engine::devices {

// --- Attributes and capacities --------------------------------------------------------------------------------------

// A value of an attribute. Atoms are unique per (type, text), so values are comparable by their atoms alone: equal
// scalars are one atom, scalars of different types are different atoms.
struct Value {
  bool list = false;          // written as a list (gate DRAListTypeAttributes)
  std::vector<AtomId> atoms;  // ascending, each once; one if not a list
  // A list as it was written, where that differs: selectors can tell. Constraints look at `atoms` alone.
  std::vector<AtomId> order = {};
  bool operator==(const Value&) const = default;
};

struct Attribute {
  AttributeId name;
  ValueId value;
  auto operator<=>(const Attribute&) const = default;
};

// `validRange`: what may be asked between min and max, in whole steps from min.
struct RequestRange {
  Quantity min = 0;
  std::optional<Quantity> max;
  std::optional<Quantity> step;
  bool operator==(const RequestRange&) const = default;
};

// How much of a capacity one request takes (DeviceCapacity.requestPolicy).
struct RequestPolicy {
  std::optional<Quantity> standard;    // `default`: what a request that does not name the capacity takes
  std::vector<Quantity> valid_values;  // ascending
  std::optional<RequestRange> valid_range;
  bool operator==(const RequestPolicy&) const = default;
};

struct Capacity {
  CapacityId name;
  Quantity value = 0;
  PolicyId policy;  // none: no requestPolicy
  bool operator==(const Capacity&) const = default;
};

// Everything about a device that a selector, a constraint or a capacity request can see. Devices that look alike share
// one kind; a selector is answered once per kind.
struct Kind {
  NameId driver;
  bool allow_multiple = false;        // allowMultipleAllocations
  std::vector<Attribute> attributes;  // ascending by name
  std::vector<Capacity> capacities;   // ascending by name
  bool operator==(const Kind&) const = default;
};

// --- Counters -------------------------------------------------------------------------------------------------------

struct Counter {
  CounterId name;
  Quantity amount = 0;
  bool operator==(const Counter&) const = default;
};

struct CounterSet {
  CounterSetId name;
  std::vector<Counter> counters;  // ascending by name
  std::uint32_t scope = 0;        // see Gathering: the set is for the devices of one slice of the pool; 0: for all
  bool operator==(const CounterSet&) const = default;
};

// What a device takes from the counter sets of its pool (consumesCounters).
using Consumption = std::vector<CounterSet>;

// --- Taints and binding conditions ----------------------------------------------------------------------------------

enum class DeviceEffect : std::uint8_t { kNone, kNoSchedule, kNoExecute };  // an unknown effect counts as None

struct DeviceTaint {
  NameId key;
  NameId value;  // the empty text is interned, too
  DeviceEffect effect = DeviceEffect::kNone;
  bool operator==(const DeviceTaint&) const = default;
};

struct DeviceToleration {
  enum class Match : std::uint8_t { kEqual, kExists, kUnknown };  // an unknown operator tolerates nothing
  NameId key;                                                     // none: every key
  Match match = Match::kEqual;
  NameId value;
  std::optional<DeviceEffect> effect;  // none: every effect
  bool operator==(const DeviceToleration&) const = default;
};

// The device is usable once all conditions are true (bindingConditions), and not if a failure condition is.
struct Binding {
  std::vector<NameId> conditions;
  std::vector<NameId> failure_conditions;
  bool operator==(const Binding&) const = default;
};

// --- Slices ---------------------------------------------------------------------------------------------------------

// Where the devices of a slice, or one device of a slice with perDeviceNodeSelection, can be used.
struct NodeTarget {
  enum class Kind : std::uint8_t {
    kUnknown,    // nothing that is known here is set: the slice is skipped
    kNode,       // nodeName
    kSelector,   // nodeSelector
    kAllNodes,   // allNodes
    kPerDevice,  // perDeviceNodeSelection: each device has a target of its own
  };
  Kind kind = Kind::kUnknown;
  NameId node;
  NodeSelector selector;  // one term
  bool operator==(const NodeTarget&) const = default;
};

struct DeviceInput {
  NameId name;
  KindId kind;
  ConsumptionId consumption;  // none: no counters
  TaintListId taints;         // none: no taints
  BindingId binding;          // none: bindingConditions is empty
  bool binds_to_node = false;
  bool compatibility_groups = false;  // declares any (gate DRADeviceCompatibilityGroups)
  bool operator==(const DeviceInput&) const = default;
};

struct SliceInput {
  NameId name;  // metadata.name
  NameId driver;
  NameId pool;
  std::int64_t generation = 0;
  std::int64_t slice_count = 1;  // resourceSliceCount
  NodeTarget target;
  bool per_device_selection_set = false;   // perDeviceNodeSelection is present, even as false
  bool skips_node_operations = false;      // skipNodeOperations is not empty (gate DRAOptionalNodeOperations)
  std::vector<CounterSet> counter_sets;    // sharedCounters; of a slice with devices (Kubernetes 1.34) for these alone
  std::vector<DeviceInput> devices;        // in the order of the slice
  std::vector<NodeTarget> device_targets;  // parallel to devices if the target is kPerDevice, else empty
  bool operator==(const SliceInput&) const = default;
};

}  // namespace berth::engine::devices
