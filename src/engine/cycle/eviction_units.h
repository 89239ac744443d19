// The units of loss that a workload may legally cause, cheapest first. See reclaim.h.
#pragma once

#include <vector>

#include "engine/world/world.h"

namespace berth::engine {

struct EvictionUnit {
  std::vector<PodId> pods;
  WorkloadId workload;  // none: a bare pod
  QueueId queue;
  bool surplus = false;
  std::int32_t priority = 0;
  Amount lost = 0;   // card thousandths times seconds run; cores where there are no cards
  Time started = 0;  // of the youngest pod
};

// Whether a unit may go for the workload, before amounts are looked at: rights, priorities, who may preempt whom.
[[nodiscard]] bool may_evict(const World& world, const Workload& preemptor, const EvictionUnit& unit);

// Across queues: does the preemptor's side stay within its guarantee with `charge`, and is the unit's side above its
// own now? Always true within one queue.
[[nodiscard]] bool may_reclaim(const World& world, const Workload& preemptor, const std::vector<ResourceAmount>& charge,
                               const EvictionUnit& unit);

// O(pods).
[[nodiscard]] std::vector<EvictionUnit> eviction_units(const World& world, WorkloadId preemptor, Time now);

}  // namespace berth::engine
