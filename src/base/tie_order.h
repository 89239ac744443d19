// The one rule that ends every tie: a permutation of stable names drawn from the seed.
//
// Nodes with equal scores are taken in ascending order of tie_rank, then of name. The rank depends on the seed and the
// name alone, so neither the order of the input nor of any container can reach a decision.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/random.h"

namespace berth {

// FNV-1a, 64 bits: stable over machines and versions, which std::hash is not.
[[nodiscard]] constexpr std::uint64_t stable_hash(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325ULL;
  for (const char byte : text) hash = (hash ^ static_cast<std::uint8_t>(byte)) * 0x100000001b3ULL;
  return hash;
}

[[nodiscard]] constexpr std::uint64_t tie_rank(std::uint64_t seed, std::string_view name) {
  return split_mix(seed ^ stable_hash(name));
}

}  // namespace berth
