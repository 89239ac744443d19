// Buckets: which ranks have which score. The first rank of the highest bucket is the best node.
//
// A bucket is a bitmap over ranks with a summary (one bit per 64-bit word), so that sparse buckets are walked in the
// number of their members. Scores from 0 to a few thousand have an array of buckets and a bitmap of the non-empty ones;
// scores of any range have an ordered map. insert and erase are O(1), O(log buckets) in the map; the best without masks
// is O(ranks / 4096).
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <span>
#include <vector>

namespace berth::engine {

// A bitmap over ranks that a node must be in (keep) or must not be in.
struct Mask {
  const std::uint64_t* words = nullptr;
  bool keep = true;
};

class Buckets {
 public:
  struct Best {
    std::int64_t score = 0;
    std::uint32_t rank = 0;
  };

  // `largest` is the largest score that can occur if scores start at 0 and end early enough for an array; else none.
  Buckets(std::size_t ranks, std::optional<std::int64_t> largest);

  void insert(std::uint32_t rank, std::int64_t score);
  void erase(std::uint32_t rank, std::int64_t score);

  // The lowest rank of the highest score among the ranks that the masks allow.
  [[nodiscard]] std::optional<Best> best(std::span<const Mask> masks) const;

  // Appends the allowed ranks that have this score, ascending.
  void append(std::int64_t score, std::span<const Mask> masks, std::vector<std::uint32_t>& ranks) const;

 private:
  static constexpr std::uint32_t kNoSlot = std::numeric_limits<std::uint32_t>::max();
  struct Bucket {
    std::vector<std::uint64_t> words;  // first the summary, then the bits
    std::uint32_t members = 0;
  };

  std::uint32_t slot_for(std::int64_t score);
  [[nodiscard]] std::uint32_t slot_of(std::int64_t score) const;
  [[nodiscard]] std::optional<std::uint32_t> first(const Bucket& bucket, std::span<const Mask> masks) const;
  static std::uint64_t masked(std::uint64_t word, std::size_t index, std::span<const Mask> masks) {
    for (const Mask& mask : masks) word &= mask.keep ? mask.words[index] : ~mask.words[index];
    return word;
  }

  std::size_t words_;    // of bits
  std::size_t summary_;  // words of summary
  bool dense_;
  std::vector<Bucket> buckets_;
  std::vector<std::uint32_t> free_slots_;                           // map only
  std::vector<std::uint32_t> slot_of_score_;                        // array only
  std::vector<std::uint64_t> occupied_;                             // array only: bit per score
  std::map<std::int64_t, std::uint32_t, std::greater<>> by_score_;  // map only
};

}  // namespace berth::engine
