// What a fuzzer holds to be so, in every build type.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <vector>

#include "api/objects.h"

inline void require(bool holds) {
  if (!holds) std::abort();
}

// The same objects in the same order, wherever they were read.
template <class T>
void require_equal(const std::vector<berth::api::Read<T>>& before, const std::vector<berth::api::Read<T>>& after) {
  require(before.size() == after.size());
  for (std::size_t i = 0; i < before.size(); ++i) require(before[i].object == after[i].object);
}
