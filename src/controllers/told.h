// What controllers tell, kept to a number that somebody may read: input of nothing but mistakes must not fill the
// memory.
#pragma once

#include <cstddef>
#include <utility>
#include <vector>

#include "base/result.h"

namespace berth::controllers {

inline void tell(std::vector<Error>& list, Error error) {
  static constexpr std::size_t kMost = 10'000;
  if (list.size() < kMost) {
    list.push_back(std::move(error));
  } else if (list.size() == kMost) {
    list.push_back(
        {ErrorCode::kLimit, "There is more of that kind, which is not kept; correct what stands before it.", {}});
  }
}

}  // namespace berth::controllers
