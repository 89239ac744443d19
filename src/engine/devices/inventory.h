// Inventory: all ResourceSlices of the cluster, by pool, and what each node can use of them.
//
// Rules (dra.md 2.2; KEP-4381, KEP-4815): only the highest generation of a pool counts. A pool is complete when as many
// slices of it are there as they say; a node sees the slices that target it, and the rest of the pool's slices for
// their counters. Devices are never taken from incomplete or invalid pools. With equal content the inventory answers
// alike, in whatever order the slices came.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string_view>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

#include "engine/devices/catalogue.h"
#include "engine/devices/content_interner.h"
#include "engine/devices/features.h"
#include "engine/devices/ids.h"
#include "engine/devices/model.h"
#include "engine/devices/node_devices.h"
#include "engine/devices/usage.h"
#include "engine/input.h"
#include "engine/names.h"

namespace berth::engine::devices {

class CounterLayouts;
class Gathering;
class PoolPlans;

// Whose devices changed.
struct Touched {
  bool everywhere = false;    // possibly every node's
  std::vector<NameId> nodes;  // else these nodes', each once
  [[nodiscard]] static Touched every_node() { return {.everywhere = true, .nodes = {}}; }
  [[nodiscard]] bool nothing() const { return !everywhere && nodes.empty(); }
  void add(const Touched& other);
};

class Inventory {
 public:
  // Both are borrowed and must outlive the inventory. Texts of names order pools and slices.
  Inventory(const Names& names, const Catalogue& catalogue);
  ~Inventory();
  Inventory(const Inventory&) = delete;
  Inventory& operator=(const Inventory&) = delete;

  // Adds the slice, or replaces the one of that name. Touched are the node that it names, and the others of the pool if
  // what they see of it changed: whether it is complete, or its counters. O(devices of the slice), and O(nodes of the
  // pool) where these are touched.
  Touched set(SliceInput slice);
  Touched remove(NameId slice);
  // Forgets what devices of the pool consumed that no slice lists any more, and that are not in use. O(devices with
  // counters that the pool listed), if there are any.
  Touched forget_unlisted(NameId driver, NameId pool, const Usage& usage);

  // The id of a device, published or not. O(1).
  DeviceId device(NameId driver, NameId pool, NameId device);
  struct DeviceKey {
    NameId driver;
    NameId pool;
    NameId device;
    bool operator==(const DeviceKey&) const = default;
  };
  [[nodiscard]] const DeviceKey& key(DeviceId device) const { return keys_[device.index()]; }
  [[nodiscard]] std::size_t device_count() const { return keys_.size(); }  // ids given so far
  // Nodes that slices name, and slices that are for nodes by their labels.
  [[nodiscard]] std::size_t named_nodes() const { return on_node_.size(); }
  [[nodiscard]] bool looks_at_labels() const { return by_labels_ > 0; }

  // What the node can use. O(devices of the pools it sees). The answer borrows from the inventory; it stays valid for
  // the inventory's life and true until set() or remove() touches the node, or the node's labels change.
  [[nodiscard]] NodeDevices on(const NodeInput& node, const Features& features);

 private:
  struct Device {
    DeviceId id;
    DeviceInput input;
    std::uint32_t reach = 0;  // see PlacedDevice
  };
  struct Slice {
    SliceInput input;  // without devices
    std::vector<Device> devices;
    PoolId pool;
    bool compatibility_groups = false;  // some device declares any
    bool counts = false;                // has counter sets, or a device that consumes or once consumed of one
  };
  using Slots = std::vector<std::uint32_t>;  // of slices_, ascending by the text of their names
  // The slices of one generation of a pool.
  struct Generation {
    std::size_t slices = 0;
    std::size_t with_groups = 0;              // compatibility groups
    std::map<std::int64_t, std::size_t> say;  // by resourceSliceCount: how many slices say so
  };
  // A pool may have a slice for each node of a cluster, so a node looks at its own ones and at what is known of all.
  struct Pool {
    NameId driver;
    NameId name;
    boost::unordered_flat_map<NameId, Slots> on_node;  // by nodeName
    Slots shared;                                      // without nodeName
    Slots counting;                                    // of both, those with Slice::counts
    std::map<std::int64_t, Generation> generations;
    std::vector<DeviceId> known;  // devices with counters that it lists, and those that it listed once
  };
  struct PairHash {
    std::size_t operator()(const DeviceKey& key) const;
  };
  struct TargetHash {
    std::size_t operator()(const NodeTarget& target) const;
  };
  friend class Gathering;

  // How a generation of a pool stands for a node whose slices say that there are so many: what the node sees of it
  // beside its own slices and counters.
  struct Standing {
    bool complete = false;
    bool complete_without_groups = false;  // without the slices with compatibility groups
    bool replaced = false;                 // there is a newer one
    bool disputed = false;
    bool operator==(const Standing&) const = default;
  };
  using Standings = std::map<std::pair<std::int64_t, std::int64_t>, Standing>;  // by generation and number
  // What nodes see of a slice that is for others.
  struct Trace {
    std::int64_t generation = 0;
    bool compatibility_groups = false;
    std::vector<CounterSet> counter_sets;
    std::vector<std::pair<DeviceId, ConsumptionId>> devices;
    bool operator==(const Trace&) const = default;
  };

  PoolId pool(NameId driver, NameId name);
  [[nodiscard]] static Standings standings(const Pool& pool);
  [[nodiscard]] static bool differ(const Standings& before, const Standings& after);
  [[nodiscard]] static Trace trace(const Slice& slice);
  [[nodiscard]] Touched whole(PoolId pool) const;
  [[nodiscard]] static Touched target(const Slice& slice);
  std::uint32_t add(SliceInput input, PoolId id);
  void forget(std::uint32_t slot);
  void add_devices(Slice& slice, const std::vector<DeviceInput>& devices);
  void count(Slice& slice, std::uint32_t slot);
  void insert(Slots& slots, std::uint32_t slot) const;
  [[nodiscard]] std::uint32_t reach(const NodeTarget& target);
  [[nodiscard]] std::string_view text(std::uint32_t slot) const { return names_.names.text(slices_[slot].input.name); }

  const Names& names_;
  const Catalogue& catalogue_;
  std::vector<Slice> slices_;
  std::vector<std::uint32_t> free_slots_;
  boost::unordered_flat_map<NameId, std::uint32_t> slot_of_;
  std::vector<Pool> pools_;
  boost::unordered_flat_map<DeviceKey, PoolId, PairHash> pool_of_;  // device is none
  boost::unordered_flat_map<DeviceKey, DeviceId, PairHash> device_of_;
  std::vector<DeviceKey> keys_;
  std::vector<ConsumptionId> last_consumption_;                            // by DeviceId: as last published
  std::vector<std::uint32_t> listed_;                                      // by DeviceId: in so many slices
  boost::unordered_flat_map<NameId, std::vector<std::uint32_t>> on_node_;  // slices by nodeName
  std::vector<std::uint32_t> shared_;                                      // slices without nodeName
  std::size_t by_labels_ = 0;                                              // of these, not simply for all nodes
  bool more_count_ = false;  // some slice but the one being added counts since then
  ContentInterner<Id<struct TargetTag>, NodeTarget, TargetHash> targets_;  // of devices for more than one node
  std::unique_ptr<CounterLayouts> layouts_;
  std::unique_ptr<PoolPlans> plans_;
  std::vector<std::uint32_t> stamps_;  // by DeviceId: the gathering that last saw it published
  std::uint32_t gatherings_ = 0;
};

}  // namespace berth::engine::devices
