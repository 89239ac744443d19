// Ids and amounts of the device model.
//
// A device is named by (driver, pool, device); its DeviceId stays the same while slices come, go and are published
// anew, so that what is in use can be kept by id. Text stays outside: a dialect interns it on the way in (catalogue.h).
#pragma once

#include <cstdint>

#include "base/ids.h"
#include "engine/ids.h"

namespace berth::engine::devices {

using DeviceId = Id<struct DeviceTag>;            // (driver, pool, device), for the life of the inventory
using PoolId = Id<struct PoolTag>;                // (driver, pool)
using KindId = Id<struct KindTag>;                // a distinct projection of driver, attributes, capacities
using AttributeId = Id<struct AttributeTag>;      // a fully qualified attribute name
using ValueId = Id<struct ValueTag>;              // an attribute value: a typed scalar or a list as a set
using AtomId = Id<struct AtomTag>;                // one typed scalar
using CapacityId = Id<struct CapacityTag>;        // a capacity key, literally as the slice or claim writes it
using PolicyId = Id<struct PolicyTag>;            // a distinct requestPolicy of a capacity
using CounterSetId = Id<struct CounterSetTag>;    // the name of a counter set, within its pool
using CounterId = Id<struct CounterTag>;          // the name of a counter, within its set
using ConsumptionId = Id<struct ConsumptionTag>;  // a distinct list of consumed counters
using TaintListId = Id<struct TaintListTag>;      // a distinct list of device taints
using BindingId = Id<struct BindingTag>;          // a distinct pair of binding and failure conditions
using SelectorId = Id<struct SelectorTag>;        // a distinct CEL expression; the engine never sees its text
using SelectorErrorId = Id<struct SelectorErrorTag>;

// An exact amount in nano-units, which is what resource.Quantity can express at its finest (api::Quantity::nanos()).
// |value| < 2^63 units < 2^93 nano-units, so that sums of 2^33 amounts stay exact.
__extension__ using Quantity = __int128;

inline constexpr std::int64_t kNanoPerUnit = 1'000'000'000;
inline constexpr std::int64_t kNanoPerMilli = 1'000'000;

// The most devices one claim may have in its results (resource.k8s.io/v1 AllocationResultsMaxSize).
inline constexpr std::int64_t kMaxResults = 32;

}  // namespace berth::engine::devices
