// Preference: in which order best mode tries devices. Lower costs come first.
//
// What is kept for later claims is what decides:
// - devices without binding conditions before those with, untainted before tolerated taints;
// - devices of a card of which something is in use before those of a fresh one, and of shared devices the fullest
// first;
// - of partitions the one whose card keeps the most valuable placements: the loss is the sum of the sizes of the
//   partitions that could be placed before and cannot after. So cards that are broken already are broken further before
//   whole ones, and a 1g goes where no 4g, 3g or 2g could start;
// - smaller devices before larger ones that would do as well;
// - devices whose group (PCIe root, NVLink clique, NUMA node) is broken already before those of whole groups.
//
// Of what costs as much, cards come first of which the pod has something already, then those of one shape, and of one
// use. So it does not matter in which order equal cards stand (arrangement.h).
#pragma once

#include <compare>
#include <cstdint>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

#include "engine/devices/trial.h"

namespace berth::engine::devices {

class Preference {
 public:
  explicit Preference(Trial& trial);

  struct Cost {
    bool conditional = false;
    bool tainted = false;
    bool fresh = false;      // nothing of its card is in use
    std::int64_t loss = 0;   // of placements, in 1/1024 of a card
    std::int64_t worth = 0;  // of the device itself: capacities relative to the largest of the node
    std::int64_t group = 0;  // free devices that share a group with it
    bool apart = false;      // the pod has nothing of its card
    std::uint32_t kind = 0;  // of its card: the first one of its shape
    std::uint64_t use = 0;   // what of its card is in use: two bits for each member, of the first 32
    std::uint32_t position = 0;
    auto operator<=>(const Cost&) const = default;
  };
  [[nodiscard]] Cost cost(std::uint32_t option, std::uint32_t device);

 private:
  struct Groups {
    std::vector<ValueId> values;                            // by device
    boost::unordered_flat_map<ValueId, std::int64_t> free;  // devices not in use before the trial
  };
  void look_at_card(std::uint32_t device, Cost& cost);
  [[nodiscard]] std::int64_t size(const DeviceComponent& component, std::uint32_t member);
  [[nodiscard]] std::int64_t loss(std::uint32_t device);
  [[nodiscard]] std::int64_t share_loss(std::uint32_t option, std::uint32_t device);
  [[nodiscard]] std::int64_t worth(std::uint32_t device) const;
  [[nodiscard]] std::int64_t free_in_group(const Groups& groups, std::uint32_t device) const;

  Trial& trial_;
  std::vector<std::vector<std::int64_t>> sizes_;             // by component and member
  std::vector<std::uint32_t> kinds_;                         // by component: the first one of its pool and shape
  boost::unordered_flat_map<CapacityId, Quantity> largest_;  // over the node's devices
  std::vector<Groups> groups_;
  std::vector<Quantity> taken_;  // by counter of a pool: scratch, all zero between calls
};

}  // namespace berth::engine::devices
