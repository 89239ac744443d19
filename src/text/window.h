// Window: the part of a ByteSource that is in memory, with zeros behind it, and the line and column it starts at.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "text/byte_source.h"
#include "text/entry.h"

namespace berth::text {

class Window {
 public:
  static constexpr std::size_t kPadding = 32;
  static constexpr std::size_t kFirstSize = std::size_t{256} << 10U;

  Window(ByteSource& source, std::int32_t first_line) : source_(&source), line_(first_line) {}

  [[nodiscard]] const char* begin() const { return buffer_.get(); }
  [[nodiscard]] const char* end() const { return buffer_.get() + size_; }
  [[nodiscard]] bool exhausted() const { return exhausted_; }

  // Drops what lies before `keep`, which becomes begin(), and reads on; the window grows where what is kept fills more
  // than half of it. Afterwards exhausted() or the window is longer than what was kept. All pointers move.
  Result<void> read_on(const char* keep);

  // Line and column of a place in the window; places must be asked in rising order for the cost to be linear in all.
  [[nodiscard]] Location locate(const char* at);

 private:
  void count_lines(const char* to);

  ByteSource* source_;
  std::unique_ptr<char[]> buffer_;
  std::size_t capacity_ = 0;
  std::size_t size_ = 0;
  bool exhausted_ = false;
  // Lines are counted up to this offset; the line there began `column_` bytes before it.
  std::size_t counted_ = 0;
  std::int32_t line_;
  std::int64_t column_ = 0;
};

}  // namespace berth::text
