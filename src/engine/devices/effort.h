// Effort: the work that a search has done and may do. All parts of one search share it.
#pragma once

#include <algorithm>
#include <cstdint>

namespace berth::engine::devices {

struct Effort {
  std::uint64_t steps = 0;
  std::uint64_t limit = 0;  // 0: none
  [[nodiscard]] bool spent() const { return limit != 0 && steps > limit; }
  // The limit of a part that may do so many steps more.
  [[nodiscard]] std::uint64_t within(std::uint64_t more) const {
    return limit == 0 ? steps + more : std::min(limit, steps + more);
  }
};

}  // namespace berth::engine::devices
