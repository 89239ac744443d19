// What the published study measures room against: its largest node.
#pragma once

#include <cstdint>
#include <numeric>
#include <span>

#include "engine/score/placement_policy.h"

namespace berth::engine {

inline constexpr std::int64_t kLargestCpu = 128'000;  // milli
inline constexpr std::int64_t kLargestGpu = 8'000;    // milli
inline constexpr std::int64_t kMaximumScore = 100;

[[nodiscard]] inline std::int64_t free_gpu(const NodeView& node) {
  return std::accumulate(node.card_free.begin(), node.card_free.end(), std::int64_t{0});
}
[[nodiscard]] inline std::int64_t requested_gpu(const ShapeView& shape) {
  return static_cast<std::int64_t>(shape.card_count) * shape.card_milli;
}

}  // namespace berth::engine
