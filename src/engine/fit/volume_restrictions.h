// VolumeRestrictions: a ReadWriteOncePod claim serves one pod in the whole cluster.
#pragma once

#include "engine/fit/question.h"

namespace berth::engine {

[[nodiscard]] Verdict check_volume_restrictions(const Question& question, NodeId node);

}  // namespace berth::engine
