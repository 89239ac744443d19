// Binding conditions: devices that have to be made ready once a pod has its place. What the pod waits for, and what
// happens to its claims when that fails.
//
// A device in an allocation lists conditions that have to be True in the claim's status.devices before its pods may
// start, and others that must not be: one of these, or no end within the bindingTimeout, sends the pods back
// to the queue, and their claims lose the devices. Source: KEP-5007 (DRADeviceBindingConditions), kube-scheduler's
// DynamicResources plugin.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "api/objects.h"

namespace berth::sim {

struct DeviceBinding {
  enum class State : std::uint8_t { kReady, kWaits, kFailed, kTimedOut };
  State state = State::kReady;
  std::optional<api::Time> until;  // kWaits: when the time is over
  std::string what;                // for people: the device, and the condition that is missing or true
};

// How the devices of a pod's claims stand.
[[nodiscard]] DeviceBinding device_binding(std::span<const api::ResourceClaim* const> claims, std::int64_t seconds,
                                           api::Time now);

// The claims that are reserved for the pod. O(claims).
[[nodiscard]] std::vector<const api::ResourceClaim*> claims_of(const api::Pod& pod, const api::ObjectSet& objects);

// The pod gives its place up: it is bound to no node, its claims are not reserved for it any more, and those that
// nobody else uses lose their devices. Claims made for its extended resources go.
void unbind(api::Pod& pod, api::ObjectSet& objects);

// Sets the condition of those devices that the claims of this name, globs allowed, have and whose name matches.
void set_device_condition(api::ObjectSet& objects, const std::string& claim, const std::string& device,
                          const api::Condition& condition);

}  // namespace berth::sim
