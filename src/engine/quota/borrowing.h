// Borrowing: did a queue come to use more than its quota, or more beyond it, since the last look? Then others may evict
// from it what they could not before (cycle/eviction_units.h), and whoever waits for that is tried again.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/quota/ledger.h"

namespace berth::engine {

class Borrowing {
 public:
  // O(queues x resources).
  void look(const QueueTree& tree, const Ledger& ledger);
  // Moves on when a look found more borrowed.
  [[nodiscard]] std::uint64_t changes() const { return changes_; }

 private:
  std::vector<Amount> beyond_;  // [queue][resource]: what is used beyond the quota; 1 where there is none
  std::uint64_t changes_ = 0;
};

}  // namespace berth::engine
