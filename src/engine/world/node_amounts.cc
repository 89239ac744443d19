#include "engine/world/node_amounts.h"

namespace berth::engine {

Amount NodeAmounts::of_list(NodeId node, ResourceId resource) const {
  if (node.index() >= lists_.size()) return 0;
  const List& list = lists_[node.index()];
  const auto found = std::ranges::lower_bound(list, resource, {}, &ResourceAmount::resource);
  return found == list.end() || found->resource != resource ? 0 : found->amount;
}

Amount& NodeAmounts::make(NodeId node, ResourceId resource) {
  if (resource.index() < kMostDense) {
    widen(resource);
    return columns_[node.index() * stride_ + resource.index()];
  }
  if (lists_.size() <= node.index()) lists_.resize(nodes_);
  List& list = lists_[node.index()];
  auto place = std::ranges::lower_bound(list, resource, {}, &ResourceAmount::resource);
  if (place == list.end() || place->resource != resource) place = list.insert(place, {resource, 0});
  return place->amount;
}

// Happens a few times in a world's life. Resources come one by one, so it goes ahead of them.
void NodeAmounts::widen(ResourceId resource) {
  if (resource.index() < stride_) return;
  constexpr std::size_t kMany = 16;
  const std::size_t ahead = stride_ < kMany ? 4 : stride_ + stride_ / 2;
  const std::size_t stride = std::min(std::max(resource.index() + 1, ahead), kMostDense);
  std::vector<Amount> wider(nodes_ * stride, 0);
  for (std::size_t node = 0; node < nodes_; ++node)
    std::copy_n(columns_.begin() + static_cast<std::ptrdiff_t>(node * stride_), stride_,
                wider.begin() + static_cast<std::ptrdiff_t>(node * stride));
  columns_ = std::move(wider);
  stride_ = stride;
}

}  // namespace berth::engine
