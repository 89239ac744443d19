// Units of loss: what goes together if one of its pods is evicted, and for whom it may go. See reclaim.h;
// eviction_order.h keeps all of them in order.
#pragma once

#include <vector>

#include "engine/quota/fairness.h"
#include "engine/world/world.h"

namespace berth::engine {

struct EvictionUnit {
  std::vector<PodId> pods;
  WorkloadId workload;  // none: a bare pod
  QueueId queue;
  bool surplus = false;
  std::uint32_t group = kNoGroup;  // of a surplus: all that this group holds; none: one pod
  std::int32_t priority = 0;
  Amount lost = 0;   // card thousandths times seconds run; cores where there are no cards
  Time started = 0;  // of the youngest pod
};

// What counts of a pod where it is to go for others: the priority of its workload, whatever its own is.
[[nodiscard]] std::int32_t eviction_priority(const World& world, PodId pod);
// When it started. A pod that has not counts as the youngest.
[[nodiscard]] Time start_of(const Pod& pod);
// Does anything run that has a lower priority than this?
[[nodiscard]] bool runs_below(const World& world, std::int32_t priority);

// From here on a priority is the system's (Kubernetes' system-cluster-critical and -node-critical): guarantees of
// queues do not count against it.
inline constexpr std::int32_t kSystemPriority = 2'000'000'000;

// What a queue that has children may keep for what it runs itself: of its guarantee, what theirs leave. O(children).
[[nodiscard]] Amount own_guarantee(const World& world, QueueId queue, ResourceId resource);

// Is a queue from `queue` up to, not including, `above` within its guarantee in all that the pods hold and it names?
// Without `only` of all resources; with `fairness` what a queue deserves is its guarantee too.
//
// Who has no queue takes nothing from such a queue: otherwise a guarantee evicts somebody of high priority, who evicts
// somebody without a queue, who evicts what the guarantee brought in, without end.
[[nodiscard]] bool is_within_guarantee(const World& world, QueueId queue, QueueId above, const std::vector<PodId>& pods,
                                       const std::vector<ResourceAmount>* only = nullptr,
                                       const Fairness* fairness = nullptr);

// May units of this queue and priority go for the workload at all? Where this is no, may_evict() is.
[[nodiscard]] bool may_evict_from(const World& world, const Workload& preemptor, QueueId queue, std::int32_t priority);
// Whether a unit may go for the workload, before amounts are looked at: rights, priorities, who may preempt whom.
[[nodiscard]] bool may_evict(const World& world, const Workload& preemptor, const EvictionUnit& unit);

// Across queues: does the preemptor's side stay within its guarantee with `charge`, is the unit's side above its own
// now, and no queue on the way to the unit within its? Of a preemptor without a queue: is no guarantee in the way?
// Always true within one queue. Guarantees are Fairness::claim().
[[nodiscard]] bool may_reclaim(const World& world, const Fairness& fairness, const Workload& preemptor,
                               const std::vector<ResourceAmount>& charge, const EvictionUnit& unit);

// Adds the units of a workload: first what it holds above its minimums (gang/pieces.h), the least important first, then
// the rest together. O(pods log pods).
void add_units(const World& world, WorkloadId workload, Time now, std::vector<EvictionUnit>& out);
// The unit of a bare pod, or nothing if it cannot go.
void add_unit(const World& world, PodId bare_pod, Time now, std::vector<EvictionUnit>& out);

}  // namespace berth::engine
