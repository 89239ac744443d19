// NodeDevices: the devices that one node can use, gathered from the inventory (inventory.h), in upstream's order: pools
// by driver and name, pools with binding conditions last; slices of a pool by name; devices as the slice lists them.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/devices/ids.h"
#include "engine/devices/model.h"

namespace berth::engine::devices {

// So much of one counter of a pool. Counters of a pool are numbered through all its sets.
struct CounterUse {
  std::uint32_t counter = 0;
  Quantity amount = 0;
  bool operator==(const CounterUse&) const = default;
};

struct PlacedDevice {
  DeviceId id;
  KindId kind;
  ConsumptionId consumption;
  TaintListId taints;
  BindingId binding;
  std::uint32_t slice = 0;      // in NodeDevices::slices
  std::uint32_t pool = 0;       // in NodeDevices::pools
  std::uint32_t component = 0;  // in NodeDevices::components
  std::uint32_t member = 0;     // its position there
  std::uint32_t reach = 0;      // equal numbers: reached from the same nodes; 0: from this one
  bool on_node = true;          // false: its own target (perDeviceNodeSelection) names other nodes
  bool binds_to_node = false;
  const std::vector<CounterUse>* counters = nullptr;  // what it consumes, ascending; null: nothing
};

// A device of the pool that this node cannot use, or that is not published any more but may be in use: it matters for
// the counters it holds.
struct ElsewhereDevice {
  DeviceId id;
  bool published = true;
  const std::vector<CounterUse>* counters = nullptr;
};

enum class PoolState : std::uint8_t {
  kUsable,
  kIncomplete,  // not all slices of its generation are there
  kDisputed,    // slices of one generation disagree on their number; strict mode goes by the first
  kDuplicateDevice,
  kDuplicateCounterSet,
  kUnknownCounterSet,
  kUnknownCounter,
};

struct NodePool {
  PoolId id;
  NameId driver;
  NameId name;
  // Incomplete or invalid pools: the kinds that the slices list which are there, ascending. What the pool might offer.
  std::vector<KindId> kinds;
  PoolState state = PoolState::kUsable;
  bool disputed = false;           // see PoolState::kDisputed; `state` is what strict mode sees
  std::uint32_t first_device = 0;  // its devices are first_device..first_device+device_count-1
  std::uint32_t device_count = 0;
  std::vector<ElsewhereDevice> elsewhere;           // only those that consume counters
  const std::vector<Quantity>* counters = nullptr;  // the totals; null: no counter sets
  // Parallel to these: equal numbers are of one slice with devices and sets (Kubernetes 1.34), 0 of the whole pool.
  const std::vector<std::uint32_t>* counter_scopes = nullptr;
  [[nodiscard]] bool invalid() const { return state != PoolState::kUsable && state != PoolState::kIncomplete; }
};

struct NodeSlice {
  NameId name;
  NodeTarget target;  // of the slice; for kPerDevice see device_targets
  bool skips_node_operations = false;
};

// Devices that share counters, directly or through others: the partitions of one card. A device without counters is a
// component of its own.
struct DeviceComponent {
  std::uint32_t pool = 0;
  std::vector<std::uint32_t> members;   // positions in NodeDevices::devices, ascending
  std::vector<std::uint32_t> counters;  // of the pool, ascending
  // Components of one pool or of different pools with equal shapes have as many members, and the members consume the
  // same, counter by counter. Equal numbers within one inventory; 0 is a single device without counters.
  std::uint32_t shape = 0;
};

struct NodeDevices {
  NameId node;
  std::vector<NodePool> pools;
  std::vector<NodeSlice> slices;
  std::vector<PlacedDevice> devices;        // of the usable pools only, pool by pool
  std::vector<DeviceComponent> components;  // in order of their first members
  std::vector<NodeTarget> device_targets;   // parallel to devices; empty if no slice has targets per device
};

}  // namespace berth::engine::devices
