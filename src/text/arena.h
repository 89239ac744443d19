// Arena: memory that is given back all at once. Allocation is a pointer bump; reset() keeps the largest block, so that
// reading a stream of objects of similar size settles on one block and allocates no more.
#pragma once

#include <cstddef>
#include <cstring>
#include <memory>
#include <string_view>
#include <vector>

namespace berth::text {

class Arena {
 public:
  Arena() = default;
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;
  Arena(Arena&&) noexcept = default;
  Arena& operator=(Arena&&) noexcept = default;

  // Uninitialised memory, aligned to 8 bytes, valid until reset() or the arena's end.
  [[nodiscard]] void* allocate(std::size_t bytes) {
    bytes = (bytes + 7) & ~std::size_t{7};
    if (bytes > left_) grow(bytes);
    std::byte* memory = next_;
    next_ += bytes;
    left_ -= bytes;
    return memory;
  }

  [[nodiscard]] std::string_view copy(std::string_view text) {
    if (text.empty()) return {};
    char* memory = static_cast<char*>(allocate(text.size()));
    std::memcpy(memory, text.data(), text.size());
    return {memory, text.size()};
  }

  void reset();

 private:
  struct Block {
    std::unique_ptr<std::byte[]> memory;
    std::size_t size = 0;
  };
  static constexpr std::size_t kFirstBlock = std::size_t{16} << 10U;
  static constexpr std::size_t kLargestStep = std::size_t{8} << 20U;

  void grow(std::size_t bytes);

  std::vector<Block> blocks_;
  std::byte* next_ = nullptr;
  std::size_t left_ = 0;
};

}  // namespace berth::text
