// VolumeRestrictions: a ReadWriteOncePod claim serves one pod in the whole cluster.
//
// Source: core/v1 access mode ReadWriteOncePod (KEP-2485); kube-scheduler's plugin VolumeRestrictions, but for its rule
// about disks that pods name inline (docs/differences.md). O(claims of the shape).
#pragma once

#include "engine/fit/question.h"

namespace berth::engine {

[[nodiscard]] Verdict check_volume_restrictions(const Question& question, NodeId node);

}  // namespace berth::engine
