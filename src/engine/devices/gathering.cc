#include "engine/devices/gathering.h"

#include <algorithm>
#include <numeric>
#include <span>
#include <tuple>
#include <utility>

#include "base/mutant.h"
#include "base/sort_unique.h"
#include "engine/world/selectors.h"

namespace berth::engine::devices {

Gathering::Gathering(Inventory& inventory, const NodeInput& node, const Features& features)
    : inventory_(inventory), node_(node), features_(features) {
  result_.node = node.name;
}

NodeDevices Gathering::result() {
  for (const PoolId id : candidates()) gather(id);
  sort_pools();
  for (std::uint32_t pool = 0; pool < result_.pools.size(); ++pool) add_components(pool);
  return std::move(result_);
}

// Every pool with a slice that could target the node.
std::vector<PoolId> Gathering::candidates() const {
  std::vector<PoolId> pools;
  if (const auto local = inventory_.on_node_.find(node_.name); local != inventory_.on_node_.end()) {
    for (const std::uint32_t slot : local->second) pools.push_back(inventory_.slices_[slot].pool);
  }
  for (const std::uint32_t slot : inventory_.shared_) pools.push_back(inventory_.slices_[slot].pool);
  sort_unique(pools);
  return pools;
}

bool Gathering::ignored(const Inventory::Slice& slice) const {
  if (!features_.partitionable_devices && (slice.input.per_device_selection_set || !slice.input.counter_sets.empty())) {
    return true;
  }
  // Without these slices the pool is incomplete.
  return has_refused_groups(slice);
}

// Whether devices go together cannot be told while the gate is off.
bool Gathering::has_refused_groups(const Inventory::Slice& slice) const {
  return !features_.compatibility_groups && slice.compatibility_groups;
}

bool Gathering::targets_node(const NodeTarget& target) const {
  switch (target.kind) {
    case NodeTarget::Kind::kNode:
      return target.node == node_.name;
    case NodeTarget::Kind::kAllNodes:
      return true;
    case NodeTarget::Kind::kSelector:
      return matches(target.selector, node_, inventory_.names_);
    case NodeTarget::Kind::kPerDevice:
    case NodeTarget::Kind::kUnknown:
      return false;
  }
  return false;
}

bool Gathering::relevant(const Inventory::Slice& slice) const {
  if (slice.input.target.kind != NodeTarget::Kind::kPerDevice) return targets_node(slice.input.target);
  return std::ranges::any_of(slice.input.device_targets, [this](const auto& target) { return targets_node(target); });
}

// The slices of the highest generation among those that target the node; the node's own ones first, then by name.
Gathering::Slots Gathering::relevant_slices(const Inventory::Pool& pool) const {
  Slots found;
  const auto look = [&](const Slots& slots) {
    for (const std::uint32_t slot : slots) {
      const Inventory::Slice& slice = inventory_.slices_[slot];
      if (ignored(slice) || !relevant(slice)) continue;
      const std::int64_t newest =
          found.empty() ? slice.input.generation : inventory_.slices_[found.front()].input.generation;
      if (slice.input.generation < newest) continue;
      if (slice.input.generation > newest) found.clear();
      found.push_back(slot);
    }
  };
  if (const auto own = pool.on_node.find(node_.name); own != pool.on_node.end()) look(own->second);
  look(pool.shared);
  return found;
}

void Gathering::gather(PoolId id) {
  const Inventory::Pool& pool = inventory_.pools_[id.index()];
  Slots mine = relevant_slices(pool);
  if (mine.empty()) return;
  const SliceInput& first = inventory_.slices_[mine.front()].input;
  NodePool result{.id = id, .driver = pool.driver, .name = pool.name, .elsewhere = {}};

  const std::int64_t newest = pool.generations.rbegin()->first;
  const Inventory::Generation& whole = pool.generations.find(first.generation)->second;
  result.disputed = whole.say.size() > 1;
  const auto by_name = [this](std::uint32_t slot) { return inventory_.text(slot); };
  if (static_cast<std::int64_t>(mine.size()) == first.slice_count) {
    std::ranges::sort(mine, {}, by_name);
    build(std::move(result), mine, {});
    return;
  }
  // The driver is replacing this generation by one that has nothing for the node.
  if (newest > first.generation) return;
  const std::size_t refused = features_.compatibility_groups ? 0 : whole.with_groups;
  const bool complete = static_cast<std::int64_t>(whole.slices - refused) == first.slice_count;
  if (!complete && !mutant("Device.IncompletePools")) {
    result.state = PoolState::kIncomplete;
    result.kinds = kinds(mine);
    has_binding_.push_back(false);
    plans_.push_back(nullptr);
    result_.pools.push_back(std::move(result));
    return;
  }
  // Of slices for other nodes only counters matter.
  std::ranges::sort(mine, {}, by_name);
  Slots others;
  for (const std::uint32_t slot : pool.counting) {
    const Inventory::Slice& slice = inventory_.slices_[slot];
    if (slice.input.generation == first.generation && !has_refused_groups(slice) &&
        !std::ranges::binary_search(mine, by_name(slot), {}, by_name))
      others.push_back(slot);
  }
  build(std::move(result), mine, others);
}

void Gathering::build(NodePool pool, const Slots& relevant, const Slots& others) {
  Slots device_slices;
  Slots set_slices;
  Slots elsewhere;
  const auto sort_out = [&](const Slots& slots, Slots& with_devices) {
    for (const std::uint32_t slot : slots) {
      const bool sets = features_.partitionable_devices && !inventory_.slices_[slot].input.counter_sets.empty();
      if (sets) set_slices.push_back(slot);
      if (!sets || !inventory_.slices_[slot].devices.empty()) with_devices.push_back(slot);
    }
  };
  sort_out(relevant, device_slices);
  sort_out(others, elsewhere);

  const std::size_t slices_before = result_.slices.size();
  const std::size_t devices_before = result_.devices.size();
  pool.first_device = static_cast<std::uint32_t>(devices_before);
  plan_ = nullptr;
  pool.state = add_devices(device_slices);
  if (pool.state == PoolState::kUsable && features_.partitionable_devices) {
    pool.state = add_counters(pool, device_slices, set_slices, elsewhere);
  }
  bool binding = false;
  if (pool.state == PoolState::kUsable) {
    pool.device_count = static_cast<std::uint32_t>(result_.devices.size() - devices_before);
    for (std::size_t i = devices_before; i < result_.devices.size(); ++i) {
      binding = binding || !result_.devices[i].binding.is_none();
    }
  } else {
    result_.slices.resize(slices_before);
    result_.devices.resize(devices_before);
    result_.device_targets.resize(devices_before);
    pool.elsewhere.clear();
    pool.counters = nullptr;
    pool.counter_scopes = nullptr;
    plan_ = nullptr;
  }
  if (pool.state != PoolState::kUsable || pool.disputed) pool.kinds = kinds(device_slices);
  has_binding_.push_back(binding);
  plans_.push_back(plan_);
  result_.pools.push_back(std::move(pool));
}

PoolState Gathering::add_devices(const Slots& slices) {
  ++inventory_.gatherings_;
  inventory_.stamps_.resize(inventory_.keys_.size());
  for (const std::uint32_t slot : slices) {
    const Inventory::Slice& slice = inventory_.slices_[slot];
    const auto slice_index = static_cast<std::uint32_t>(result_.slices.size());
    result_.slices.push_back(NodeSlice{.name = slice.input.name,
                                       .target = slice.input.target,
                                       .skips_node_operations = slice.input.skips_node_operations});
    const bool per_device = slice.input.target.kind == NodeTarget::Kind::kPerDevice;
    for (std::size_t i = 0; i < slice.devices.size(); ++i) {
      const auto& [id, input, reach] = slice.devices[i];
      std::uint32_t& stamp = inventory_.stamps_[id.index()];
      if (stamp == inventory_.gatherings_) return PoolState::kDuplicateDevice;
      stamp = inventory_.gatherings_;
      result_.devices.push_back(PlacedDevice{.id = id,
                                             .kind = input.kind,
                                             .consumption = input.consumption,
                                             .taints = input.taints,
                                             .binding = input.binding,
                                             .slice = slice_index,
                                             .pool = static_cast<std::uint32_t>(result_.pools.size()),
                                             .reach = reach,
                                             .on_node = !per_device || targets_node(slice.input.device_targets[i]),
                                             .binds_to_node = input.binds_to_node});
      result_.device_targets.push_back(per_device ? slice.input.device_targets[i] : NodeTarget{});
    }
  }
  return PoolState::kUsable;
}

PoolState Gathering::add_counters(NodePool& pool, const Slots& device_slices, const Slots& sets,
                                  const Slots& elsewhere) {
  std::vector<CounterSet> all;
  Slots with_own_sets;
  for (const std::uint32_t slot : sets) {
    const std::vector<CounterSet>& of_slice = inventory_.slices_[slot].input.counter_sets;
    all.insert(all.end(), of_slice.begin(), of_slice.end());
    if (inventory_.slices_[slot].devices.empty()) continue;
    with_own_sets.push_back(slot);
    for (std::size_t i = all.size() - of_slice.size(); i < all.size(); ++i)
      all[i].scope = static_cast<std::uint32_t>(with_own_sets.size());
  }
  const auto scope_and_name = [](const CounterSet& set) { return std::pair(set.scope, set.name); };
  std::ranges::sort(all, {}, scope_and_name);
  if (std::ranges::adjacent_find(all, {}, scope_and_name) != all.end()) return PoolState::kDuplicateCounterSet;
  const auto scope_of = [&](std::uint32_t slot) {
    const auto found = std::ranges::find(with_own_sets, slot);
    return found == with_own_sets.end() ? 0U : static_cast<std::uint32_t>(found - with_own_sets.begin()) + 1;
  };
  CounterLayouts::Layout& layout = inventory_.layouts_->layout(std::move(all));
  pool.counters = &layout.totals();
  pool.counter_scopes = &layout.scopes();
  const auto devices = std::span(result_.devices).subspan(pool.first_device);
  std::vector<std::uint32_t> scopes;
  if (!with_own_sets.empty()) {
    for (const std::uint32_t slot : device_slices)
      scopes.insert(scopes.end(), inventory_.slices_[slot].devices.size(), scope_of(slot));
  }
  const auto plan = inventory_.plans_->plan(layout, devices, scopes);
  if (!plan) return plan.error();
  plan_ = *plan;
  for (std::size_t i = 0; i < devices.size(); ++i) devices[i].counters = plan_->counters[i];
  for (const std::uint32_t slot : elsewhere) {
    for (const auto& [id, input, reach] : inventory_.slices_[slot].devices) {
      inventory_.stamps_[id.index()] = inventory_.gatherings_;
      if (input.consumption.is_none()) continue;
      const auto uses = inventory_.layouts_->resolve(layout, input.consumption, scope_of(slot));
      if (!uses) return uses.error();
      pool.elsewhere.push_back(ElsewhereDevice{.id = id, .published = true, .counters = *uses});
    }
  }
  add_unpublished(pool, layout);
  return PoolState::kUsable;
}

// Devices that the pool does not list any more. What they consumed counts while a claim still has them.
void Gathering::add_unpublished(NodePool& pool, CounterLayouts::Layout& layout) {
  for (const DeviceId id : inventory_.pools_[pool.id.index()].known) {
    if (inventory_.stamps_[id.index()] == inventory_.gatherings_) continue;
    const auto uses = inventory_.layouts_->resolve(layout, inventory_.last_consumption_[id.index()], 0);
    if (uses) pool.elsewhere.push_back(ElsewhereDevice{.id = id, .published = false, .counters = *uses});
  }
}

// Pools with binding conditions last, each part by driver and name. Devices and their pool numbers follow.
void Gathering::sort_pools() {
  std::vector<std::uint32_t> order(result_.pools.size());
  std::iota(order.begin(), order.end(), 0U);
  const auto& texts = inventory_.names_.names;
  std::ranges::sort(order, {}, [&](std::uint32_t index) {
    const NodePool& pool = result_.pools[index];
    return std::tuple(static_cast<bool>(has_binding_[index]), texts.text(pool.driver), texts.text(pool.name));
  });
  std::vector<const PoolPlan*> plans;
  NodeDevices sorted{.node = result_.node, .pools = {}, .slices = std::move(result_.slices), .devices = {}};
  sorted.pools.reserve(order.size());
  sorted.devices.reserve(result_.devices.size());
  const bool per_device = std::ranges::any_of(
      sorted.slices, [](const NodeSlice& slice) { return slice.target.kind == NodeTarget::Kind::kPerDevice; });
  for (const std::uint32_t index : order) {
    NodePool& pool = result_.pools[index];
    const std::uint32_t first = pool.first_device;
    pool.first_device = static_cast<std::uint32_t>(sorted.devices.size());
    for (std::uint32_t i = first; i < first + pool.device_count; ++i) {
      result_.devices[i].pool = static_cast<std::uint32_t>(sorted.pools.size());
      sorted.devices.push_back(result_.devices[i]);
      if (per_device) sorted.device_targets.push_back(std::move(result_.device_targets[i]));
    }
    sorted.pools.push_back(std::move(pool));
    plans.push_back(plans_[index]);
  }
  result_ = std::move(sorted);
  plans_ = std::move(plans);
}

std::vector<KindId> Gathering::kinds(const Slots& slices) const {
  std::vector<KindId> result;
  for (const std::uint32_t slot : slices) {
    for (const Inventory::Device& device : inventory_.slices_[slot].devices) result.push_back(device.input.kind);
  }
  sort_unique(result);
  return result;
}

// The cards of the pool, in the order of their first devices.
void Gathering::add_components(std::uint32_t number) {
  const NodePool& pool = result_.pools[number];
  const auto add = [&](DeviceComponent component) {
    component.pool = number;
    for (std::uint32_t m = 0; m < component.members.size(); ++m) {
      component.members[m] += pool.first_device;
      PlacedDevice& device = result_.devices[component.members[m]];
      device.component = static_cast<std::uint32_t>(result_.components.size());
      device.member = m;
    }
    result_.components.push_back(std::move(component));
  };
  if (plans_[number] != nullptr) {
    for (const DeviceComponent& component : plans_[number]->components) add(component);
    return;
  }
  for (std::uint32_t i = 0; i < pool.device_count; ++i) add({.pool = number, .members = {i}, .counters = {}});
}

}  // namespace berth::engine::devices
