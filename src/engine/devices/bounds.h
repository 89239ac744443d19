// Bounds: reasons why what is still wanted cannot be had, found by counting. Each is exact in its no; a yes says
// nothing.
//
// - A device serves one demand, or as many as share it (share_bounds.h). A demand that must have one value of an
//   attribute needs enough devices of that value, and all demands of one matchAttribute the same value; several
//   matchAttributes of one attribute need a value each, and a value serves only as many as it has devices for; those of
//   one distinctAttribute need as many values as devices.
// - Partitions take counters of their card: what the smallest that would do take, over all demands, has to be left; and
//   of one card no more can be had than its slots allow.
// - Claims whose partitions have to be on one card need as many cards with room for all of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "engine/devices/trial.h"

namespace berth::engine::devices {

// So many devices for each of these options, of which none can be told from another (Symmetry::option_class).
struct OpenDemand {
  std::vector<std::uint32_t> options;  // one per device that is missing
  std::vector<std::uint32_t> usable;   // ascending; not occupied, and admitted by the constraints so far
  [[nodiscard]] std::uint32_t option() const { return options.front(); }
  [[nodiscard]] std::int64_t missing() const { return static_cast<std::int64_t>(options.size()); }
};

class Bounds {
 public:
  explicit Bounds(Trial& trial) : trial_(trial) {}

  // False: these demands cannot be satisfied together. `work` is raised by the devices looked at.
  [[nodiscard]] bool may_be_had(std::span<const OpenDemand> demands, std::uint64_t& work);
  // False: there are fewer devices that these demands may have than they want, or than some of them want.
  [[nodiscard]] bool devices_suffice(std::span<const OpenDemand> demands, std::uint64_t& work);
  // False: the least that they take of counters is more than is left. Each has something usable.
  [[nodiscard]] bool counters_suffice(std::span<const OpenDemand> demands);

 private:
  [[nodiscard]] bool enough_each(const OpenDemand& demand);
  [[nodiscard]] bool enough_devices(std::span<const OpenDemand* const> demands, std::uint64_t& work);
  [[nodiscard]] bool constraints_allow(std::span<const OpenDemand> demands, std::uint64_t& work);
  // What the device has of the attribute that the constraint is about.
  [[nodiscard]] ValueId value_of(const ConstraintState& state, std::uint32_t device) const;
  [[nodiscard]] bool one_value_for_all(const ConstraintState& state, std::span<const OpenDemand* const> concerned,
                                       std::uint64_t& work);
  // The demands of one matchAttribute, each of which takes devices for itself.
  struct Match {
    const ConstraintState* state = nullptr;
    std::vector<const OpenDemand*> concerned;
  };
  [[nodiscard]] bool values_for_all(std::span<const Match> matches, std::uint64_t& work) const;
  [[nodiscard]] bool values_for_each(const ConstraintState& state, std::span<const OpenDemand* const> concerned) const;
  [[nodiscard]] std::int64_t counters_allow(const std::vector<std::uint32_t>& devices);
  [[nodiscard]] std::int64_t slots_allow(const std::vector<std::uint32_t>& members);
  [[nodiscard]] bool cards_suffice(std::span<const OpenDemand> demands);
  [[nodiscard]] bool takes_counters(const OpenDemand& demand) const;
  // By the places of counters on their card, and at the end the share of the card, all counters together: what a device
  // takes (share rounded down), and what is left of a card (rounded up).
  using Amounts = std::vector<Quantity>;
  [[nodiscard]] Quantity amount(std::uint32_t device, std::uint32_t place) const;
  [[nodiscard]] Amounts taken_by(std::uint32_t device) const;
  [[nodiscard]] Amounts left_of(const DeviceComponent& card);
  // The least that a device of the demand takes; empty if they are not on cards of one shape.
  [[nodiscard]] Amounts least_of(const OpenDemand& demand, std::uint32_t& shape) const;

  Trial& trial_;
};

}  // namespace berth::engine::devices
