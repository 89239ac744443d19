// UseStates: numbers for what of a card is in use, so that cards can be compared by one word. A card is a component of
// a node (node_devices.h): its state is which of its members are held, and what shares of them take.
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
  // The states of the node's components, in their order. Equal numbers: equal use, member by member. O(devices).
  void describe(const NodeDevices& node, const Usage& usage, std::vector<std::uint32_t>& states);
  // The state of one of them. O(its devices).
  [[nodiscard]] std::uint32_t describe(const NodeDevices& node, const DeviceComponent& component, const Usage& usage);

  // Nothing of such a card can be had, whoever asks, but to look at it.
  [[nodiscard]] bool is_full(std::uint32_t state) const { return contents_.sequence(state).front() == kFull; }

  // An order of states that depends on what they are alone, not on which came first.
  [[nodiscard]] bool less(std::uint32_t a, std::uint32_t b) const;

  [[nodiscard]] std::size_t size() const { return contents_.size(); }
  void clear() { contents_.clear(); }

 private:
  static constexpr std::int64_t kFull = -1;  // no word of members is negative
  [[nodiscard]] bool is_full(const NodeDevices& node, const DeviceComponent& component, const Usage& usage) const;
  SequenceInterner contents_;
  std::vector<std::int64_t> words_;
};

}  // namespace berth::engine::devices
