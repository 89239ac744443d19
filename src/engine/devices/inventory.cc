#include "engine/devices/inventory.h"

#include <algorithm>
#include <utility>

#include "base/sort_unique.h"
#include "engine/devices/counter_layouts.h"
#include "engine/devices/gathering.h"
#include "engine/devices/pool_plans.h"
#include "engine/world/content_hash.h"
#include "engine/world/free_slots.h"

namespace berth::engine::devices {

std::size_t Inventory::PairHash::operator()(const DeviceKey& key) const {
  ContentHash hash;
  hash.add(key.driver);
  hash.add(key.pool);
  hash.add(key.device);
  return static_cast<std::size_t>(hash.value());
}

std::size_t Inventory::TargetHash::operator()(const NodeTarget& target) const {
  ContentHash hash;
  hash.add(static_cast<std::uint64_t>(target.kind));
  hash.add(target.selector);
  return static_cast<std::size_t>(hash.value());
}

std::uint32_t Inventory::reach(const NodeTarget& target) {
  return target.kind == NodeTarget::Kind::kNode ? 0 : targets_.intern(target).value() + 1;
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
  if (added) {
    Pool& made = pools_.emplace_back();
    made.driver = driver;
    made.name = name;
  }
  return entry->second;
}

DeviceId Inventory::device(NameId driver, NameId pool_name, NameId device) {
  const DeviceKey key{.driver = driver, .pool = pool_name, .device = device};
  const auto [entry, added] = device_of_.try_emplace(key, DeviceId{keys_.size()});
  if (added) {
    keys_.push_back(key);
    last_consumption_.push_back(ConsumptionId::none());
    listed_.push_back(0);
  }
  return entry->second;
}

// --- Slices come and go ---------------------------------------------------------------------------------------------

void Touched::add(const Touched& other) {
  everywhere = everywhere || other.everywhere;
  nodes.insert(nodes.end(), other.nodes.begin(), other.nodes.end());
  sort_unique(nodes);
}

Touched Inventory::set(SliceInput input) {
  const PoolId id = pool(input.driver, input.pool);
  const Standings before = standings(pools_[id.index()]);
  Touched touched;
  Trace was;
  if (const auto old = slot_of_.find(input.name); old != slot_of_.end()) {
    if (slices_[old->second].pool != id) {
      touched = remove(input.name);
    } else {
      was = trace(slices_[old->second]);
      touched = target(slices_[old->second]);
      forget(old->second);
    }
  }
  more_count_ = false;
  const Slice& slice = slices_[add(std::move(input), id)];
  touched.add(target(slice));
  const bool seen_by_others = more_count_ || trace(slice) != was || differ(before, standings(pools_[id.index()]));
  if (seen_by_others) touched.add(whole(id));
  return touched;
}

Touched Inventory::remove(NameId name) {
  const auto found = slot_of_.find(name);
  if (found == slot_of_.end()) return {};
  const Slice& slice = slices_[found->second];
  const PoolId id = slice.pool;
  const Standings before = standings(pools_[id.index()]);
  Touched touched = target(slice);
  const bool counted = trace(slice) != Trace{};
  forget(found->second);
  if (counted || differ(before, standings(pools_[id.index()]))) touched.add(whole(id));
  return touched;
}

std::uint32_t Inventory::add(SliceInput input, PoolId id) {
  const std::uint32_t slot = take_slot(slices_, free_slots_);
  slot_of_[input.name] = slot;
  Pool& its_pool = pools_[id.index()];
  Slice& slice = slices_[slot];
  slice.pool = id;
  const std::vector<DeviceInput> devices = std::exchange(input.devices, {});
  slice.input = std::move(input);
  add_devices(slice, devices);
  Generation& generation = its_pool.generations[slice.input.generation];
  ++generation.slices;
  generation.with_groups += slice.compatibility_groups ? 1 : 0;
  ++generation.say[slice.input.slice_count];
  if (slice.input.target.kind == NodeTarget::Kind::kNode) {
    on_node_[slice.input.target.node].push_back(slot);
    insert(its_pool.on_node[slice.input.target.node], slot);
  } else {
    shared_.push_back(slot);
    by_labels_ += slice.input.target.kind != NodeTarget::Kind::kAllNodes ? 1 : 0;
    insert(its_pool.shared, slot);
  }
  return slot;
}

Inventory::Standings Inventory::standings(const Pool& pool) {
  Standings result;
  for (const auto& [number, generation] : pool.generations) {
    for (const auto& [count, slices] : generation.say) {
      result[{number, count}] = {
          .complete = static_cast<std::int64_t>(generation.slices) == count,
          .complete_without_groups = static_cast<std::int64_t>(generation.slices - generation.with_groups) == count,
          .replaced = pool.generations.rbegin()->first > number,
          .disputed = generation.say.size() > 1};
    }
  }
  return result;
}

// A generation or number that is new, or gone, is that of the slice that came or went, and of no other.
bool Inventory::differ(const Standings& before, const Standings& after) {
  return std::ranges::any_of(before, [&](const auto& entry) {
    const auto then = after.find(entry.first);
    return then != after.end() && then->second != entry.second;
  });
}

Inventory::Trace Inventory::trace(const Slice& slice) {
  if (!slice.counts) return {};
  Trace result{.generation = slice.input.generation,
               .compatibility_groups = slice.compatibility_groups,
               .counter_sets = slice.input.counter_sets,
               .devices = {}};
  for (const Device& device : slice.devices) result.devices.emplace_back(device.id, device.input.consumption);
  return result;
}

// All nodes that see the pool.
Touched Inventory::whole(PoolId id) const {
  const Pool& its = pools_[id.index()];
  if (!its.shared.empty()) return Touched::every_node();
  Touched result;
  for (const auto& [node, slots] : its.on_node) result.nodes.push_back(node);
  return result;
}

Touched Inventory::target(const Slice& slice) {
  if (slice.input.target.kind != NodeTarget::Kind::kNode) return Touched::every_node();
  return {.everywhere = false, .nodes = {slice.input.target.node}};
}

void Inventory::insert(Slots& slots, std::uint32_t slot) const {
  const auto by_name = [this](std::uint32_t other) { return text(other); };
  slots.insert(std::ranges::lower_bound(slots, text(slot), {}, by_name), slot);
}

void Inventory::count(Slice& slice, std::uint32_t slot) {
  if (slice.counts) return;
  slice.counts = true;
  insert(pools_[slice.pool.index()].counting, slot);
}

void Inventory::add_devices(Slice& slice, const std::vector<DeviceInput>& devices) {
  Pool& its_pool = pools_[slice.pool.index()];
  const auto slot = static_cast<std::uint32_t>(&slice - slices_.data());
  bool counts = !slice.input.counter_sets.empty();
  std::vector<DeviceId> again;  // listed before by slices that could not know that it counts
  const bool per_device = slice.input.target.kind == NodeTarget::Kind::kPerDevice;
  const std::uint32_t of_slice = per_device ? 0 : reach(slice.input.target);
  slice.devices.reserve(devices.size());
  for (const DeviceInput& one : devices) {
    const DeviceId id = device(slice.input.driver, slice.input.pool, one.name);
    const std::size_t place = slice.devices.size();
    slice.devices.push_back(
        Device{.id = id, .input = one, .reach = per_device ? reach(slice.input.device_targets[place]) : of_slice});
    slice.compatibility_groups = slice.compatibility_groups || one.compatibility_groups;
    ConsumptionId& last = last_consumption_[id.index()];
    if (last.is_none() && !one.consumption.is_none()) {
      its_pool.known.push_back(id);
      if (listed_[id.index()] > 0) again.push_back(id);
    }
    if (!one.consumption.is_none()) last = one.consumption;
    counts = counts || !last.is_none();
    ++listed_[id.index()];
  }
  if (counts) count(slice, slot);
  if (again.empty()) return;
  const auto look = [&](const Slots& slots) {
    for (const std::uint32_t other : slots) {
      const bool lists = std::ranges::any_of(
          slices_[other].devices, [&](const Device& its) { return std::ranges::find(again, its.id) != again.end(); });
      if (!lists || slices_[other].counts) continue;
      count(slices_[other], other);
      more_count_ = true;
    }
  };
  for (const auto& [node, slots] : its_pool.on_node) look(slots);
  look(its_pool.shared);
}

Touched Inventory::forget_unlisted(NameId driver, NameId name, const Usage& usage) {
  const auto found = pool_of_.find(DeviceKey{.driver = driver, .pool = name, .device = NameId::none()});
  if (found == pool_of_.end()) return {};
  const std::size_t forgotten = std::erase_if(pools_[found->second.index()].known, [&](DeviceId id) {
    if (listed_[id.index()] > 0 || usage.in_use(id)) return false;
    last_consumption_[id.index()] = ConsumptionId::none();
    return true;
  });
  return forgotten > 0 ? whole(found->second) : Touched{};
}

void Inventory::forget(std::uint32_t slot) {
  Slice& slice = slices_[slot];
  slot_of_.erase(slice.input.name);
  Pool& its_pool = pools_[slice.pool.index()];
  if (slice.input.target.kind == NodeTarget::Kind::kNode) {
    const auto erase_from = [&](boost::unordered_flat_map<NameId, Slots>& by_node) {
      const auto entry = by_node.find(slice.input.target.node);
      std::erase(entry->second, slot);
      if (entry->second.empty()) by_node.erase(entry);
    };
    erase_from(on_node_);
    erase_from(its_pool.on_node);
  } else {
    std::erase(shared_, slot);
    by_labels_ -= slice.input.target.kind != NodeTarget::Kind::kAllNodes ? 1 : 0;
    std::erase(its_pool.shared, slot);
  }
  if (slice.counts) std::erase(its_pool.counting, slot);
  for (const Device& device : slice.devices) --listed_[device.id.index()];
  const auto generation = its_pool.generations.find(slice.input.generation);
  generation->second.with_groups -= slice.compatibility_groups ? 1 : 0;
  const auto says = generation->second.say.find(slice.input.slice_count);
  if (--says->second == 0) generation->second.say.erase(says);
  if (--generation->second.slices == 0) its_pool.generations.erase(generation);
  slice = Slice{};
  free_slots_.push_back(slot);
}

NodeDevices Inventory::on(const NodeInput& node, const Features& features) {
  return Gathering(*this, node, features).result();
}

}  // namespace berth::engine::devices
