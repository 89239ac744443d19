// Defragmentation: moves of running pods that make room for pods that wait, and then open whole nodes, in terms of
// objects. Asked for after a plan was made, and on top of it. engine/cycle/consolidation.h has the search.
//
// A move is an eviction after which the pod comes back elsewhere, so only pods that can be evicted move: not those of
// DaemonSets and of the kubelet itself, not critical ones (priority 2,000,000,000 and more), and not those whose owner
// forbids it (cluster-autoscaler.kubernetes.io/safe-to-evict: "false"). Pods that this plan starts do not move. Members
// of groups neither move nor get room.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "engine/ids.h"
#include "sim/cluster.h"
#include "sim/plan/outcome.h"

namespace berth::sim {

struct PodMove {
  std::string pod;    // "namespace/name"
  std::string owner;  // outermost, "Deployment/web"; "Pod/x" for a pod nobody owns, which nobody makes again
  std::string from;
  std::string to;
  engine::Amount cards = 0;  // in thousandths, interrupted
};

// Moves in their order, and what they achieve together with those of the steps before.
struct DefragmentationStep {
  std::string pod;  // "namespace/name", finds room on the node; empty: the node has all its cards free
  std::string node;
  engine::Amount node_cards = 0;  // in thousandths
  std::vector<PodMove> moves;
};

struct Defragmentation {
  std::vector<DefragmentationStep> steps;
  std::vector<std::string> without_room;  // pods that wait for room in one place, and for which no moves were found

  [[nodiscard]] std::size_t moves() const;
  [[nodiscard]] engine::Amount moved_cards() const;
};

// `waiting`: pods that could run if what is free lay together, in the order in which they get it. The cluster was
// decided about, with these placements; it is left as it is.
[[nodiscard]] Defragmentation defragment(Cluster& cluster, const std::vector<engine::PodId>& waiting,
                                         const std::vector<Placement>& placements, std::size_t most_moves);

}  // namespace berth::sim
