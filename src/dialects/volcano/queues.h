// Volcano's queues as the engine's: a subtree of their own, "volcano/root", under the hardware.
#pragma once

#include <string_view>

#include "dialects/volcano/policies.h"
#include "dialects/workloads/ecosystem.h"

namespace berth::dialects::volcano {

inline constexpr std::string_view kRootQueue = "root";
inline constexpr std::string_view kDefaultQueue = "default";

// The name under which the engine knows a queue: "volcano/NAME".
[[nodiscard]] engine::NameId queue_name(engine::Names& names, std::string_view queue);

// Every queue; `root` and `default`, which always exist, also where nobody wrote them down. Nothing where there is
// neither a queue nor a PodGroup. A queue that has children and is named by PodGroups is remarked on: only leaves take
// jobs. Amounts named by device classes ("deviceclass/CLASS") are not counted, which is remarked on.
void read_queues(const workloads::Scene& scene, const Policies& policies, engine::Names& names,
                 workloads::Reading& out);

}  // namespace berth::dialects::volcano
