// UseStates: numbers for what of a card is in use, so that cards can be compared by one word. A card is a component of
// a node (node_devices.h): its state is which of its members are held, what shares of them take, and what devices that
// this node cannot use, or that are not published any more, take of its counters.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/devices/node_devices.h"
#include "engine/devices/usage.h"
#include "engine/world/sequence_interner.h"

namespace berth::engine::devices {

class UseStates {
 public:
  // The states of the node's components, in their order. Equal numbers: equal use, member by member. O(devices, those
  // elsewhere included).
  void describe(const NodeDevices& node, const Usage& usage, std::vector<std::uint32_t>& states);
  // The state of one of them. O(its devices, and those elsewhere in its pool).
  [[nodiscard]] std::uint32_t describe(const NodeDevices& node, const DeviceComponent& component, const Usage& usage);
  // The state of all that devices elsewhere take of a pool. O(these).
  [[nodiscard]] std::uint32_t describe_elsewhere(const NodePool& pool, const Usage& usage);

  // Nothing of such a card can be had, whoever asks, but to look at it.
  [[nodiscard]] bool is_full(std::uint32_t state) const { return contents_.sequence(state).front() == kFull; }

  // An order of states that depends on what they are alone, not on which came first.
  [[nodiscard]] bool less(std::uint32_t a, std::uint32_t b) const;

  [[nodiscard]] std::size_t size() const { return contents_.size(); }
  void clear() { contents_.clear(); }

 private:
  static constexpr std::int64_t kFull = -1;  // no word of members is negative
  [[nodiscard]] bool is_full(const NodeDevices& node, const DeviceComponent& component, const Usage& usage) const;
  void sum_up_elsewhere(const NodePool& pool, const Usage& usage);
  std::uint32_t describe_with(const NodeDevices& node, const DeviceComponent& component, const Usage& usage);
  void add_elsewhere(std::uint32_t counter);
  SequenceInterner contents_;
  std::vector<std::int64_t> words_;
  std::vector<Quantity> elsewhere_;  // by counter of the pool: what devices elsewhere take of it; empty: nothing
};

}  // namespace berth::engine::devices
