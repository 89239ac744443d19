// NodeAmounts: an amount per node and resource, nearly all of the few resources that all nodes share.
//
// Resources have their numbers in the order in which they are met. The first kMostDense are columns of a matrix, with
// one multiplication to a cell; clusters have some twenty. What comes later is in a short list per node, as where each
// of thousands of nodes has a resource of its own name: a matrix would grow with the square of them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "engine/amount.h"
#include "engine/ids.h"

namespace berth::engine {

class NodeAmounts {
 public:
  static constexpr std::size_t kMostDense = 64;

  // Nodes that are new have nothing.
  void resize(std::size_t nodes) {
    nodes_ = nodes;
    columns_.resize(nodes * stride_, 0);
  }

  [[nodiscard]] Amount at(NodeId node, ResourceId resource) const {
    if (resource.index() < stride_) return columns_[node.index() * stride_ + resource.index()];
    return resource.index() < kMostDense ? 0 : of_list(node, resource);
  }
  void add(NodeId node, ResourceId resource, Amount change) {
    if (resource.index() < stride_) {
      columns_[node.index() * stride_ + resource.index()] += change;
    } else {
      make(node, resource) += change;
    }
  }
  void set(NodeId node, ResourceId resource, Amount amount) { add(node, resource, amount - at(node, resource)); }
  void clear(NodeId node) {
    std::fill_n(columns_.begin() + static_cast<std::ptrdiff_t>(node.index() * stride_), stride_, 0);
    if (node.index() < lists_.size()) lists_[node.index()].clear();
  }

  // Calls visit with each resource, ascending, of which the node has not 0.
  template <class Visit>
  void for_each(NodeId node, Visit visit) const {
    for (std::size_t i = 0; i < stride_; ++i)
      if (const Amount amount = columns_[node.index() * stride_ + i]; amount != 0) visit(ResourceId{i}, amount);
    if (node.index() >= lists_.size()) return;
    for (const ResourceAmount& each : lists_[node.index()])
      if (each.amount != 0) visit(each.resource, each.amount);
  }

 private:
  // Those of a node are few, so that the place of a new one costs little.
  using List = std::vector<ResourceAmount>;  // ascending

  [[nodiscard]] Amount of_list(NodeId node, ResourceId resource) const;
  Amount& make(NodeId node, ResourceId resource);
  void widen(ResourceId resource);

  std::size_t nodes_ = 0;
  std::size_t stride_ = 0;
  std::vector<Amount> columns_;  // [node][resource], stride_ wide
  std::vector<List> lists_;      // by node; empty until there is one
};

}  // namespace berth::engine
