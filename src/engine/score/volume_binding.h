// VolumeBinding, the score: where the pod's open claims find volumes that exist, how much of them the claims ask,
// through the profile's shape (by default the emptier the better), as the mean over the storage classes. Nodes without
// such volumes score 0.
//
// Source: kube-scheduler 1.37, plugin VolumeBinding with the gate StorageCapacityScoring, which is on by default.
#pragma once

#include <cstdint>

#include "engine/fit/question.h"

namespace berth::engine {

// O(the shape's volume choices).
[[nodiscard]] std::int64_t score_volume_binding(const Question& question, NodeId node);

}  // namespace berth::engine
