#include "engine/world/change_log.h"

#include <algorithm>

namespace berth::engine {

void ChangeLog::change(NodeId node) {
  if (node.index() >= last_change_.size()) {
    last_change_.resize(node.index() + 1, 0);
    last_replacement_.resize(node.index() + 1, 0);
  }
  // Readers that are further behind than this are faster made anew.
  constexpr std::size_t kKeep = std::size_t{1} << 16U;
  const std::size_t limit = std::max(4 * last_change_.size(), 2 * kKeep);
  if (changes_.size() >= limit) {
    const std::size_t drop = changes_.size() / 2;
    changes_.erase(changes_.begin(), changes_.begin() + static_cast<std::ptrdiff_t>(drop));
    base_ += drop;
  }
  last_change_[node.index()] = end();
  changes_.push_back(node);
}

void ChangeLog::replace(NodeId node) {
  change(node);
  last_replacement_[node.index()] = last_change_[node.index()];
}

void ChangeLog::loosen(NodeId node) {
  // Who did not look for so long has to assume the best.
  constexpr std::size_t kKeep = std::size_t{1} << 12U;
  if (loosened_.size() >= 2 * kKeep) {
    loosened_.erase(loosened_.begin(), loosened_.begin() + kKeep);
    loosened_base_ += kKeep;
  }
  loosened_.push_back(node);
}

void ChangeLog::restore_loosened(std::uint64_t number) {
  if (number >= loosened_base_) {
    loosened_.resize(number - loosened_base_);
  } else {
    loosened_.clear();
    loosened_base_ = number;
  }
}

}  // namespace berth::engine
