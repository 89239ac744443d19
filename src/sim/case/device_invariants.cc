#include "sim/case/device_invariants.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <tuple>
#include <utility>

#include <fmt/format.h>

namespace berth::sim {
namespace {

using Wide = api::Quantity::Wide;
using PoolKey = std::pair<std::string, std::string>;  // driver, pool

struct Use {
  std::string whole;                  // the claim that has the whole device
  std::map<std::string, Wide> taken;  // by the shares, per capacity
  bool counted = false;
};

class DeviceCheck {
 public:
  explicit DeviceCheck(const api::ObjectSet& objects) : objects_(objects) {}

  std::optional<std::string> run() {
    for (const auto& read : objects_.resource_claims) {
      if (auto wrong = enter(read.object)) return wrong;
    }
    if (uses_.empty()) return std::nullopt;
    for (const auto& read : objects_.resource_slices) {
      std::int64_t& newest = newest_[{read.object.driver, read.object.pool.name}];
      newest = std::max(newest, read.object.pool.generation);
    }
    for (const auto& read : objects_.resource_slices) add(read.object);
    for (const auto& [key, amount] : used_) {
      const auto& [pool, set, counter] = key;
      const auto total = totals_.find(key);
      if (total != totals_.end() && amount > total->second) {
        return fmt::format("counter {} of {} in pool {} is used beyond what there is", counter, set, pool.second);
      }
    }
    return wrong_;
  }

 private:
  std::optional<std::string> enter(const api::ResourceClaim& claim) {
    if (!claim.status.allocation) return std::nullopt;
    const std::string name = claim.metadata.namespace_ + "/" + claim.metadata.name;
    for (const api::DeviceAllocationResult& result : claim.status.allocation->results) {
      if (result.admin_access) continue;
      Use& use = uses_[{{result.driver, result.pool}, result.device}];
      if (!use.whole.empty() || (result.share_id.empty() && !use.taken.empty())) {
        return fmt::format("device {} of pool {} is in two claims, one of them {}", result.device, result.pool, name);
      }
      if (result.share_id.empty()) use.whole = name;
      for (const auto& [capacity, amount] : result.consumed_capacity) use.taken[capacity] += amount.nanos();
    }
    return std::nullopt;
  }

  void add(const api::ResourceSlice& slice) {
    const PoolKey pool{slice.driver, slice.pool.name};
    if (slice.pool.generation != newest_[pool]) return;
    // Kubernetes 1.34: sets in one slice with devices are for these alone.
    const bool own = !slice.shared_counters.empty() && !slice.devices.empty();
    const auto set_of = [&](const api::CounterSet& set) {
      return own ? slice.metadata.name + "/" + set.name : set.name;
    };
    for (const api::CounterSet& set : slice.shared_counters) {
      for (const api::Counter& counter : set.counters)
        totals_[{pool, set_of(set), counter.name}] = counter.value.nanos();
    }
    for (const api::Device& device : slice.devices) {
      const auto use = uses_.find({pool, device.name});
      if (use == uses_.end() || use->second.counted) continue;
      use->second.counted = true;
      for (const api::CounterSet& set : *device.consumes_counters) {
        for (const api::Counter& counter : set.counters)
          used_[{pool, set_of(set), counter.name}] += counter.value.nanos();
      }
      for (const auto& [capacity, amount] : use->second.taken) {
        const api::DeviceCapacity* offered = api::find_capacity(*device.capacity, capacity);
        if (offered != nullptr && amount > offered->value.nanos()) {
          wrong_ = fmt::format("capacity {} of device {} is shared out beyond what there is", capacity, device.name);
        }
      }
    }
  }

  const api::ObjectSet& objects_;
  std::map<std::pair<PoolKey, std::string>, Use> uses_;
  std::map<PoolKey, std::int64_t> newest_;
  std::map<std::tuple<PoolKey, std::string, std::string>, Wide> totals_;
  std::map<std::tuple<PoolKey, std::string, std::string>, Wide> used_;
  std::optional<std::string> wrong_;
};

}  // namespace

std::optional<std::string> devices_are_real(const api::ObjectSet& objects) { return DeviceCheck(objects).run(); }

}  // namespace berth::sim
