// Queue: the pods that want a node, in the order in which they are tried: higher priority first, then older, then by
// the tie order of their names.
//
// A pod that fits nowhere is parked with its shape and tried again only when something happened that may help: room was
// given back, or nodes, namespaces or budgets changed. A shape with rules among pods (spread, affinity) is woken by
// every placement as well, since a placement elsewhere can satisfy an affinity or raise the smallest count of a spread.
// Waking too often costs time, waking too late is wrong, so the conditions err to the first side.
#pragma once

#include <cstdint>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

#include "engine/world/world.h"

namespace berth::engine {

class Queue {
 public:
  explicit Queue(const World& world) : world_(world) {}

  // A pod that wants a node. Adding one twice does no harm.
  void add(PodId pod);

  // The pods to try now, in order: those added since and those woken. Pods that no longer want a node are dropped.
  [[nodiscard]] std::vector<PodId> take();

  // Within a pass that stands at `position` of `pods`: parked pods that what was just decided may help come into the
  // rest of the pass where they belong, as if they had been tried with all others; those whose turn is over wait for
  // the next.
  void merge_woken(std::vector<PodId>& pods, std::size_t position);

  // The order of the queue.
  [[nodiscard]] bool before(PodId a, PodId b) const;

  // Nothing fitted this pod in the present state of the world.
  void park(PodId pod);

  // A pod of this shape failed, and nothing happened since that could help: the next one fails as well.
  [[nodiscard]] bool is_hopeless(ShapeId shape) const;

 private:
  struct Parked {
    std::vector<PodId> pods;  // may hold stale ids
    std::uint64_t loosened = 0;
    std::uint64_t placements = 0;
  };
  [[nodiscard]] bool may_fit_now(ShapeId shape, const Parked& parked) const;
  // The parked pods whose blocker may have changed, no longer parked; in order.
  [[nodiscard]] std::vector<PodId> wake();
  [[nodiscard]] bool may_wake() const;
  void put_in_order(std::vector<PodId>& pods) const;

  const World& world_;
  std::vector<PodId> added_;
  boost::unordered_flat_map<ShapeId, Parked> parked_;
  std::size_t helped_by_placements_ = 0;  // parked pods that a placement elsewhere can help, stale ids included
  std::uint64_t loosened_seen_ = 0;       // by the last wake()
  std::uint64_t placements_seen_ = 0;
};

// Do rules among pods reach this shape? Then placements elsewhere can make it fit.
[[nodiscard]] bool placements_can_help(const ShapeInput& shape);

}  // namespace berth::engine
