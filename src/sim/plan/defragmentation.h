// Defragmentation: moves of running pods that make room for pods that wait, and then open whole nodes, in terms of
// objects. Asked for after a plan was made, and on top of it. engine/cycle/consolidation.h has the search.
//
// A move is an eviction after which the pod comes back elsewhere, so only pods that can be evicted move: not those of
// DaemonSets and of the kubelet itself, not critical ones (priority 2,000,000,000 and more), and not those whose owner
// forbids it (cluster-autoscaler.kubernetes.io/safe-to-evict: "false"). For a pod that waits only pods of at most its
// priority move. Whole nodes are opened for nobody yet, on the word of who asks for it, as the descheduler does: there
// every pod below the critical ones may move. Pods that this plan starts do not move. Members of groups neither move,
// whether preemptible or not, nor get room.
//
// A MIG partition counts as so many sevenths of a card as it has slices of multiprocessors.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "engine/ids.h"
#include "sim/cluster.h"
#include "sim/plan/outcome.h"

namespace berth::sim {

// In thousandths of one.
struct CardAmount {
  std::string resource;     // "nvidia.com/gpu"
  bool whole_gpus = false;  // counts GPUs, not parts of them
  engine::Amount amount = 0;
};

struct PodMove {
  std::string pod;    // "namespace/name"
  std::string owner;  // outermost, "Deployment/web"; "Pod/x" for a pod nobody owns, which nobody makes again
  std::string from;
  std::string to;
  engine::Amount cards = 0;       // in thousandths of a card, interrupted
  std::vector<CardAmount> holds;  // the same as the pod asked for it
};

// Moves in their order, and what they achieve together with those of the steps before.
struct DefragmentationStep {
  std::string pod;  // "namespace/name", finds room on the node; empty: the node has all its cards free
  std::string node;
  std::vector<CardAmount> node_cards;
  std::vector<PodMove> moves;
};

struct Defragmentation {
  std::vector<DefragmentationStep> steps;
  std::vector<std::string> without_room;  // pods that wait for room in one place, and for which no moves were found
  bool complete = true;                   // false: the search was cut short; there may be more moves, or cheaper ones
  std::int64_t questions = 0;             // how often it looked at a pod and a node

  [[nodiscard]] std::size_t moves() const;
  [[nodiscard]] engine::Amount moved_cards() const;
  [[nodiscard]] std::vector<CardAmount> interrupted() const;  // by resource, GPUs first
};

// `fragmented`: pods that could run if what is free lay together. `busy`: pods that wait for running work to end, and
// get room if moves make some. Both get it in the order of the queue. The cluster was decided about, with these
// placements; it is left as it is.
[[nodiscard]] Defragmentation defragment(Cluster& cluster, const std::vector<engine::PodId>& fragmented,
                                         const std::vector<engine::PodId>& busy,
                                         const std::vector<Placement>& placements, std::size_t most_moves);

}  // namespace berth::sim
