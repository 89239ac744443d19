// Why a pod does not run, by definition: worlds with something lifted are built and asked.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>

#include "reference/filters.h"
#include "reference/schedule.h"

namespace berth::reference {

// The first of these that holds:
//   NotReady       a gate or a claim holds the pod
//   Reserved       it fits now if nobody was promised a node
//   NodeExcluded   it fits now once cordons, taints and unreadiness are not asked
//   TopologyNoFit  it fits now once the rules among pods (spread, inter-pod affinity) are not asked
//   Busy           it fits on the emptied cluster (no pods, so no rules among them);
//   Fragmented     the same, and the nodes that only lack room have enough of everything in sum
//   NodeExcluded   it fits on the emptied cluster once cordons, taints and unreadiness are not asked
//   NeverFits      otherwise
enum class ReasonClass : std::uint8_t {
  kFits,
  kNotReady,
  kNeverFits,
  kBusy,
  kFragmented,
  kTopologyNoFit,
  kNodeExcluded,
  kReserved,
};

[[nodiscard]] ReasonClass classify(const Question& question);

// Nodes per first cause; the counts add up to all nodes.
[[nodiscard]] std::map<Cause, std::size_t> count_causes(const Question& question);

// Each asks one changed world.
enum class Lifted : std::uint8_t { kNothing, kExclusions };
enum class Occupied : std::uint8_t { kAsNow, kEmptied };
[[nodiscard]] std::size_t nodes_that_fit(const Question& question, Lifted lifted, Occupied occupied,
                                         bool rules_among_pods);
[[nodiscard]] bool fits_somewhere(const Question& question, Lifted lifted, Occupied occupied, bool rules_among_pods);
[[nodiscard]] bool fits_without_promises(const Question& question);
// Enough free in sum over the nodes on which nothing but room is missing.
[[nodiscard]] bool enough_in_sum(const Question& question);

}  // namespace berth::reference
