// Pods to come: room that a running workload is charged for beyond what its pods hold, up to its minimum amounts
// (workload_input.h). Drivers of Spark make their executors once they run; without this drivers alone fill a queue, and
// none of them ever gets an executor.
//
// What is kept is a sum, not a place: nobody knows yet how the pods will look. It counts in every queue of the workload
// as if it were used, and in the hardware as a whole for whoever is charged to a queue, but for those of higher
// priority and those whose queue stays within its guarantee: pods that do not exist stand behind both. Source:
// Volcano's inqueue resources; here they are held until the pods are there, not for one session.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "engine/gang/workloads.h"
#include "engine/quota/fairness.h"

namespace berth::engine {

// What the workload would be charged in addition if pods that ask for `amounts` (ascending) took places.
[[nodiscard]] std::vector<ResourceAmount> added_charge(const Workload& workload,
                                                       std::span<const ResourceAmount> amounts);

// Whether what the hardware has beyond all that is used and kept suffices for them, as long as something is kept. Who
// keeps room itself starts only with all of it, unless the hardware never had so much: then it may be the first, as
// minimum amounts are no test of placement. What is kept beyond the hardware stops nobody else. `evicting`: others
// would go for it, which nobody does for pods to come. `held`: what holds keep that way, for those who come first.
// O(workloads that keep something).
[[nodiscard]] std::optional<QuotaBlock> block_of_kept(const Workloads& workloads, const Fairness& fairness,
                                                      const Workload& workload, std::span<const ResourceAmount> amounts,
                                                      bool evicting, std::span<const ResourceAmount> held = {});

}  // namespace berth::engine
