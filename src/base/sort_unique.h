// Canonical order, each value once: equal content written differently becomes equal. O(n log n).
#pragma once

#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

namespace berth {

template <class T, class Less = std::ranges::less>
void sort_unique(std::vector<T>& values, Less less = {}) {
  std::ranges::sort(values, std::move(less));
  const auto repeated = std::ranges::unique(values);
  values.erase(repeated.begin(), repeated.end());
}

}  // namespace berth
