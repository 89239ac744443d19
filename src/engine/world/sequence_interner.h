// Numbers for equal sequences of integers: the first sequence is 0, the next new one 1, and so on.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

namespace berth::engine {

class SequenceInterner {
 public:
  // O(length) expected.
  std::uint32_t intern(std::span<const std::int64_t> sequence);

  // Valid until the next call of intern() or clear().
  [[nodiscard]] std::span<const std::int64_t> sequence(std::uint32_t number) const {
    return std::span(contents_).subspan(sequences_[number].begin, sequences_[number].size);
  }

  [[nodiscard]] std::size_t size() const { return sequences_.size(); }
  void clear();

 private:
  struct Sequence {
    std::size_t begin = 0;
    std::size_t size = 0;
    std::uint32_t next = 0;  // another sequence of the same hash, or none
  };
  std::vector<std::int64_t> contents_;  // of all sequences, one after the other
  std::vector<Sequence> sequences_;
  boost::unordered_flat_map<std::uint64_t, std::uint32_t> first_of_hash_;
};

}  // namespace berth::engine
