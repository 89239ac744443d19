// Devices in histories: a slice per node, and claims of a pod's own for devices that look alike, told as an API server
// would tell them once a pod was placed or evicted.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engine/devices/catalogue.h"
#include "engine/devices/holdings.h"
#include "engine/engine.h"
#include "engine/names.h"
#include "engine/world/world.h"

namespace berth::property {

class OwnDevices {
 public:
  explicit OwnDevices(engine::Names& names) : names_(names), driver_(names.names.intern("driver")) {}

  // The slice of a node with so many devices.
  engine::Event slice(engine::NameId node, std::int64_t devices) {
    auto slice = std::make_shared<engine::devices::SliceInput>();
    slice->name = node;
    slice->driver = driver_;
    slice->pool = node;
    slice->target = {.kind = engine::devices::NodeTarget::Kind::kNode, .node = node, .selector = {}};
    const engine::devices::KindId kind = names_.devices().kinds.intern(
        engine::devices::Kind{.driver = driver_, .allow_multiple = false, .attributes = {}, .capacities = {}});
    for (std::int64_t i = 0; i < devices; ++i) {
      engine::devices::DeviceInput device;
      device.name = names_.names.intern("device-" + std::to_string(i));
      device.kind = kind;
      slice->devices.push_back(device);
    }
    slices_[node] = slice;
    return engine::SliceChanged{slice};
  }
  // The pod asks for so many devices with a claim of its own.
  engine::Event add_claim(engine::PodInput& pod, std::int64_t count) {
    engine::devices::Alternative alternative;
    alternative.count = count;
    engine::devices::Claim claim;
    claim.requests = {{.prioritized = false, .alternatives = {alternative}}};
    pod.claims = {names_.names.intern("claim of " + std::string(names_.names.text(pod.name)))};
    pod.shape.claims = {{names_.devices().claims.intern(std::move(claim)), engine::NameId::none(), {}}};
    return tell(pod, nullptr);
  }
  // What the API says of the pod's claim now that it was placed, or (null) evicted; the pod says so, too.
  engine::Event tell(engine::PodInput& pod, const engine::World* world) {
    auto claim = std::make_shared<engine::devices::ClaimInput>();
    claim->name = pod.claims.front();
    claim->spec = pod.shape.claims.front().spec;
    pod.shape.claims.front().shared = world == nullptr ? engine::NameId::none() : claim->name;
    const engine::devices::Grant* grant = world == nullptr ? nullptr : world->holdings().grant(claim->name);
    if (grant != nullptr) {
      claim->allocated = true;
      claim->reach = grant->reach;
      for (const engine::devices::DeviceAllocation& each : grant->devices) {
        const auto& key = world->holdings().inventory().key(each.device);
        claim->devices.push_back({.driver = key.driver, .pool = key.pool, .device = key.device, .consumed = {}});
      }
    }
    claims_[claim->name] = claim;
    return engine::ClaimChanged{claim};
  }
  engine::Event forget(const engine::PodInput& pod) {
    claims_.erase(pod.claims.front());
    return engine::ClaimRemoved{pod.claims.front()};
  }
  // Everything, for an engine that is made anew.
  void tell_all(std::vector<engine::Event>& events) const {
    for (const auto& [name, slice] : slices_) events.emplace_back(engine::SliceChanged{slice});
    for (const auto& [name, claim] : claims_) events.emplace_back(engine::ClaimChanged{claim});
  }

 private:
  engine::Names& names_;
  engine::NameId driver_;
  std::map<engine::NameId, std::shared_ptr<const engine::devices::SliceInput>> slices_;
  std::map<engine::NameId, std::shared_ptr<const engine::devices::ClaimInput>> claims_;
};

}  // namespace berth::property
