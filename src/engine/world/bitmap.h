// Bitmap: a set of ranks (or other dense numbers) as 64-bit words. Capacity is fixed by resize().
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace berth::engine {

class Bitmap {
 public:
  static constexpr std::size_t kBits = 64;

  Bitmap() = default;
  explicit Bitmap(std::size_t size, bool value = false) { resize(size, value); }

  // Empties the set (or fills it) and makes room for numbers below `size`.
  void resize(std::size_t size, bool value = false) {
    words_.assign((size + kBits - 1) / kBits, value ? ~std::uint64_t{0} : 0);
    if (value && size % kBits != 0) words_.back() = (std::uint64_t{1} << (size % kBits)) - 1;
  }

  void set(std::size_t bit) { words_[bit / kBits] |= std::uint64_t{1} << (bit % kBits); }
  void clear(std::size_t bit) { words_[bit / kBits] &= ~(std::uint64_t{1} << (bit % kBits)); }
  void assign(std::size_t bit, bool value) { value ? set(bit) : clear(bit); }
  [[nodiscard]] bool test(std::size_t bit) const { return (words_[bit / kBits] >> (bit % kBits) & 1U) != 0; }

  // Adds or removes all members of `other`, which has the same capacity. O(words).
  void add(const Bitmap& other) {
    for (std::size_t i = 0; i < words_.size(); ++i) words_[i] |= other.words_[i];
  }
  void remove(const Bitmap& other) {
    for (std::size_t i = 0; i < words_.size(); ++i) words_[i] &= ~other.words_[i];
  }

  // Removes what is not in a set of the same capacity, or (false) what is in it. O(words).
  void keep(const std::uint64_t* words, bool in_it) {
    for (std::size_t i = 0; i < words_.size(); ++i) words_[i] &= in_it ? words[i] : ~words[i];
  }
  [[nodiscard]] bool contains(const Bitmap& other) const {
    for (std::size_t i = 0; i < words_.size(); ++i) {
      if ((other.words_[i] & ~words_[i]) != 0) return false;
    }
    return true;
  }

  [[nodiscard]] std::size_t count() const {
    std::size_t result = 0;
    for (const std::uint64_t word : words_) result += static_cast<std::size_t>(std::popcount(word));
    return result;
  }
  [[nodiscard]] const std::uint64_t* words() const { return words_.data(); }
  [[nodiscard]] std::size_t word_count() const { return words_.size(); }
  [[nodiscard]] bool empty() const { return words_.empty(); }

  // Calls visit(bit) for each member, ascending.
  template <class Visit>
  void for_each(Visit visit) const {
    for (std::size_t i = 0; i < words_.size(); ++i) {
      for (std::uint64_t word = words_[i]; word != 0; word &= word - 1) {
        visit(i * kBits + static_cast<std::size_t>(std::countr_zero(word)));
      }
    }
  }

  bool operator==(const Bitmap&) const = default;

 private:
  std::vector<std::uint64_t> words_;
};

}  // namespace berth::engine
