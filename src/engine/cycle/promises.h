// Promises: a pod whose victims are still leaving waits with a node that was promised to it (status.nominatedNodeName).
//
// Until it runs, pods of its priority or a lower one may go to that node only if they fit there both with it and
// without it: without, since it may never come, and since it must not be what a rule of theirs needs. A pod that waits
// for victims evicts nobody else. This engine evicts and places at once and makes no promises itself; they come with a
// snapshot.
//
// Source: kube-scheduler 1.37, RunFilterPluginsWithNominatedPods and DefaultPreemption.PodEligibleToPreemptOthers.
#pragma once

#include <vector>

#include "engine/fit/question.h"

namespace berth::engine {

// Does the asking pod pass all filters on this node with the pods there that were promised it? True if nobody was whose
// promise counts. `with_topology` as in check_all(). The world is as before afterwards.
[[nodiscard]] bool fits_with_promised(World& world, const Question& question, NodeId node, PodId asking,
                                      bool with_topology = true);

// The nodes for which that is false, ascending: what Question::closed wants. O(promises).
[[nodiscard]] std::vector<NodeId> closed_nodes(World& world, const Question& question, PodId asking,
                                               bool with_topology = true);

// Is the pod waiting for pods that were evicted for it to leave the node it was promised? If nothing that leaves the
// node could help it any more, it is not.
[[nodiscard]] bool awaits_victims(const Question& question, PodId pod);

}  // namespace berth::engine
