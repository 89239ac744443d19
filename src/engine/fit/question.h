// Question: may a pod of this shape go to this node? What every filter is asked, and what it answers.
#pragma once

#include <span>

#include "engine/reason/reason.h"
#include "engine/topology/topology.h"
#include "engine/world/world.h"

namespace berth::engine {

struct Question {
  const World& world;
  const Shape& shape;
  const TopologyPlan& plan;
  // The two suppositions under which explain() asks again: every pod gone, and every cordon, taint and not-ready mark
  // lifted.
  bool emptied = false;
  bool lifted = false;
  bool without_devices = false;  // supposing that its claims could be satisfied everywhere
  // Nodes on which the pod fits only as long as those that were promised the node are not there; ascending. See
  // cycle/promises.h.
  std::span<const NodeId> closed;
};

struct Verdict {
  NodeCause cause = NodeCause::kFits;
  // Could removing pods from the node change the answer? Upstream's Unschedulable, as against
  // UnschedulableAndUnresolvable: preemption looks at these nodes only.
  bool resolvable = true;

  [[nodiscard]] bool fits() const { return cause == NodeCause::kFits; }
};

inline constexpr Verdict kPass{};

}  // namespace berth::engine
