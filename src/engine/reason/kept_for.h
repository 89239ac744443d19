// Whose hold is in the way of a pod or workload that would fit if nothing were reserved.
#pragma once

#include <functional>
#include <vector>

#include "engine/cycle/reservations.h"

namespace berth::engine {

// Of the holds, which are not in the world now, the first without which `fits` would say yes beside all others; the
// first of all if several are in the way together. Those of `owner` are its own. Null: there is none. The world is as
// before afterwards. O(holds x fits).
[[nodiscard]] const Reservation* hold_in_the_way(World& world, const std::vector<Reservation>& holds, WorkloadId owner,
                                                 const std::function<bool()>& fits);

}  // namespace berth::engine
