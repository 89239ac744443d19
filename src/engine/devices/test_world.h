// For the tests of this folder: slices, claims and answers by name, in as few words as possible.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/devices/catalogue.h"
#include "engine/devices/inventory.h"
#include "engine/devices/selector_answers.h"
#include "engine/devices/usage.h"
#include "engine/names.h"

namespace berth::engine::devices {

struct TestWorld {
  Names names;
  Catalogue catalogue;
  Inventory inventory{names, catalogue};
  AnswerTable answers;
  Usage usage;

  [[nodiscard]] static Quantity units(std::int64_t amount) { return static_cast<Quantity>(amount) * kNanoPerUnit; }
  NameId name(std::string_view text) { return names.names.intern(text); }

  // A node with one label "zone".
  NodeInput node(std::string_view node_name, std::string_view zone = "a") {
    NodeInput node;
    node.name = name(node_name);
    node.labels = {{names.label_keys.intern("zone"), names.label_value(zone)}};
    return node;
  }

  NodeTarget on_node(std::string_view node_name) { return {.kind = NodeTarget::Kind::kNode, .node = name(node_name)}; }
  static NodeTarget everywhere() { return {.kind = NodeTarget::Kind::kAllNodes}; }
  NodeTarget in_zone(std::string_view zone) {
    NodeTerm term;
    term.labels = {{.key = names.label_keys.intern("zone"),
                    .op = Operator::kIn,
                    .values = {names.label_value(zone)},
                    .bound = {}}};
    return {.kind = NodeTarget::Kind::kSelector, .node = {}, .selector = {.terms = {term}}};
  }

  // A kind with string attributes, and capacities in whole units.
  KindId kind(std::string_view driver, const std::vector<std::pair<std::string, std::string>>& attributes,
              const std::vector<std::pair<std::string, std::int64_t>>& capacities = {}, bool multiple = false) {
    Kind result{.driver = name(driver), .allow_multiple = multiple, .attributes = {}, .capacities = {}};
    for (const auto& [key, value] : attributes) {
      result.attributes.push_back({catalogue.attributes.intern(key), catalogue.scalar(AtomType::kString, value)});
    }
    for (const auto& [key, value] : capacities) {
      result.capacities.push_back({.name = catalogue.capacities.intern(key), .value = units(value), .policy = {}});
    }
    std::ranges::sort(result.attributes, {}, &Attribute::name);
    std::ranges::sort(result.capacities, {}, &Capacity::name);
    return catalogue.kinds.intern(std::move(result));
  }

  CounterSet counters(std::string_view set, const std::vector<std::pair<std::string, std::int64_t>>& amounts) {
    CounterSet result{.name = catalogue.counter_sets.intern(set), .counters = {}};
    for (const auto& [key, value] : amounts) {
      result.counters.push_back({.name = catalogue.counters.intern(key), .amount = units(value)});
    }
    std::ranges::sort(result.counters, {}, &Counter::name);
    return result;
  }

  DeviceInput device(std::string_view device_name, KindId kind, Consumption consumption = {}) {
    DeviceInput result;
    result.name = name(device_name);
    result.kind = kind;
    if (!consumption.empty()) result.consumption = catalogue.consumptions.intern(std::move(consumption));
    return result;
  }

  SliceInput slice(std::string_view slice_name, std::string_view driver, std::string_view pool, NodeTarget target,
                   std::vector<DeviceInput> devices, std::int64_t count = 1, std::int64_t generation = 1) {
    SliceInput result;
    result.name = name(slice_name);
    result.driver = name(driver);
    result.pool = name(pool);
    result.generation = generation;
    result.slice_count = count;
    result.target = std::move(target);
    result.devices = std::move(devices);
    return result;
  }

  // Names of the devices the node can use, in order: "pool/device".
  std::vector<std::string> on(std::string_view node_name, const Features& features = {}) {
    const NodeDevices devices = inventory.on(node(node_name), features);
    std::vector<std::string> result;
    for (const PlacedDevice& device : devices.devices) {
      const auto& key = inventory.key(device.id);
      result.push_back(std::string(names.names.text(key.pool)) + "/" + std::string(names.names.text(key.device)));
    }
    return result;
  }
  PoolState state(std::string_view node_name, const Features& features = {}) {
    const NodeDevices devices = inventory.on(node(node_name), features);
    return devices.pools.empty() ? PoolState::kIncomplete : devices.pools.front().state;
  }
};

}  // namespace berth::engine::devices
