// Consolidation: moves of running pods that make room where there is enough in sum and not enough in one place. A move
// is an eviction after which the pod comes back on another node, so each has a price: the cards that are interrupted.
//
//   make_room   a pending pod fits on some node afterwards; fewest moved cards win, then fewest pods
//   open_nodes  as many nodes as possible have all their cards free afterwards, with at most so many moves
//   plan        the first for several pods, one after the other, then the second
//
// The moves are in an order that can be carried out one at a time: at its turn each pod fits on its new node, while all
// others are where the moves before left them. Every plan is made by carrying it out in a transaction, which is rolled
// back. A pod moves at most once, and only pods with cards do: others are in nobody's way for cards.
//
// Who may move: pods that run, are not going, belong to no workload (a gang would be broken for a while), hold no
// claims, whose eviction keeps every disruption budget, and that the caller says may move. The rules of priority are
// the caller's.
//
// The search: which pods leave a node, where each of them goes, and, one level deeper, which pods make room for those.
// With branch and bound over the price; it counts the questions it asks and says so when it gives up, and then has the
// best plan found so far. open_nodes() takes the node that needs the fewest moves first, and so on.
// tests/reference/moves is the slow twin.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "engine/cycle/budgets.h"
#include "engine/fit/question.h"
#include "engine/world/world.h"

namespace berth::engine {

struct Move {
  PodId pod;
  NodeId from;
  NodeId to;
};

// What some moves achieve.
struct Consolidation {
  PodId pod;  // finds room on the node; none: the node has all its cards free
  NodeId node;
  std::vector<Move> moves;  // in order; those of earlier parts of a plan come before
  Amount moved = 0;         // card thousandths of the pods that move
};

struct ConsolidationOptions {
  std::size_t most_moves = 64;
  std::int64_t question_limit = 1'000'000;  // how often a pod and a node are looked at
};

class Consolidator {
 public:
  // `movable` by pod slot. The world must be fresh, and is as before after each call.
  Consolidator(World& world, std::vector<bool> movable, ConsolidationOptions options = {});

  // Empty if no plan was found. No moves: it fits already.
  [[nodiscard]] std::optional<Consolidation> make_room(PodId pod);
  [[nodiscard]] std::vector<Consolidation> open_nodes() { return plan({}); }
  // Pods that need no moves have a part without.
  [[nodiscard]] std::vector<Consolidation> plan(std::span<const PodId> pending);
  // The last call may have overlooked a cheaper plan, or the only one.
  [[nodiscard]] bool gave_up() const { return questions_ > options_.question_limit; }

 private:
  // What remains to be done, first in front; a list that shares its rest.
  struct Step {
    enum class Kind : std::uint8_t { kRelocate, kMoveTo, kRelease };
    Kind kind = Kind::kRelocate;
    PodId pod;
    NodeId node;
    int depth = 0;  // how many levels of others may make room
    const Step* rest = nullptr;
  };
  struct Price {
    Amount moved = 0;
    std::size_t moves = 0;
    auto operator<=>(const Price&) const = default;
  };
  // Pods that may leave a node together.
  struct Leaving {
    std::vector<PodId> pods;  // most cards first
    Price price;
  };

  [[nodiscard]] Question ask(PodId pod) const;
  [[nodiscard]] bool fits(const Question& question, NodeId node);
  [[nodiscard]] bool may_move(PodId pod) const;
  [[nodiscard]] Amount cards_of(PodId pod) const;
  [[nodiscard]] std::vector<PodId> with_cards(NodeId node) const;  // most cards first, ties by the queue's order
  [[nodiscard]] Price price_of(const std::vector<PodId>& pods) const;
  [[nodiscard]] bool too_dear(const Price& more) const;
  [[nodiscard]] std::vector<Leaving> ways_to_fit(const Question& question, NodeId node);
  [[nodiscard]] std::optional<Leaving> greedy_way(const Question& question, NodeId node, std::vector<PodId> pods);
  [[nodiscard]] bool fits_without(const Question& question, NodeId node, const std::vector<PodId>& pods);
  [[nodiscard]] std::vector<NodeId> destinations(PodId pod);

  void proceed(const Step* step);
  void relocate(const Step& step);
  void clear_way(const Step& step, NodeId node, const Leaving& leaving, PodId pod);
  void move(PodId pod, NodeId to, const Step* rest);
  void finish();

  void find_room(PodId pod);
  void find_way_to_open(NodeId node);
  Consolidation keep();
  [[nodiscard]] std::optional<Consolidation> open_one();
  [[nodiscard]] bool is_idle(NodeId node) const;
  [[nodiscard]] std::vector<NodeId> openable() const;

  World& world_;
  std::vector<bool> movable_;
  ConsolidationOptions options_;
  BudgetCount budgets_;
  std::int64_t questions_ = 0;
  std::vector<bool> reserved_;         // by node slot: takes no pod
  std::vector<bool> moved_;            // by pod slot
  std::vector<Move> moves_;            // carried out in the world, those that are kept first
  std::size_t kept_ = 0;               // how many of these are kept
  Price price_;                        // of moves_
  Price promised_;                     // of the pods that have to leave and have not yet
  std::optional<Consolidation> best_;  // with all of moves_
  Price best_price_;
  PodId pod_;    // that waits, or none
  NodeId goal_;  // the node that is being cleared
};

}  // namespace berth::engine
