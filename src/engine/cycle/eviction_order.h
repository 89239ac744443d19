// EvictionOrder: all units of loss, cheapest first (surplus, then lower priority, less work lost, younger), and which
// workloads the guarantee of their queue covers. Kept from one reclaim to the next by the world's log of nodes, so that
// many of them in one step cost little each; what is lost depends on the time, so a new time makes it anew.
//
// Covered: in the order of its queue, what the workload and those before it that hold places need to be whole is no
// more than the queue's guarantee; what is above that comes after what all of the queue need. Nobody takes back what
// the guarantee covers. Without this a queue that loses a large workload falls below its guarantee, takes that back
// from the next queue, and so on without end.
#pragma once

#include <algorithm>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <tuple>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

#include "engine/cycle/eviction_units.h"

namespace berth::engine {

class EvictionOrder {
 public:
  explicit EvictionOrder(const World& world) : world_(world) {}

  // What was told of the workload changed.
  void touch(WorkloadId id);
  // No workload that was ever told has a lower priority.
  [[nodiscard]] std::int32_t lowest_priority() const { return lowest_priority_; }
  // Follows the world. O(pods on the nodes that changed), or O(pods log pods) at a new time. The world must be fresh.
  void refresh(Time now);

  // Tells the units that may go for the workload, cheapest first, until `visit` returns true. The world may change
  // meanwhile; the units are those of the last refresh().
  void for_each(WorkloadId preemptor, const std::function<bool(const EvictionUnit&)>& visit) const;
  // Those of one workload, cheapest first.
  [[nodiscard]] std::vector<const EvictionUnit*> of(WorkloadId id) const;
  // Does its queue's guarantee cover the unit in every one of these resources that it holds? As of the last refresh().
  // False if it holds none of them.
  [[nodiscard]] bool is_covered(const EvictionUnit& unit, const std::vector<ResourceAmount>& resources);

 private:
  // A unit with what decides its place among those of equal bucket.
  struct Ranked {
    EvictionUnit unit;
    std::int32_t pod_priority = 0;  // of its first pod, and so on
    Time created = 0;
    std::uint64_t tie = 0;
    NameId name;
  };
  struct Cheaper {
    const World* world;
    bool operator()(const Ranked& a, const Ranked& b) const;
  };
  using Bucket = std::set<Ranked, Cheaper>;
  using BucketKey = std::tuple<bool, std::int32_t, QueueId>;  // whole, priority, queue
  struct Listed {
    BucketKey bucket;
    Bucket::const_iterator place;
  };

  // A workload that holds places, in the order of its queue.
  struct Turn {
    std::int32_t priority = 0;
    Time created = 0;
    std::uint64_t tie = 0;
    NameId name;
  };
  struct Holder {
    Turn turn;
    // Ascending: what it needs to be whole, with what it keeps for pods to come, and what it holds above that.
    std::vector<ResourceAmount> needed;
    std::vector<ResourceAmount> surplus;
    QueueId queue;
  };
  // Who is the first in a queue to be above the guarantee of one resource.
  struct Boundary {
    ResourceId resource;
    std::size_t position = 0;  // in the queue's line
    Amount before = 0;         // what is held before it
  };
  struct Line {
    std::vector<const Holder*> holders;               // in order
    std::optional<std::vector<Boundary>> of_needed;   // with what each needs to be whole
    std::optional<std::vector<Boundary>> of_surplus;  // with what each holds above that, after what all need
    // Somebody came to, or left, this position.
    void changed_at(std::size_t position);
  };

  struct Owner {
    WorkloadId workload;
    PodId pod;  // bare
    auto operator<=>(const Owner&) const = default;
  };
  struct Entry {
    std::vector<Listed> units;
    std::vector<NodeId> nodes;
    std::unique_ptr<Holder> holder;
  };

  void rebuild();
  void drop(Owner owner);
  void add(Owner owner);
  void add_to_line(Entry& entry, const Workload& workload);
  [[nodiscard]] bool before(const Turn& a, const Turn& b) const;
  [[nodiscard]] std::size_t position_of(const Line& line, const Holder& holder) const;
  [[nodiscard]] const std::vector<Boundary>& boundaries(QueueId queue, Line& line, bool surplus) const;

  const World& world_;
  Time now_ = 0;
  bool built_ = false;
  std::uint64_t layout_ = 0;
  std::uint64_t rules_ = 0;
  std::uint64_t cursor_ = 0;
  std::vector<WorkloadId> touched_;
  std::int32_t lowest_priority_ = std::numeric_limits<std::int32_t>::max();
  std::map<BucketKey, Bucket> buckets_;
  std::map<Owner, Entry> entries_;
  std::vector<std::vector<Owner>> on_node_;  // by slot
  std::vector<Line> lines_;                  // by queue
};

}  // namespace berth::engine
