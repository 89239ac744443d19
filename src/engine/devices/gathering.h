// Gathering: one walk over the inventory's pools for one node. Inventory::on() is the way in.
//
// Counter sets are for all devices of their pool. In Kubernetes 1.34 they lie in one slice with the devices, and are
// for these alone: such sets have a scope of their own, the number of their slice in the pool, and may have the names
// of others.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "engine/devices/counter_layouts.h"
#include "engine/devices/inventory.h"
#include "engine/devices/pool_plans.h"

namespace berth::engine::devices {

class Gathering {
 public:
  Gathering(Inventory& inventory, const NodeInput& node, const Features& features);
  [[nodiscard]] NodeDevices result();

 private:
  using Slots = Inventory::Slots;

  [[nodiscard]] std::vector<PoolId> candidates() const;
  [[nodiscard]] bool ignored(const Inventory::Slice& slice) const;
  [[nodiscard]] bool has_refused_groups(const Inventory::Slice& slice) const;
  [[nodiscard]] bool targets_node(const NodeTarget& target) const;
  [[nodiscard]] bool relevant(const Inventory::Slice& slice) const;
  [[nodiscard]] Slots relevant_slices(const Inventory::Pool& pool) const;

  void gather(PoolId id);
  void build(NodePool pool, const Slots& relevant, const Slots& others);
  [[nodiscard]] PoolState add_devices(const Slots& slices);
  [[nodiscard]] PoolState add_counters(NodePool& pool, const Slots& device_slices, const Slots& sets,
                                       const Slots& elsewhere);
  void add_unpublished(NodePool& pool, CounterLayouts::Layout& layout);
  void sort_pools();
  void add_components(std::uint32_t pool);
  [[nodiscard]] std::vector<KindId> kinds(const Slots& slices) const;

  Inventory& inventory_;
  const NodeInput& node_;
  const Features& features_;
  NodeDevices result_;
  std::vector<bool> has_binding_;       // parallel to result_.pools
  std::vector<const PoolPlan*> plans_;  // the same; null: no counter sets
  const PoolPlan* plan_ = nullptr;      // of the pool being built
};

}  // namespace berth::engine::devices
