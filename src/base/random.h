// Random: a small deterministic generator (xoshiro256**, Blackman and Vigna 2018, seeded by SplitMix64).
// The same seed gives the same numbers on every machine, which std:: distributions do not promise.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace berth {

// One step of SplitMix64: a good 64-bit mixer, also used to derive independent seeds.
[[nodiscard]] constexpr std::uint64_t split_mix(std::uint64_t value) {
  value += 0x9e3779b97f4a7c15ULL;
  value = (value ^ (value >> 30U)) * 0xbf58476d1ce4e5b9ULL;
  value = (value ^ (value >> 27U)) * 0x94d049bb133111ebULL;
  return value ^ (value >> 31U);
}

class Random {
 public:
  constexpr explicit Random(std::uint64_t seed) {
    for (auto& word : state_) {
      seed = split_mix(seed);
      word = seed;
    }
  }

  constexpr std::uint64_t next() {
    const std::uint64_t result = std::rotl(state_[1] * 5, 7) * 9;
    const std::uint64_t shifted = state_[1] << 17U;
    state_[2] ^= state_[0];
    state_[3] ^= state_[1];
    state_[1] ^= state_[2];
    state_[0] ^= state_[3];
    state_[2] ^= shifted;
    state_[3] = std::rotl(state_[3], 45);
    return result;
  }

  // Uniform in [0, bound); bound > 0. Exact: rejects the tail (Lemire 2019).
  constexpr std::uint64_t below(std::uint64_t bound) {
    __extension__ using Wide = unsigned __int128;
    Wide product = static_cast<Wide>(next()) * bound;
    auto low = static_cast<std::uint64_t>(product);
    if (low < bound) {
      const std::uint64_t threshold = (0 - bound) % bound;
      while (low < threshold) {
        product = static_cast<Wide>(next()) * bound;
        low = static_cast<std::uint64_t>(product);
      }
    }
    return static_cast<std::uint64_t>(product >> 64U);
  }

  // Uniform in [low, high], both included.
  constexpr std::int64_t between(std::int64_t low, std::int64_t high) {
    return low + static_cast<std::int64_t>(below(static_cast<std::uint64_t>(high - low) + 1));
  }

  // True with probability numerator / denominator.
  constexpr bool chance(std::uint64_t numerator, std::uint64_t denominator) { return below(denominator) < numerator; }

  // Fisher and Yates; anything with size() and operator[].
  template <class Range>
  constexpr void shuffle(Range& range) {
    using std::swap;
    for (std::size_t i = range.size(); i > 1; --i) swap(range[i - 1], range[static_cast<std::size_t>(below(i))]);
  }

 private:
  std::uint64_t state_[4]{};
};

}  // namespace berth
