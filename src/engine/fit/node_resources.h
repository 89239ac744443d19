// NodeResourcesFit: requests fit into what is free, one more pod fits into the node's pod count, and cards can be
// given. What exceeds the node's allocatable amount does not fit even when all pods are gone. A node may be
// overcommitted: then any positive request fails and a request of nothing passes.
//
// Source: kube-scheduler's plugin NodeResourcesFit (fitsRequest); pod-level resources are KEP-2837, sidecars KEP-753.
// Cards and their shares are Berth's. O(resources of the shape + cards of the node).
#pragma once

#include "engine/fit/question.h"

namespace berth::engine {

[[nodiscard]] Verdict check_node_resources(const Question& question, NodeId node);

}  // namespace berth::engine
