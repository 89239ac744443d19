#include "text/arena.h"

#include <algorithm>
#include <utility>

namespace berth::text {

void Arena::grow(std::size_t bytes) {
  const std::size_t doubled = blocks_.empty() ? kFirstBlock : std::min(blocks_.back().size * 2, kLargestStep);
  const std::size_t size = std::max(bytes, doubled);
  blocks_.push_back({std::unique_ptr<std::byte[]>(new std::byte[size]), size});
  next_ = blocks_.back().memory.get();
  left_ = size;
}

void Arena::reset() {
  if (blocks_.empty()) return;
  const auto largest =
      std::max_element(blocks_.begin(), blocks_.end(), [](const Block& a, const Block& b) { return a.size < b.size; });
  std::swap(*largest, blocks_.front());
  blocks_.resize(1);
  next_ = blocks_.front().memory.get();
  left_ = blocks_.front().size;
}

}  // namespace berth::text
