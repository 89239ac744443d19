// Node states: equal contents of nodes as placement policies see them, numbered. A policy's answer depends on the shape
// and this number alone, so it is asked once per pair.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/world/sequence_interner.h"
#include "engine/world/world.h"

namespace berth::engine {

class NodeStates {
 public:
  // `with_kinds`: the numbers of pods by kind are part of the state.
  NodeStates(const World& world, bool with_kinds) : world_(world), with_kinds_(with_kinds) {}

  // The number of the node's present state. O(1) while the node does not change, O(cards) otherwise.
  [[nodiscard]] std::uint32_t state(NodeId node);

  // Moves on when the numbers start anew, which happens when there are too many to keep.
  [[nodiscard]] std::uint64_t generation() const { return generation_; }

 private:
  struct Seen {
    std::uint64_t layout = 0;
    std::uint64_t change = 0;
    std::uint64_t generation = 0;
    std::uint32_t state = 0;
  };
  void describe(NodeId node);

  const World& world_;
  bool with_kinds_;
  std::uint64_t generation_ = 1;
  std::vector<Seen> seen_;         // by node slot
  std::vector<std::int64_t> key_;  // scratch: the content of one node
  SequenceInterner states_;
};

}  // namespace berth::engine
