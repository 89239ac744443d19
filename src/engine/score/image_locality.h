// ImageLocality: megabytes of the pod's images that the node already has, each scaled by the share of nodes that have
// the image (so that one node with a rare image does not attract everything). From 23 MiB (0) to 1000 MiB per container
// (100).
//
// Source: core/v1 NodeStatus.images; kube-scheduler's plugin ImageLocality. O(images of the pod * log images of the
// node).
#pragma once

#include <cstdint>

#include "engine/fit/question.h"

namespace berth::engine {

[[nodiscard]] std::int64_t score_image_locality(const Question& question, NodeId node);

}  // namespace berth::engine
