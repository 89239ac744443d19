// The ledger: what every queue may use and uses, per resource, exact. One charge counts once in each queue of its path
// to the root. The sum of all charges equals what runs: placements and their undoing are the only changes
// (gang/workloads.h).
//
// For a queue n and a resource:
//   own(n)      what was charged to n itself
//   used(n)     own(n) + the sum of used(c) over its children
//   quota(n)    guarantee(n) where it names the resource, else the sum of quota(c); for a queue that adds to its
//   children
//               (a Kueue Cohort) the sum of both
//   withheld(n) max(0, quota(n) - kept below - lending_limit): what nobody else may touch, beside what is kept below
//   drawn(n)    own(n) + the sum of max(0, drawn(c) - withheld(c)): what is used of the part that others see
//   headroom(n) min( shared(n), cap - used of n and of all above it )
//   shared(n)   min( max(0, cap - kept below - drawn), max(0, withheld - drawn) + min( shared(parent),
//                        quota - kept below - withheld - max(0, drawn - withheld) + borrowing_limit ) )
//   shared(root): unlimited, since placement decides; where queues withhold something, what the hardware has beyond
//               it minus drawn(root), and not less than 0. Kept below n: the sum of withheld over all below it
//
//   A queue that counts aside (a namespace's ResourceQuota) is the end of its path: what is charged to it is charged to
//   the hardware by another queue of the workload, or by its having none.
//
//   potential(n) the same with nothing used
// With cohorts as queues that add to their children these are Kueue's rules (pkg/cache/scheduler/resource_node.go,
// behaviour, not code); `used`, `cap` and the hardware root are Volcano's capacity and KAI's limit.
//
// Charging is O(depth); changes of quotas recompute everything when the next sum is asked for, O(queues x resources).
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "engine/amount.h"
#include "engine/quota/queue_tree.h"

namespace berth::engine {

// What keeps charges out of a queue.
struct QuotaBlock {
  enum class Limit : std::uint8_t {
    kNone,
    kNotNamed,   // the queue takes only resources that its quotas name
    kCap,        // `queue` would be above its cap
    kBorrowing,  // `queue` would borrow more than it may; with a limit of 0, be above its guarantee
    kFairShare,  // `queue` would have more than its fair share (FairnessPolicy::kProportion)
    kWithheld,   // the rest of the hardware is kept for queues that lend less than they have
    kToCome,     // the rest of the hardware is kept for pods that running workloads have not made yet
  };
  Limit limit = Limit::kNone;
  QueueId queue;  // whose limit it is: the one asked or an ancestor
  ResourceId resource;
  Amount needed = 0;
  Amount headroom = 0;   // what it could have now
  Amount potential = 0;  // what it could have if nothing were used
  [[nodiscard]] bool never() const { return needed > potential; }
};

class Ledger {
 public:
  static constexpr Amount kUnlimited = std::numeric_limits<Amount>::max();

  explicit Ledger(const QueueTree& tree) : tree_(tree) {}

  // The tree or a quota changed: all sums are made again from what was charged, once somebody asks.
  void rules_changed() {
    stale_ = true;
    ++loosened_;
  }
  // Adds to, or takes from, what the hardware has in sum; for the root. That is what pods hold or could be given: nodes
  // that take nobody count with what is on them.
  void add_hardware(ResourceId resource, Amount change);

  // Somebody may ask for, or be charged, this resource: it has its place in all tables by resource.
  void know(ResourceId resource) { (void)cell(QueueTree::kRoot, resource); }

  // `sign` 1 charges, -1 gives back.
  void charge(QueueId queue, ResourceId resource, Amount amount);
  void charge(QueueId queue, std::span<const ResourceAmount> amounts, int sign);

  [[nodiscard]] Amount own(QueueId queue, ResourceId resource) const { return at(queue, resource).own; }
  [[nodiscard]] Amount used(QueueId queue, ResourceId resource) const { return at(queue, resource).used; }
  [[nodiscard]] Amount quota(QueueId queue, ResourceId resource) const { return at(queue, resource).quota; }
  [[nodiscard]] Amount withheld(QueueId queue, ResourceId resource) const { return at(queue, resource).withheld; }
  [[nodiscard]] Amount withheld_below(QueueId queue, ResourceId resource) const {
    return at(queue, resource).withheld_below;
  }
  [[nodiscard]] Amount hardware(ResourceId resource) const { return at(QueueTree::kRoot, resource).hardware; }
  // Does the queue have a guarantee of it, of nothing too? A cap alone is none.
  [[nodiscard]] bool names(QueueId queue, ResourceId resource) const { return at(queue, resource).named; }
  [[nodiscard]] Amount headroom(QueueId queue, ResourceId resource) const {
    return room(queue, resource, false).amount;
  }
  [[nodiscard]] Amount potential(QueueId queue, ResourceId resource) const {
    return room(queue, resource, true).amount;
  }
  [[nodiscard]] std::size_t resource_count() const {
    if (stale_) rebuild();
    return resources_;
  }

  // What keeps these amounts out of the queue now, or nothing. Of several blocks the first that can never go away, else
  // the first.
  [[nodiscard]] std::optional<QuotaBlock> block(QueueId queue, std::span<const ResourceAmount> amounts) const;

  // Moves on whenever some queue may have more headroom than before.
  [[nodiscard]] std::uint64_t loosened() const { return loosened_; }
  void restore_loosened(std::uint64_t value) { loosened_ = value; }

 private:
  struct Cell {
    Amount own = 0;
    Amount used = 0;
    Amount drawn = 0;
    Amount quota = 0;
    Amount withheld = 0;
    Amount withheld_below = 0;  // by all below it
    Amount cap = kUnlimited;
    Amount borrowing = kUnlimited;
    Amount hardware = 0;  // root only
    bool named = false;
  };
  struct Room {
    Amount amount = kUnlimited;
    QuotaBlock::Limit limit = QuotaBlock::Limit::kNone;
    QueueId queue;
  };
  [[nodiscard]] const Cell& at(QueueId queue, ResourceId resource) const {
    static constexpr Cell kEmpty{};
    if (stale_) rebuild();
    const std::size_t place = queue.index() * stride_ + resource.index();
    return resource.index() < stride_ && place < cells_.size() ? cells_[place] : kEmpty;
  }
  void rebuild() const;
  Cell& cell(QueueId queue, ResourceId resource) const;
  void widen(ResourceId resource) const;
  [[nodiscard]] Room room(QueueId queue, ResourceId resource, bool emptied) const;
  // The same, where what is kept for a queue comes on top of the caps above it.
  [[nodiscard]] Room shared_room(QueueId queue, ResourceId resource, bool emptied) const;

  const QueueTree& tree_;
  mutable std::vector<Cell> cells_;  // [queue][resource], stride_ wide; while stale only `own` and `hardware` count
  mutable std::size_t stride_ = 4;
  mutable std::size_t resources_ = 4;  // known so far; the stride goes ahead of them
  mutable bool stale_ = false;
  std::uint64_t loosened_ = 0;
};

}  // namespace berth::engine
