// EvictionBounds: what a preemptor can hope for on a node at best, kept from one preemptor to the next.
//
// Thousands of preemptors look at every node each, and few nodes change between two of them. Kept is how many victims
// it takes at least, for the shape that asked last, and who would be lost then: those of the lowest priority, the
// youngest first. Nodes with members of workloads are looked at anew each time, since what a workload can lose and its
// priority may change without a change of the node.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "engine/fit/question.h"
#include "engine/ids.h"

namespace berth::engine {

class World;

class EvictionBounds {
 public:
  struct Bound {
    std::size_t victims = 0;
    std::int64_t lowest_priority = 0;  // no victim has less
    Time earliest_start = 0;           // of the victims, if all are of the lowest priority; else later than any
  };

  // Of plans for the question, which is about the shape, on the node; none: no victims help. O(1) where the node is as
  // it was.
  [[nodiscard]] std::optional<Bound> of(const Question& question, ShapeId shape, NodeId node);

  // Ids of shapes are about to mean others.
  void forget() { entries_.clear(); }

 private:
  struct Entry {
    std::uint64_t change = 0;  // ChangeLog::last_change(), by which this is
    bool known = false;
    ShapeId shape;  // of whom `victims` speaks
    std::optional<std::size_t> victims;
    std::int64_t lowest_priority = 0;
    std::vector<Time> starts;  // of the pods of that priority, the latest first
  };
  static void look(const World& world, NodeId node, Entry& entry);

  std::vector<Entry> entries_;  // by node
};

}  // namespace berth::engine
