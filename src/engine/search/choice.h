// Choice: where a search would put a pod.
#pragma once

#include <cstdint>

#include "engine/ids.h"

namespace berth::engine {

struct Choice {
  NodeId node;  // none: the pod fits nowhere
  std::int64_t score = 0;
  std::int32_t card = -1;  // for a share: the card that the policy wants, or -1
};

}  // namespace berth::engine
