// The table of workloads: trees of groups with their members, and what each holds. It keeps the ledger: a member that
// takes or leaves a place is charged or given back here, also when a transaction is rolled back.
//
// A workload that pods name before it is told has a slot already; its pods wait. Slots of workloads that are gone and
// that no pod names are used again.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

#include "engine/input.h"
#include "engine/names.h"
#include "engine/quota/ledger.h"
#include "engine/quota/queue_tree.h"

namespace berth::engine {

inline constexpr std::uint32_t kNoGroup = std::numeric_limits<std::uint32_t>::max();

struct Group {
  std::vector<std::uint32_t> children;  // positions; none: a leaf
  std::int32_t placed = 0;              // pods below it that hold a place
  std::int32_t succeeded = 0;           // pods below it that ended well
  std::vector<PodId> members;           // leaf: in no order that a decision may depend on
  [[nodiscard]] bool is_leaf() const { return children.empty(); }
};

struct Workload {
  WorkloadInput input;
  bool known = false;
  std::uint64_t tie = 0;
  std::vector<Group> groups;    // as input.groups
  std::vector<QueueId> queues;  // as input.queues
  std::vector<QueueId> counted_in;
  // As input.minimum_amounts: what its pods hold of these resources, and what is charged above for pods to come.
  std::vector<Amount> held;
  std::vector<Amount> kept;
  std::vector<PodId> strays;  // members that name a group which is not there, or wait for the workload
  [[nodiscard]] std::int32_t placed() const { return groups.empty() ? 0 : groups.front().placed; }
  [[nodiscard]] QueueId queue() const { return queues.empty() ? QueueTree::kRoot : queues.front(); }
};

class Workloads {
 public:
  explicit Workloads(const Names& names, std::uint64_t seed);

  // --- Events.
  // The caller moves the members between groups with what it gets back: every member, to join() again.
  [[nodiscard]] std::vector<PodId> set(const WorkloadInput& input);
  [[nodiscard]] std::vector<PodId> forget(NameId name);
  WorkloadId intern(NameId name);
  bool set_queue(const QueueInput& input);
  bool remove_queue(NameId name);

  // Adds a member and gives its leaf, or kNoGroup. `group` none: the first leaf.
  std::uint32_t join(WorkloadId id, NameId group, PodId pod);
  void leave(WorkloadId id, std::uint32_t group, PodId pod);
  // A member takes (sign 1) or leaves (-1) a place.
  void placed(WorkloadId id, std::uint32_t group, std::span<const ResourceAmount> charge, int sign);
  // Those that are charged for pods to come (to_come.h).
  [[nodiscard]] const std::vector<WorkloadId>& keepers() const { return keepers_; }
  // A pod without workload or queue: on the root's own account.
  void placed_unowned(std::span<const ResourceAmount> charge, int sign) {
    ledger_.charge(QueueTree::kRoot, charge, sign);
  }

  // --- Looking.
  [[nodiscard]] std::size_t size() const { return workloads_.size(); }
  [[nodiscard]] const Workload& operator[](WorkloadId id) const { return workloads_[id.index()]; }
  [[nodiscard]] WorkloadId find(NameId name) const;
  [[nodiscard]] const QueueTree& queues() const { return queues_; }
  [[nodiscard]] const Ledger& ledger() const { return ledger_; }
  [[nodiscard]] Ledger& ledger() { return ledger_; }
  // Workloads whose input or members changed since the last call; each may be named more than once.
  [[nodiscard]] std::vector<WorkloadId> take_changed() { return std::exchange(changed_, {}); }
  void touch(WorkloadId id) { changed_.push_back(id); }

 private:
  void charge(const Workload& workload, std::span<const ResourceAmount> amounts, int sign);

  const Names& names_;
  std::uint64_t seed_;
  QueueTree queues_;
  Ledger ledger_{queues_};
  std::vector<Workload> workloads_;
  std::vector<WorkloadId> free_;
  boost::unordered_flat_map<NameId, WorkloadId> ids_;
  std::vector<WorkloadId> changed_;
  std::vector<WorkloadId> keepers_;  // ascending
};

// What a tree holds and lacks, given how many pods hold a place or are done per group.
// Is the root satisfied with what holds a place now and `extra` more pods per group (leaves; empty: none)?
[[nodiscard]] bool is_satisfied(const Workload& workload, std::span<const std::int32_t> extra = {});
// The same of one group.
[[nodiscard]] bool is_group_satisfied(const Workload& workload, std::uint32_t group,
                                      std::span<const std::int32_t> extra = {});
// Is it the group `above`, or somewhere below that?
[[nodiscard]] bool is_group_below(const Workload& workload, std::uint32_t group, std::uint32_t above);
// It holds places and is not satisfied, or a group of it that it can do without does and is not: it lost members.
[[nodiscard]] bool is_damaged(const Workload& workload);
// The first group, parents first, that `extra` leaves unsatisfied with all its children satisfied or too few; the root
// if all are satisfied.
[[nodiscard]] std::uint32_t first_unsatisfied(const Workload& workload, std::span<const std::int32_t> extra);

}  // namespace berth::engine
