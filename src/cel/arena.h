// Memory of one evaluation: grows by chunks, is given back all at once.
//
// Values point into an arena and are trivially destructible, so nothing is freed one by one. The arena keeps its first
// chunk over reset(), so that evaluating in a loop does not touch the heap. It also counts what was taken: an
// evaluation that takes more than its limit is stopped by the evaluator (see EvalContext::reserve), while the small
// allocations of its unwinding still succeed.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace berth::cel {

class Arena {
 public:
  static constexpr std::size_t kDefaultLimit = std::size_t{64} << 20U;
  static constexpr std::uint64_t kMostWork = std::uint64_t{1} << 22U;

  explicit Arena(std::size_t limit = kDefaultLimit) : limit_(limit) {}

  [[nodiscard]] void* allocate(std::size_t bytes, std::size_t alignment = alignof(std::max_align_t)) {
    std::size_t start = (used_ + alignment - 1) & ~(alignment - 1);
    if (chunk_ == nullptr || start + bytes > capacity_) {
      grow(bytes + alignment);
      start = 0;
    }
    used_ = start + bytes;
    return chunk_ + start;
  }

  template <class T, class... Arguments>
  [[nodiscard]] T* make(Arguments&&... arguments) {
    static_assert(std::is_trivially_destructible_v<T>, "an arena never runs destructors");
    return new (allocate(sizeof(T), alignof(T))) T(std::forward<Arguments>(arguments)...);
  }

  template <class T>
  [[nodiscard]] T* make_array(std::size_t count) {
    static_assert(std::is_trivially_destructible_v<T>, "an arena never runs destructors");
    return static_cast<T*>(allocate(sizeof(T) * count, alignof(T)));
  }

  [[nodiscard]] std::string_view copy(std::string_view text) {
    if (text.empty()) return {};
    auto* data = static_cast<char*>(allocate(text.size(), 1));
    std::memcpy(data, text.data(), text.size());
    return {data, text.size()};
  }

  // All memory is free again; values that point here must not be used any more.
  void reset() {
    if (chunks_.size() > 1) {
      chunks_.resize(1);
      capacity_ = first_capacity_;
    }
    chunk_ = chunks_.empty() ? nullptr : chunks_.front().get();
    used_ = 0;
    spent_ = 0;
    total_ = chunks_.empty() ? 0 : first_capacity_;
  }

  // Work that an evaluation does without taking memory or being charged for it, such as comparing the elements of lists
  // that share their elements. False once that is more than any evaluation within the limits of cost needs: whoever
  // asked stops, and the evaluator makes the whole an error.
  [[nodiscard]] bool spend() { return ++spent_ <= kMostWork; }
  [[nodiscard]] bool exhausted() const { return spent_ > kMostWork; }

  // Bytes taken from the heap.
  [[nodiscard]] std::size_t total() const { return total_; }
  [[nodiscard]] std::size_t limit() const { return limit_; }
  [[nodiscard]] bool has_room(std::size_t bytes) const { return bytes <= limit_ && total_ <= limit_ - bytes; }

 private:
  void grow(std::size_t at_least) {
    const std::size_t size = std::max(at_least, std::clamp<std::size_t>(total_, 2048, std::size_t{1} << 20U));
    chunks_.push_back(std::unique_ptr<std::byte[]>(new std::byte[size]));
    if (chunks_.size() == 1) first_capacity_ = size;
    chunk_ = chunks_.back().get();
    capacity_ = size;
    used_ = 0;
    total_ += size;
  }

  std::vector<std::unique_ptr<std::byte[]>> chunks_;
  std::byte* chunk_ = nullptr;
  std::size_t capacity_ = 0;
  std::size_t first_capacity_ = 0;
  std::size_t used_ = 0;
  std::size_t total_ = 0;
  std::size_t limit_;
  std::uint64_t spent_ = 0;
};

}  // namespace berth::cel
