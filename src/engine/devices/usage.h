// Usage: which devices are in use, whole or in shares, and how much of their capacities the shares take. Kept by the
// world; changes are exact inverses of each other, so that a transaction can take them back.
//
// Source: the allocated state of the structured allocator: devices in claims' allocations without shareID, with
// shareID, and the sum of consumedCapacity. Results with adminAccess are not counted.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/devices/claim.h"
#include "engine/devices/ids.h"

namespace berth::engine::devices {

class Usage {
 public:
  void hold(DeviceId device);     // a claim has the whole device
  void release(DeviceId device);  // the inverse
  void add_share(DeviceId device, std::span<const CapacityRequest> consumed);
  void remove_share(DeviceId device, std::span<const CapacityRequest> consumed);  // the inverse

  [[nodiscard]] bool held(DeviceId device) const { return at(device).holders > 0; }
  [[nodiscard]] std::uint32_t shares(DeviceId device) const { return at(device).shares; }
  [[nodiscard]] bool in_use(DeviceId device) const { return held(device) || shares(device) > 0; }

  // What the shares of a device take: one entry per capacity that was ever taken, ascending by name.
  [[nodiscard]] const std::vector<CapacityRequest>& consumed(DeviceId device) const { return at(device).consumed; }

 private:
  struct State {
    std::uint32_t holders = 0;
    std::uint32_t shares = 0;
    std::vector<CapacityRequest> consumed;
  };
  static const State kFree;
  [[nodiscard]] const State& at(DeviceId device) const {
    return device.index() < states_.size() ? states_[device.index()] : kFree;
  }
  State& grown(DeviceId device);
  std::vector<State> states_;
};

}  // namespace berth::engine::devices
