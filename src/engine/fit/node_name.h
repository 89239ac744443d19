// NodeName: a pod that names its node goes there or nowhere.
#pragma once

#include "engine/fit/question.h"

namespace berth::engine {

[[nodiscard]] Verdict check_node_name(const Question& question, NodeId node);

}  // namespace berth::engine
