// Capacity: how many pods of one shape a node can take now.
#pragma once

#include <cstdint>

#include "engine/fit/question.h"

namespace berth::engine {

// Exact for shapes whose pods only compete for amounts, cards, ports and pod slots; rules among pods are not asked, so
// for others it is the most that could be. 0 if the node does not take one. O(filters + requests + cards).
[[nodiscard]] std::int32_t how_many_fit(const Question& question, NodeId node);

}  // namespace berth::engine
