// TaintToleration: every taint with effect NoSchedule or NoExecute must be tolerated.
#pragma once

#include "engine/fit/question.h"

namespace berth::engine {

[[nodiscard]] Verdict check_taint_toleration(const Question& question, NodeId node);

}  // namespace berth::engine
