#include "engine/world/sequence_interner.h"

#include <algorithm>
#include <limits>

#include "engine/world/content_hash.h"

namespace berth::engine {
namespace {

constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

}  // namespace

std::uint32_t SequenceInterner::intern(std::span<const std::int64_t> sequence) {
  ContentHash hash;
  for (const std::int64_t value : sequence) hash.add(value);
  const auto [entry, added] = first_of_hash_.try_emplace(hash.value(), kNone);
  for (std::uint32_t id = entry->second; id != kNone; id = sequences_[id].next) {
    const Sequence& known = sequences_[id];
    if (known.size == sequence.size() &&
        std::equal(sequence.begin(), sequence.end(), contents_.begin() + static_cast<std::ptrdiff_t>(known.begin))) {
      return id;
    }
  }
  const auto id = static_cast<std::uint32_t>(sequences_.size());
  sequences_.push_back({contents_.size(), sequence.size(), entry->second});
  contents_.insert(contents_.end(), sequence.begin(), sequence.end());
  entry->second = id;
  return id;
}

void SequenceInterner::clear() {
  contents_.clear();
  sequences_.clear();
  first_of_hash_.clear();
}

}  // namespace berth::engine
