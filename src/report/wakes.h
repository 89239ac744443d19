// Wakes: what would end the wait that a reason tells of. The engine tries who waits again when one of these happens,
// and otherwise spares it (engine/cycle/queue.h, workload_queue.h).
#pragma once

#include <string_view>
#include <vector>

#include "engine/reason/reason.h"

namespace berth::report {

enum class Wake : std::uint8_t {
  kRoom,         // room is given back on a node
  kNodes,        // a node comes, or its labels, taints, sizes or readiness change
  kDevices,      // slices or claims change
  kPods,         // pods that its rules look at come or go
  kQuota,        // its queue, or one above, gives something back
  kFairShare,    // other queues ask for less
  kQueue,        // the queue is told, opened or given other limits
  kMembers,      // missing members are made
  kReservation,  // what is kept for others is used or given up
  kObject,       // a missing object appears, or a gate goes
};

// In the order above; none for a pod that does not wait.
[[nodiscard]] std::vector<Wake> wakes_of(const engine::Reason& reason);
// "Room", for JSON.
[[nodiscard]] std::string_view name_of(Wake wake);

}  // namespace berth::report
