// Symmetry: which devices are the same for this question, up to their names.
//
// Two devices look alike if every option selects and tolerates both or neither, their values for every constraint,
// their capacities and their use are equal. Two components (cards) are alike if they have one shape, their members look
// alike in order and as much is left of their counters. While nothing is taken from two such cards, exchanging them
// turns every solution into another one; so what failed with a device of one fails with its twin in the other.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/devices/trial.h"

namespace berth::engine::devices {

class Symmetry {
 public:
  // O(devices x options). Selector failures count as no.
  explicit Symmetry(Trial& trial);

  [[nodiscard]] std::uint32_t looks(std::uint32_t device) const { return looks_[device]; }
  [[nodiscard]] std::uint32_t component_class(std::uint32_t component) const { return classes_[component]; }
  [[nodiscard]] bool eligible(std::uint32_t option, std::uint32_t device) const { return eligible_[option][device]; }
  // Options of one class can be exchanged: they may have the same devices, and the same constraints are about them.
  [[nodiscard]] std::uint32_t option_class(std::uint32_t option) const { return option_classes_[option]; }
  // Does some selector or capacity rule fail on some device of this node?
  [[nodiscard]] bool any_failure() const { return any_failure_; }

 private:
  void sort_options(Trial& trial);

  bool any_failure_ = false;
  std::vector<std::vector<bool>> eligible_;  // by option and device: selects, tolerates, would fit when free
  std::vector<std::uint32_t> option_classes_;
  std::vector<std::uint32_t> looks_;    // by device
  std::vector<std::uint32_t> classes_;  // by component
};

}  // namespace berth::engine::devices
