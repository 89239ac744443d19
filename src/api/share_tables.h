// ShareTables: the parts of devices that were read so far, so that an equal one that comes later takes their place.
// A cluster has as many devices as its cards have partitions, but few different lists of capacities and counters.
//
// One look-up and one comparison per part. Two different parts with one hash are kept apart; the later one is not
// shared.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

#include "api/resource.h"
#include "base/shared.h"

namespace berth::api {

[[nodiscard]] std::uint64_t content_hash(const DeviceAttributes& attributes);
[[nodiscard]] std::uint64_t content_hash(const DeviceCapacities& capacities);
[[nodiscard]] std::uint64_t content_hash(const std::vector<CounterSet>& counters);

template <class T>
class ShareTable {
 public:
  [[nodiscard]] Shared<T> share(T value) {
    const auto [known, fresh] = known_.try_emplace(content_hash(value));
    if (!fresh && !(*known->second == value)) return Shared<T>(std::move(value));
    if (fresh) known->second = Shared<T>(std::move(value));
    return known->second;
  }

 private:
  boost::unordered_flat_map<std::uint64_t, Shared<T>> known_;
};

struct ShareTables {
  ShareTable<DeviceAttributes> attributes;
  ShareTable<DeviceCapacities> capacities;
  ShareTable<std::vector<CounterSet>> counters;
};

}  // namespace berth::api
