// Bounds for devices that can be shared: reasons why demands cannot be had, found by counting the shares that fit. Each
// is exact in its no.
//
// - A device serves each demand once, and no more demands than the smallest of them leave room for in every capacity.
//   With that, demands and devices are matched (Kuhn). Small demands would hide that large ones do not fit, so the
//   largest are matched alone first, then with the next size as well.
// - What demands take at least of a capacity, over all that may go to the same devices, has to be left there in sum.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "engine/devices/bounds.h"
#include "engine/devices/trial.h"

namespace berth::engine::devices {

class ShareBounds {
 public:
  // None of the demands looks with adminAccess.
  ShareBounds(Trial& trial, std::vector<const OpenDemand*> demands) : trial_(trial), demands_(std::move(demands)) {}

  // False: the demands cannot be satisfied together. O(demands x devices) for each size of demands, more only where
  // devices are scarce. `work` is raised by the devices looked at.
  [[nodiscard]] bool may_be_had(std::uint64_t& work);

 private:
  [[nodiscard]] bool capacities_suffice(std::uint64_t& work);
  // The largest part of a capacity that the demand takes, in 1/1024; of one for devices as a whole everything.
  [[nodiscard]] std::int64_t size(const OpenDemand& demand);
  [[nodiscard]] bool match(std::size_t count, std::uint64_t& work);
  [[nodiscard]] bool give(std::size_t demand, std::uint64_t& work);
  // How many of the first demands the device can serve at most.
  [[nodiscard]] std::size_t room(std::uint32_t device, std::uint64_t& work);
  [[nodiscard]] Quantity left(std::uint32_t device, std::size_t capacity) const;
  [[nodiscard]] const CapacityDemand* amounts(const OpenDemand& demand, std::uint32_t device);

  Trial& trial_;
  std::vector<const OpenDemand*> demands_;
  std::size_t count_ = 0;  // so many of them are matched
  struct Device {
    std::size_t room = 0;
    std::vector<std::size_t> serves;  // demands
    bool asked = false;
  };
  std::unordered_map<std::uint32_t, Device> devices_;
};

}  // namespace berth::engine::devices
