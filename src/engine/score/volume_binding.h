// VolumeBinding, the score: where the pod's open claims find volumes that exist, how much of them the claims ask; where
// a driver is to make all of them, how much of the capacity that it tells there. Through the profile's shape (by
// default the emptier the better), as the mean over the storage classes. Nodes of which nothing is known score 0.
//
// Source: kube-scheduler 1.37, plugin VolumeBinding with the gate StorageCapacityScoring, which is on by default.
#pragma once

#include <cstdint>

#include "engine/fit/question.h"

namespace berth::engine {

// O(the shape's choices of existing volumes, and log nodes).
[[nodiscard]] std::int64_t score_volume_binding(const Question& question, NodeId node);

}  // namespace berth::engine
