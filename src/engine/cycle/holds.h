// Holds: which room to keep for a workload that cannot start, or that lost members.
#pragma once

#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "engine/gang/placement.h"
#include "engine/hold_reason.h"
#include "engine/world/held_room.h"
#include "engine/world/world.h"

namespace berth::engine {

struct Reservation {
  WorkloadId owner;
  std::optional<Time> from;  // when it starts there; none: as soon as it can
  HoldReason why = HoldReason::kRunTimes;
  std::vector<HeldRoom> rooms;
  // What the owner will keep for pods to come (gang/to_come.h) once it starts: a sum, as nobody knows where. Of a dated
  // hold less what is over by then. Ascending by resource.
  std::vector<ResourceAmount> to_come = {};
  bool operator==(const Reservation&) const = default;
};

// The hold of a workload that cannot start now. None: no date is known. O(log(ends) x placement).
[[nodiscard]] std::optional<Reservation> dated_hold(World& world, JointPlacement& placement, WorkloadId owner,
                                                    const PlacementOptions& options, Time now);
// The hold, without a date, of a workload that others have overtaken: those of its queue, or of none, that are younger
// and of no higher priority (where priority orders the queue), and such of other queues as far as these go after its
// own and have more than is guaranteed them. None: without them it would not fit either. O(pods + placement).
[[nodiscard]] std::optional<Reservation> overtaken_hold(World& world, JointPlacement& placement, WorkloadId owner,
                                                        const PlacementOptions& options, bool by_priority);
// The hold of a damaged workload, or of one that has waited too long: the members that it lacks, one by one, where each
// fits now. For members that do not exist yet, room for one like those it has. None: nothing fits.
[[nodiscard]] std::optional<Reservation> hole_of(World& world, JointPlacement& placement, WorkloadId owner,
                                                 Search& search, HoldReason why);

// Parts of the above.

// What the workload keeps now for pods to come. Ascending by resource.
[[nodiscard]] std::vector<ResourceAmount> kept_by(const Workload& workload);

// The claims of the workload's members that have devices.
[[nodiscard]] std::set<NameId> claims_with_devices(const World& world, const Workload& workload);
// What the placed pods take, node by node, less what `gone` pods of that node leave to them. `had`: claims that have
// their devices already.
[[nodiscard]] std::vector<HeldRoom> rooms_of(const World& world, const std::vector<PlacedPod>& placed,
                                             const std::vector<std::pair<NodeId, ShapeId>>& gone, std::set<NameId> had);

}  // namespace berth::engine
