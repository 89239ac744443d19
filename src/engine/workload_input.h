// Workloads as the engine is told of them: trees of groups of pods that start together or not at all.
//
// Every ecosystem's unit is this tree: an upstream PodGroup or CompositePodGroup, a Volcano PodGroup with roles or
// sub-groups, a Kueue Workload with pod sets, a KAI PodGroup with subgroups, a Grove PodGang. A pod that names no
// workload is a bare pod: a workload of one, without an object.
//
// A group is satisfied when at least `minimum_pods` of the pods below it hold a place (or succeeded) and at least
// `minimum_children` of its children are satisfied. A workload runs whole when its root is satisfied; it never holds a
// place before that. What it holds above is elastic: it grows where room is idle and shrinks first.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "engine/amount.h"
#include "engine/ids.h"

namespace berth::engine {

// Where the pods of a group have to be relative to each other. Levels are node label keys. `topology` names a
// TopologyInput, which gives the levels their order; without one each level stands alone.
struct TopologyRule {
  NameId topology;
  LabelKeyId required;   // all pods below the group in one domain of this level; none: anywhere
  LabelKeyId preferred;  // the same as a wish: then of the levels above it up to `required`, the lowest that will do
  // The pods of a leaf in slices of `slice_size`, each within one domain of `slice_level`. 0: no slices.
  LabelKeyId slice_level;
  std::int32_t slice_size = 0;
  // A wish: as few domains of the slice level as will do, with as equal numbers of slices as may be. Else these are
  // filled one after the other.
  bool balanced = false;
  [[nodiscard]] bool empty() const { return required.is_none() && preferred.is_none() && slice_size == 0; }
  auto operator<=>(const TopologyRule&) const = default;
};

struct TopologyInput {
  NameId name;
  std::vector<LabelKeyId> levels;  // outermost first: block, rack, host
  auto operator<=>(const TopologyInput&) const = default;
};

struct GroupInput {
  static constexpr std::int32_t kAll = std::numeric_limits<std::int32_t>::max();

  NameId name;                    // unique in the workload
  std::uint32_t parent = 0;       // position of the parent, lower than the own; the root is at 0 and names itself
  std::int32_t minimum_pods = 0;  // pods below it
  std::int32_t minimum_children = kAll;  // children of it; kAll: every one
  std::int32_t maximum_pods = kAll;      // more of its pods are not placed
  std::int32_t succeeded = 0;            // leaf: pods that ended well, which count as done and hold nothing
  // What is lost when one of its pods is evicted: all that it holds (upstream's disruptionMode all), or that pod as
  // long as it is above the minimums. The root has the first for the whole workload.
  bool goes_whole = false;
  TopologyRule topology;
  auto operator<=>(const GroupInput&) const = default;
};

struct WorkloadInput {
  NameId name;                     // "namespace/name"
  std::vector<GroupInput> groups;  // parents before children; at least the root
  std::vector<NameId> queues;      // every queue that is charged for it; the first orders it. None: no queue
  std::vector<NameId> counted_in;  // queues that count aside and whose caps hold for it as well
  // While it holds a place it is charged for at least so much: what its pods do not hold of it is kept for pods that do
  // not exist yet, such as the executors that a driver will make. Ascending by resource.
  std::vector<ResourceAmount> minimum_amounts;
  std::int32_t priority = 0;
  bool preempts = true;     // may others go for it
  bool preemptible = true;  // may it go for others
  // Somebody makes the members again that it loses, so that their room is kept; else for those alone that wait.
  bool members_return = true;
  Time created = 0;
  // When it has waited too long: before that it goes before those of equal priority with a later one or none; from then
  // on, what it could have now is held for it. (Volcano's sla)
  std::optional<Time> deadline;
  std::optional<std::int64_t> runs_for_seconds;  // declared run time of the whole, counted from its start
  auto operator<=>(const WorkloadInput&) const = default;
};

}  // namespace berth::engine
