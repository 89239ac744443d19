#include "text/window.h"

#include <algorithm>
#include <cstring>

namespace berth::text {

Result<void> Window::read_on(const char* keep) {
  const std::size_t dropped = buffer_ == nullptr ? 0 : static_cast<std::size_t>(keep - begin());
  if (buffer_ != nullptr) count_lines(keep);
  const std::size_t kept = size_ - dropped;
  if (buffer_ == nullptr || kept > capacity_ / 2) {
    const std::size_t capacity = std::max(kFirstSize, capacity_ * 2);
    // Not value-initialised: a fresh page costs nothing until it is read into.
    std::unique_ptr<char[]> larger(new char[capacity + kPadding]);
    if (kept != 0) std::memcpy(larger.get(), buffer_.get() + dropped, kept);
    buffer_ = std::move(larger);
    capacity_ = capacity;
  } else if (dropped != 0) {
    std::memmove(buffer_.get(), buffer_.get() + dropped, kept);
  }
  counted_ -= dropped;
  size_ = kept;
  while (size_ < capacity_ && !exhausted_) {
    BERTH_TRY(const std::size_t count, source_->read({buffer_.get() + size_, capacity_ - size_}));
    if (count == 0) exhausted_ = true;
    size_ += count;
  }
  std::memset(buffer_.get() + size_, 0, kPadding);
  return {};
}

void Window::count_lines(const char* to) {
  const auto offset = static_cast<std::size_t>(to - begin());
  if (offset <= counted_) return;
  const std::string_view passed(begin() + counted_, offset - counted_);
  const auto breaks = std::count(passed.begin(), passed.end(), '\n');
  if (breaks == 0) {
    column_ += static_cast<std::int64_t>(passed.size());
  } else {
    line_ += static_cast<std::int32_t>(breaks);
    column_ = static_cast<std::int64_t>(passed.size() - passed.rfind('\n') - 1);
  }
  counted_ = offset;
}

Location Window::locate(const char* at) {
  const auto offset = static_cast<std::size_t>(at - begin());
  if (offset < counted_) {
    // Before what was counted: go back, as happens for the start of a value that failed further on.
    const std::string_view passed(at, counted_ - offset);
    const auto breaks = std::count(passed.begin(), passed.end(), '\n');
    if (breaks == 0) return {line_, static_cast<std::int32_t>(column_ - static_cast<std::int64_t>(passed.size()) + 1)};
    const std::string_view before(begin(), offset);
    const std::size_t last = before.rfind('\n');
    const std::size_t column = last == std::string_view::npos ? before.size() + 1 : before.size() - last;
    return {static_cast<std::int32_t>(line_ - breaks), static_cast<std::int32_t>(column)};
  }
  count_lines(at);
  return {line_, static_cast<std::int32_t>(column_ + 1)};
}

}  // namespace berth::text
