// Queue: the pods that want a node, in the order in which they are tried: higher priority first, then older, then by
// the tie order of their names.
//
// A pod that fits nowhere is parked with those of its shape and tried again only when something happened that may help:
// a node on which room was given back, or that changed, may take it now (may_help()), its rules among pods saw a change
// (Topology::news()), or a queue came to use more than its guarantee, so that a pod of higher priority may evict from
// it (Borrowing). Pods of one shape are alike but for a node that was promised to one and for declared run
// times, which decide what reserved room they may use. Of those that are alike only the first in order is taken out,
// and the next when that one found a node. Waking too often costs time, waking too late is wrong,
// so the conditions err to the first side.
//
// Cost: a pass is O(n log n) in the pods that take part; waking looks at parked shapes, not at pods.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include <boost/container_hash/hash.hpp>
#include <boost/unordered/unordered_flat_map.hpp>

#include "engine/quota/borrowing.h"
#include "engine/world/world.h"

namespace berth::engine {

class Queue {
 public:
  explicit Queue(const World& world) : world_(world) {}

  // A pod that wants a node. Adding one twice does no harm.
  void add(PodId pod);

  // A pass goes once through the pods to try, in order: those added since the last and those woken. Pods that no longer
  // want a node are dropped. The world must be fresh.
  void begin_pass();
  // The next pod of the pass; none: it is over. The pod is to be placed, then told to placed(), or parked.
  [[nodiscard]] std::optional<PodId> next();

  // The pod that next() gave was placed: parked pods that this, or what made room for it, may help come into the rest
  // of the pass where they belong, as if they had been tried with all others; those whose turn is over wait for the
  // next pass.
  void placed(PodId pod);

  // Shapes that no pod has any more.
  void forget(const std::vector<ShapeId>& shapes);

  // The order of the queue.
  [[nodiscard]] bool before(PodId a, PodId b) const { return world_.before(a, b); }

  // Nothing fitted this pod in the present state of the world.
  void park(PodId pod);

  // A pod like this one failed, and nothing happened since that could help: this one fails as well.
  [[nodiscard]] bool is_hopeless(PodId pod);

 private:
  // What pods that are alike have in common.
  struct Kind {
    ShapeId shape;
    NameId promised;  // node
    std::optional<std::int64_t> runs_for_seconds;
    bool operator==(const Kind&) const = default;
    friend std::size_t hash_value(const Kind& kind) {
      std::size_t seed = static_cast<std::size_t>(kind.promised.value()) << 32U | kind.shape.value();
      boost::hash_combine(seed, kind.runs_for_seconds.value_or(-1));
      return seed;
    }
  };
  // A parked pod; `turn` is as it was then, and `ticket` tells whether it still is one.
  struct Waiting {
    PodTurn turn;
    PodId pod;
    std::uint64_t ticket = 0;
  };
  struct Parked {
    std::vector<Waiting> pods;
    std::size_t taken = 0;  // out of `pods` since they were sorted
    bool sorted = true;
    bool awake = false;        // may fit, and stays so until one fails
    bool in_the_pass = false;  // one of them is among the pods that are tried
    bool has_rules = false;    // among pods; then it is in ruled_
    // What was seen when one failed last, or when nothing helped since.
    std::uint64_t loosened = 0;
    std::uint64_t news = 0;      // of any shape
    std::uint64_t own_news = 0;  // of this one
    std::uint64_t borrowed = 0;
  };
  [[nodiscard]] bool may_fit_now(const Kind& kind, Parked& parked) const;
  void wake();
  void wake_if_it_may_fit(const Kind& kind, Parked& parked);
  [[nodiscard]] Kind kind_of(PodId pod) const;
  [[nodiscard]] bool before(const PodTurn& a, const PodTurn& b) const { return runs_first(a, b, world_.names()); }
  [[nodiscard]] bool is_waiting(const Waiting& entry) const;
  void file(Parked& parked, const Waiting& entry);
  // The first of the parked pods whose turn is after `turn`, if that is given; no longer parked.
  [[nodiscard]] std::optional<PodId> release(Parked& parked, const std::optional<PodTurn>& turn);
  // One pod of each kind that is awake and has none in the pass comes into it.
  void release_all(const std::optional<PodTurn>& turn);
  [[nodiscard]] std::uint64_t& ticket(PodId pod);

  const World& world_;
  std::vector<PodId> added_;
  std::vector<PodId> pass_;  // in order
  std::size_t position_ = 0;
  std::vector<PodId> woken_;  // what came into the pass later: a heap, first in order on top
  boost::unordered_flat_map<Kind, Parked, boost::hash<Kind>> parked_;
  std::vector<Kind> awake_;             // may name some that are no longer
  std::vector<Kind> ruled_;             // the same, of those that wait for other pods
  std::vector<std::uint64_t> tickets_;  // by pod slot: the pod's latest
  std::uint64_t next_ticket_ = 1;
  std::uint64_t loosened_seen_ = 0;  // by the last wake()
  std::uint64_t news_seen_ = 0;
  std::uint64_t borrowed_seen_ = 0;
  Borrowing borrowing_;  // as of the begin of the pass
};

}  // namespace berth::engine
