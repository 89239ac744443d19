// Choosing at random, tersely.
#pragma once

#include <initializer_list>
#include <string>
#include <vector>

#include "base/random.h"

namespace berth::support {

template <class T>
T pick(Random& random, std::initializer_list<T> choices) {
  return *(choices.begin() + random.below(choices.size()));
}

inline std::string pick(Random& random, std::initializer_list<const char*> choices) {
  return *(choices.begin() + random.below(choices.size()));
}

template <class T>
const T& pick(Random& random, const std::vector<T>& choices) {
  return choices[random.below(choices.size())];
}

inline std::string numbered(const std::string& prefix, std::uint64_t number) { return prefix + std::to_string(number); }

// Few keys and few values, so that selectors and labels meet.
inline constexpr const char* kZoneKey = "topology.kubernetes.io/zone";
inline constexpr const char* kHostKey = "kubernetes.io/hostname";

inline std::string random_topology_key(Random& random) { return pick(random, {kZoneKey, kHostKey, "rack", kZoneKey}); }
inline std::string random_namespace(Random& random) { return pick(random, {"default", "default", "team-a", "ghost"}); }

}  // namespace berth::support
