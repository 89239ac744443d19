// ChangeLog: which nodes changed, in order, and where room came back.
//
// Whoever keeps something about nodes remembers how far it has read and catches up when it is asked. There are two
// logs. The first has every change of a node. The second has what may help pods that did not fit: a node where room was
// given back, or that changed itself; what a rollback takes back is taken out of it again. Old entries are dropped, so
// readers that are too far behind start anew.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/ids.h"

namespace berth::engine {

class ChangeLog {
 public:
  // A node changed: what is on it, or (replaced) what it is: labels, taints, sizes. O(1), amortised.
  void change(NodeId node);
  void replace(NodeId node);

  // Changes with numbers in [begin(), end()) can be read.
  [[nodiscard]] std::uint64_t begin() const { return base_; }
  [[nodiscard]] std::uint64_t end() const { return base_ + changes_.size(); }
  [[nodiscard]] NodeId at(std::uint64_t number) const { return changes_[number - base_]; }
  // False for a change that a later one of the same node makes superfluous.
  [[nodiscard]] bool is_latest(std::uint64_t number) const { return last_change(at(number)) == number; }
  // The number of the latest change of a node, of any kind or of what it is: as long as it is the same, so is the node.
  [[nodiscard]] std::uint64_t last_change(NodeId node) const { return last_change_[node.index()]; }
  [[nodiscard]] std::uint64_t last_replacement(NodeId node) const { return last_replacement_[node.index()]; }

  void loosen(NodeId node);
  // Of the numbers in [loosened_begin(), loosened()) the node is known.
  [[nodiscard]] std::uint64_t loosened() const { return loosened_base_ + loosened_.size(); }
  [[nodiscard]] std::uint64_t loosened_begin() const { return loosened_base_; }
  [[nodiscard]] NodeId loosened_at(std::uint64_t number) const { return loosened_[number - loosened_base_]; }
  // As if nothing had been loosened since loosened() was this number.
  void restore_loosened(std::uint64_t number);

 private:
  std::vector<NodeId> changes_;
  std::uint64_t base_ = 0;
  std::vector<std::uint64_t> last_change_;       // by NodeId
  std::vector<std::uint64_t> last_replacement_;  // by NodeId
  std::vector<NodeId> loosened_;
  std::uint64_t loosened_base_ = 0;
};

}  // namespace berth::engine
