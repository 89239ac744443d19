// WorkloadQueue: the workloads that want something, queue by queue in the order of their policies, and who is next over
// the whole tree.
//
// Turns: a workload that lost members and is no longer whole (kDamaged) comes before newcomers of equal priority,
// wherever they queue; then who starts; then whole ones that grow. Between queues the parent's fairness policy decides;
// where it does not, the heads' priority, turn and age.
//
// The lines are kept sorted from step to step, so that a step costs what changed and not who waits.
//
// A workload that failed is parked and keeps its place: a strict queue stays blocked by it, and the first of a queue
// may hold room (cycle/reservations.h). It is tried again when what blocked it may have changed: room or quota was
// given back, nodes, queues or members changed.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "base/tournament.h"
#include "engine/quota/borrowing.h"
#include "engine/quota/fairness.h"
#include "engine/world/world.h"

namespace berth::engine {

enum class Turn : std::uint8_t { kDamaged, kStart, kGrow, kNone };

// What the workload wants now.
[[nodiscard]] Turn turn_of(const World& world, const Workload& workload);

class WorkloadQueue {
 public:
  WorkloadQueue(const World& world, const Fairness& fairness) : world_(world), fairness_(fairness) {}

  // These changed: what they want is found out again, and they are no longer parked.
  // `between_passes`: many are then sorted in at once.
  void update(const std::vector<WorkloadId>& changed, bool between_passes = false);
  [[nodiscard]] bool empty() const { return active_.empty(); }

  // Everybody in order. Needs fairness prepared. O(queues + those with work x depth x log(children)).
  void begin_pass();
  // The next of those left in the pass; none: the pass is over. O(depth x log(children)) for each queue that changed.
  [[nodiscard]] std::optional<WorkloadId> head();
  // The head had its turn.
  void pop(WorkloadId id);
  // The rest of the queue is not tried in this pass.
  void block(QueueId queue);
  // It wants more and comes into the pass again where it belongs.
  void push(WorkloadId id);

  void park(WorkloadId id);
  // Nothing that could help happened since it was parked.
  [[nodiscard]] bool is_parked(WorkloadId id) const;

  [[nodiscard]] Turn turn(WorkloadId id) const { return entries_[id.index()].turn; }
  // Does priority come before age in this queue?
  [[nodiscard]] bool by_priority(QueueId queue) const;
  // Would the workload have its turn before a bare pod?
  [[nodiscard]] bool before(WorkloadId id, PodId pod) const;
  // For reports: its place among all of its queue that want something, from 1 (0: it wants nothing), and how many they
  // are. O(log(those waiting) + damaged ones).
  struct Standing {
    std::size_t position = 0;
    std::size_t length = 0;
  };
  [[nodiscard]] Standing standing(WorkloadId id) const;

 private:
  struct Stamp {
    std::uint64_t loosened = 0;
    std::uint64_t ledger = 0;
    std::uint64_t fairness = 0;
    std::uint64_t rules = 0;
    std::uint64_t layout = 0;
    std::uint64_t news = 0;
    std::uint64_t borrowed = 0;
    bool operator==(const Stamp&) const = default;
  };
  // What decides the place in a line; kept as it was when the workload was put there.
  struct Key {
    std::int32_t priority = 0;
    Turn turn = Turn::kNone;
    Time deadline = 0;  // none: the last there is
    Share share;        // of what it holds, where the queue shares growth
    Time created = 0;
    std::uint64_t tie = 0;
    NameId name;
  };
  struct Waiting {
    Key key;
    WorkloadId id;
  };
  // Those of one queue, or the damaged ones of all, the next one last. In a pass the first `left` are still to come;
  // who wants more than it got comes again from `again`.
  struct Line {
    std::vector<Waiting> all;
    std::size_t left = 0;
    std::vector<Waiting> again;
  };
  struct Entry {
    Turn turn = Turn::kNone;
    bool parked = false;
    bool has_rules_among_pods = false;
    bool takes_back = false;  // may evict from queues that use more than their guarantee
    Stamp stamp;
    std::size_t place = 0;  // in active_
    std::size_t line = 0;   // in lines_, if it wants something
    Key key;                // as in that line
  };
  [[nodiscard]] Stamp now() const;
  [[nodiscard]] Key key_of(const Workload& workload, Turn turn) const;
  // The dominant share of the hardware that it holds.
  [[nodiscard]] Share share_of(const Workload& workload) const;
  // Shares are of the hardware: does it have another size than when the lines were sorted?
  bool hardware_changed();
  [[nodiscard]] bool takes_back(WorkloadId id) const;
  void set_turn(WorkloadId id, Turn turn, bool in_line = true);
  [[nodiscard]] bool comes_before(const Key& a, const Key& b, bool by_priority) const;
  [[nodiscard]] bool comes_before(WorkloadId a, WorkloadId b, bool by_priority) const;
  [[nodiscard]] bool line_by_priority(std::size_t line) const;
  void put_in_line(WorkloadId id);
  void take_from_line(WorkloadId id);
  void sort_again();
  [[nodiscard]] std::vector<Waiting>::iterator place_of(std::vector<Waiting>& waiting, const Key& key,
                                                        bool by_priority) const;
  // The next of a line.
  [[nodiscard]] std::optional<WorkloadId> next(const Line& line, bool by_priority) const;
  // Who is next at or below a queue, of its own line and the winner among its children.
  [[nodiscard]] std::optional<WorkloadId> next_at(QueueId queue) const;
  // Plays the matches of the queue, and of those above it, again.
  void settle(QueueId queue);
  // In a pass: the queue's line or its share is another.
  void touch(QueueId queue);
  void touch_shares(WorkloadId id);

  const World& world_;
  const Fairness& fairness_;
  std::vector<Entry> entries_;      // by workload
  std::vector<WorkloadId> active_;  // those that want something, in no order
  std::vector<Line> lines_;         // the damaged ones, then by queue
  std::uint64_t rules_ = 0;         // with which they were sorted
  std::vector<Amount> hardware_;    // with which they were sorted, by resource
  Borrowing borrowing_;             // as of the begin of the pass
  // In the pass, by queue.
  struct Standings {
    std::optional<WorkloadId> first;  // at or below it, once all that is touched is settled
    std::size_t place = 0;            // among the children of its parent
    Tournament children{0};           // which of them is next
    bool touched = false;
  };
  std::vector<Standings> standings_;
  std::vector<QueueId> touched_;
};

}  // namespace berth::engine
