// Inventory: all ResourceSlices of the cluster, by pool, and what each node can use of them.
//
// Rules (dra.md 2.2; KEP-4381, KEP-4815): only the highest generation of a pool counts. A pool is complete when as many
// slices of it are there as they say; a node sees the slices that target it, and the rest of the pool's slices for
// their counters. Devices are never taken from incomplete or invalid pools. With equal content the inventory answers
// alike, in whatever order the slices came.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

#include "engine/devices/catalogue.h"
#include "engine/devices/features.h"
#include "engine/devices/ids.h"
#include "engine/devices/model.h"
#include "engine/devices/node_devices.h"
#include "engine/input.h"
#include "engine/names.h"

namespace berth::engine::devices {

class CounterLayouts;
class Gathering;
class PoolPlans;

// Whose devices changed: one node's, or possibly every node's.
struct Touched {
  bool nothing = false;
  NameId node;  // none: every node
};

class Inventory {
 public:
  // Both are borrowed and must outlive the inventory. Texts of names order pools and slices.
  Inventory(const Names& names, const Catalogue& catalogue);
  ~Inventory();
  Inventory(const Inventory&) = delete;
  Inventory& operator=(const Inventory&) = delete;

  // Adds the slice, or replaces the one of that name. O(devices of the slice).
  Touched set(SliceInput slice);
  Touched remove(NameId slice);

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

  // What the node can use. O(devices of the pools it sees). The answer borrows from the inventory; it stays valid for
  // the inventory's life and true until set() or remove() touches the node, or the node's labels change.
  [[nodiscard]] NodeDevices on(const NodeInput& node, const Features& features);

 private:
  struct Device {
    DeviceId id;
    DeviceInput input;
  };
  struct Slice {
    SliceInput input;  // without devices
    std::vector<Device> devices;
    PoolId pool;
  };
  struct Pool {
    NameId driver;
    NameId name;
    std::vector<std::uint32_t> slices;  // ascending by the text of their names
    std::vector<DeviceId> known;        // every device with counters that it ever published
  };
  struct PairHash {
    std::size_t operator()(const DeviceKey& key) const;
  };
  friend class Gathering;

  PoolId pool(NameId driver, NameId name);
  [[nodiscard]] Touched touched(PoolId pool) const;
  void forget(std::uint32_t slot);

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
  boost::unordered_flat_map<NameId, std::vector<std::uint32_t>> on_node_;  // slices by nodeName
  std::vector<std::uint32_t> shared_;                                      // slices without nodeName
  std::unique_ptr<CounterLayouts> layouts_;
  std::unique_ptr<PoolPlans> plans_;
  std::vector<std::uint32_t> stamps_;  // by DeviceId: the gathering that last saw it published
  std::uint32_t gatherings_ = 0;
};

}  // namespace berth::engine::devices
