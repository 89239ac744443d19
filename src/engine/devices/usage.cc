#include "engine/devices/usage.h"

#include <algorithm>

namespace berth::engine::devices {

const Usage::State Usage::kFree;

Usage::State& Usage::grown(DeviceId device) {
  if (device.index() >= states_.size()) states_.resize(device.index() + 1);
  return states_[device.index()];
}

void Usage::hold(DeviceId device) { ++grown(device).holders; }

void Usage::release(DeviceId device) { --grown(device).holders; }

void Usage::add_share(DeviceId device, std::span<const CapacityRequest> consumed) {
  State& state = grown(device);
  ++state.shares;
  for (const CapacityRequest& taken : consumed) {
    const auto place = std::ranges::lower_bound(state.consumed, taken.name, {}, &CapacityRequest::name);
    if (place != state.consumed.end() && place->name == taken.name) {
      place->amount += taken.amount;
    } else {
      state.consumed.insert(place, taken);
    }
  }
}

void Usage::remove_share(DeviceId device, std::span<const CapacityRequest> consumed) {
  State& state = grown(device);
  --state.shares;
  for (const CapacityRequest& taken : consumed) {
    const auto place = std::ranges::lower_bound(state.consumed, taken.name, {}, &CapacityRequest::name);
    place->amount -= taken.amount;
  }
}

}  // namespace berth::engine::devices
