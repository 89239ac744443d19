#include "engine/devices/inventory.h"

#include <algorithm>
#include <utility>

#include "engine/devices/counter_layouts.h"
#include "engine/devices/gathering.h"
#include "engine/devices/pool_plans.h"
#include "engine/world/content_hash.h"

namespace berth::engine::devices {

std::size_t Inventory::PairHash::operator()(const DeviceKey& key) const {
  ContentHash hash;
  hash.add(key.driver);
  hash.add(key.pool);
  hash.add(key.device);
  return static_cast<std::size_t>(hash.value());
}

Inventory::Inventory(const Names& names, const Catalogue& catalogue)
    : names_(names),
      catalogue_(catalogue),
      layouts_(std::make_unique<CounterLayouts>(catalogue)),
      plans_(std::make_unique<PoolPlans>(*layouts_)) {}

Inventory::~Inventory() = default;

PoolId Inventory::pool(NameId driver, NameId name) {
  const auto [entry, added] =
      pool_of_.try_emplace(DeviceKey{.driver = driver, .pool = name, .device = NameId::none()}, PoolId{pools_.size()});
  if (added) pools_.push_back(Pool{.driver = driver, .name = name, .slices = {}, .known = {}});
  return entry->second;
}

DeviceId Inventory::device(NameId driver, NameId pool_name, NameId device) {
  const DeviceKey key{.driver = driver, .pool = pool_name, .device = device};
  const auto [entry, added] = device_of_.try_emplace(key, DeviceId{keys_.size()});
  if (added) {
    keys_.push_back(key);
    last_consumption_.push_back(ConsumptionId::none());
  }
  return entry->second;
}

Touched Inventory::set(SliceInput input) {
  const Touched before = remove(input.name);
  const PoolId id = pool(input.driver, input.pool);
  std::uint32_t slot = static_cast<std::uint32_t>(slices_.size());
  if (free_slots_.empty()) {
    slices_.emplace_back();
  } else {
    slot = free_slots_.back();
    free_slots_.pop_back();
  }
  slot_of_[input.name] = slot;
  Pool& its_pool = pools_[id.index()];
  Slice& slice = slices_[slot];
  slice.pool = id;
  slice.devices.clear();
  slice.devices.reserve(input.devices.size());
  for (const DeviceInput& one : input.devices) {
    const DeviceId device_id = device(input.driver, input.pool, one.name);
    slice.devices.push_back(Device{.id = device_id, .input = one});
    ConsumptionId& last = last_consumption_[device_id.index()];
    if (last.is_none() && !one.consumption.is_none()) its_pool.known.push_back(device_id);
    if (!one.consumption.is_none()) last = one.consumption;
  }
  input.devices = {};
  const auto by_name = [this](std::uint32_t other) { return names_.names.text(slices_[other].input.name); };
  slice.input = std::move(input);
  its_pool.slices.insert(std::ranges::lower_bound(its_pool.slices, by_name(slot), {}, by_name), slot);
  if (slice.input.target.kind == NodeTarget::Kind::kNode) {
    on_node_[slice.input.target.node].push_back(slot);
  } else {
    shared_.push_back(slot);
  }
  const Touched after = touched(id);
  if (before.nothing || before.node == after.node) return after;
  return Touched{};
}

Touched Inventory::remove(NameId name) {
  const auto found = slot_of_.find(name);
  if (found == slot_of_.end()) return Touched{.nothing = true, .node = {}};
  const std::uint32_t slot = found->second;
  const Touched result = touched(slices_[slot].pool);
  forget(slot);
  return result;
}

// A pool whose slices all name one node concerns that node alone.
Touched Inventory::touched(PoolId id) const {
  NameId node;
  for (const std::uint32_t slot : pools_[id.index()].slices) {
    const NodeTarget& target = slices_[slot].input.target;
    if (target.kind != NodeTarget::Kind::kNode) return Touched{};
    if (!node.is_none() && node != target.node) return Touched{};
    node = target.node;
  }
  return Touched{.nothing = false, .node = node};
}

void Inventory::forget(std::uint32_t slot) {
  Slice& slice = slices_[slot];
  slot_of_.erase(slice.input.name);
  std::erase(pools_[slice.pool.index()].slices, slot);
  if (slice.input.target.kind == NodeTarget::Kind::kNode) {
    const auto entry = on_node_.find(slice.input.target.node);
    std::erase(entry->second, slot);
    if (entry->second.empty()) on_node_.erase(entry);
  } else {
    std::erase(shared_, slot);
  }
  slice = Slice{};
  free_slots_.push_back(slot);
}

NodeDevices Inventory::on(const NodeInput& node, const Features& features) {
  return Gathering(*this, node, features).result();
}

}  // namespace berth::engine::devices
