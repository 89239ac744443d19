// Why a pod does not run, by definition: worlds with something lifted are built and asked.
#pragma once

#include <cstdint>
#include <map>

#include "reference/filters.h"
#include "reference/schedule.h"

namespace berth::reference {

// The first of these that holds:
//   NotReady       a gate or a claim holds the pod
//   on the emptied cluster it fits, and
//     TopologyNoFit  now it fits once the rules among pods (spread, inter-pod affinity) are not asked
//     Fragmented     where it would fit, nothing but room is missing, and in sum there is enough of everything
//     Busy           otherwise
//   TopologyNoFit  on the emptied cluster it fits once the rules among pods are not asked
//   NodeExcluded   on the emptied cluster it fits once cordons, taints and unreadiness are lifted
//   NeverFits      otherwise
enum class ReasonClass : std::uint8_t {
  kFits,
  kNotReady,
  kNeverFits,
  kBusy,
  kFragmented,
  kTopologyNoFit,
  kNodeExcluded,
};

[[nodiscard]] ReasonClass classify(const Question& question);

// Nodes per first cause; the counts add up to all nodes.
[[nodiscard]] std::map<Cause, std::size_t> count_causes(const Question& question);

// Each asks one changed world.
enum class Lifted : std::uint8_t { kNothing, kExclusions };
enum class Occupied : std::uint8_t { kAsNow, kEmptied };
[[nodiscard]] bool fits_somewhere(const Question& question, Lifted lifted, Occupied occupied, bool rules_among_pods);
// Over the nodes that would take the pod if they were empty: is room all that is missing there now, and is there enough
// of everything in sum?
[[nodiscard]] bool only_room_is_missing(const Question& question);
[[nodiscard]] bool enough_in_sum(const Question& question);

}  // namespace berth::reference
