// PoolPlans: how the devices of a pool share its counters. Pools of nodes of one machine type do so alike, so it is
// worked out once for all of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <expected>
#include <span>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

#include "engine/devices/content_interner.h"
#include "engine/devices/counter_layouts.h"
#include "engine/devices/node_devices.h"
#include "engine/world/content_hash.h"

namespace berth::engine::devices {

struct PoolPlan {
  std::vector<const std::vector<CounterUse>*> counters;  // by device: what it consumes; null: nothing
  // In order of their first members, which are positions in the pool; pool is 0.
  std::vector<DeviceComponent> components;
};

class PoolPlans {
 public:
  // Borrowed; it must outlive the plans.
  explicit PoolPlans(CounterLayouts& layouts) : layouts_(layouts) {}

  // Of a pool with these counter sets and devices; valid for the life of the plans. `scopes`: by device, whose sets it
  // consumes; empty: those of the pool. The error says whether the layout lacks a set or a counter. O(devices), and
  // O(counters of the devices) for the first such pool.
  std::expected<const PoolPlan*, PoolState> plan(CounterLayouts::Layout& layout, std::span<const PlacedDevice> devices,
                                                 std::span<const std::uint32_t> scopes);

 private:
  using ComponentShape = std::vector<CounterUse>;  // totals, then the uses of each member, counters numbered from 0
  struct ShapeHash {
    std::size_t operator()(const ComponentShape& shape) const;
  };
  using Key = std::vector<std::uint32_t>;

  void find_components(PoolPlan& plan, const CounterLayouts::Layout& layout);
  DeviceComponent component(const PoolPlan& plan, const CounterLayouts::Layout& layout,
                            std::vector<std::uint32_t> members);

  CounterLayouts& layouts_;
  ContentInterner<Id<struct ComponentShapeTag>, ComponentShape, ShapeHash> shapes_;
  std::deque<std::expected<PoolPlan, PoolState>> plans_;
  boost::unordered_flat_map<Key, std::size_t, ContentHasher> known_;  // layout, consumptions and scopes to plans_
  Key key_;
};

}  // namespace berth::engine::devices
