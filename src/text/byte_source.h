// ByteSource: a stream of bytes read front to back: a file, standard input, text in memory, any of them inflated.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <span>
#include <string_view>

#include "base/result.h"

namespace berth::text {

class ByteSource {
 public:
  ByteSource() = default;
  ByteSource(const ByteSource&) = delete;
  ByteSource& operator=(const ByteSource&) = delete;
  virtual ~ByteSource() = default;

  // Fills a part of the buffer and says how much; 0 at the end. Errors are final.
  [[nodiscard]] virtual Result<std::size_t> read(std::span<char> buffer) = 0;
};

class MemorySource final : public ByteSource {
 public:
  explicit MemorySource(std::string_view text) : rest_(text) {}

  Result<std::size_t> read(std::span<char> buffer) override {
    const std::size_t count = std::min(buffer.size(), rest_.size());
    if (count != 0) std::memcpy(buffer.data(), rest_.data(), count);
    rest_.remove_prefix(count);
    return count;
  }

 private:
  std::string_view rest_;
};

}  // namespace berth::text
