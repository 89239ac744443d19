// Consolidation: moves of running pods that make room where there is enough in sum and not enough in one place. A move
// is an eviction after which the pod comes back on another node, so each has a price: the cards that are interrupted.
//
//   1. pods that wait fit on some node afterwards, one pod after the other; fewest moved cards win, then fewest pods
//   2. as many nodes as possible have all their cards and devices free afterwards
//
// The moves are in an order that can be carried out one at a time: at its turn each pod fits on its new node, while all
// others are where the moves before left them. Every plan is made by carrying it out in a transaction, which is rolled
// back; at its end the pod that waits is asked about once more, and so is the node, since where moved pods come to rest
// has a say in rules of spread and affinity. A pod moves at most once, and only pods with cards do: others are in
// nobody's way for cards.
//
// Who may move: pods that run, are not going, belong to no workload (a gang would be broken for a while; so what is not
// preemptible stays), hold no claims, whose eviction keeps every disruption budget, and that the caller says may move;
// for a pod that waits only those of at most its priority. Where nobody waits, the caller's word suffices. A node on
// which claims hold devices is neither idle nor can it be opened, for such pods do not move.
//
// The search: which pods leave a node, where each of them goes, and, one level deeper, which pods make room for those.
// With branch and bound over the price; each pod that waits, each node that could take it and each node that could be
// opened gets its share of the questions (question_shares.h). A plan says whether that was enough; if not, it is the
// best one found so far. The node that needs the fewest moves is opened first, and so on; then other orders are tried.
// consolidation.cc has what is done in which order, consolidation_ways.cc who could leave and where to.
// tests/reference/moves is the slow twin.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "engine/cycle/budgets.h"
#include "engine/cycle/question_shares.h"
#include "engine/fit/question.h"
#include "engine/world/world.h"

namespace berth::engine {

struct Move {
  PodId pod;
  NodeId from;
  NodeId to;
  Amount cards = 0;  // card thousandths that are interrupted
};

// What some moves achieve.
struct Consolidation {
  PodId pod;  // finds room on the node; none: the node has all its cards free
  NodeId node;
  std::vector<Move> moves;  // in order; those of earlier parts of a plan come before
  Amount moved = 0;         // card thousandths of the pods that move
};

struct ConsolidationPlan {
  std::vector<Consolidation> parts;  // pods that need no moves have a part without
  bool complete = true;              // false: some part was cut short, and there may be a cheaper plan, or more of it
  std::int64_t questions = 0;        // how often a pod and a node were looked at
};

struct ConsolidationOptions {
  std::size_t most_moves = 64;
  std::int64_t question_limit = 1'000'000;  // how often a pod and a node are looked at
  // Thousandths of a card that one unit of a resource is, by ResourceId: a partition is a part of one. 1000 where there
  // is no entry.
  std::vector<Amount> worth = {};
};

class Consolidator {
 public:
  // `movable` by pod slot. The world must be fresh, and is as before after each call.
  Consolidator(World& world, std::vector<bool> movable, ConsolidationOptions options = {});

  // For these pods, in this order, and then for whole nodes.
  [[nodiscard]] ConsolidationPlan plan(std::span<const PodId> pending);

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
  [[nodiscard]] Amount cards_of(PodId pod) const { return cards_[pod.index()]; }
  [[nodiscard]] std::vector<PodId> with_cards(NodeId node) const;  // most cards first, ties by the queue's order
  [[nodiscard]] Price price_of(const std::vector<PodId>& pods) const;
  [[nodiscard]] bool too_dear(const Price& more) const;
  [[nodiscard]] std::vector<Leaving> ways_to_fit(const Question& question, NodeId node);
  [[nodiscard]] std::optional<Leaving> greedy_way(const Question& question, NodeId node, std::vector<PodId> pods);
  [[nodiscard]] bool fits_without(const Question& question, NodeId node, const std::vector<PodId>& pods);
  [[nodiscard]] std::vector<NodeId> destinations(PodId pod);
  [[nodiscard]] std::vector<LabelKeyId> domain_keys(PodId pod) const;
  [[nodiscard]] bool claims_hold(NodeId node) const;
  [[nodiscard]] Amount free_cards(NodeId node) const;

  void proceed(const Step* step);
  void relocate(const Step& step);
  void clear_way(const Step& step, NodeId node, const Leaving& leaving, PodId pod);
  void move(PodId pod, NodeId to, const Step* rest);
  [[nodiscard]] bool reached();
  void finish();

  void find_room(PodId pod);
  void search_room(const Question& question, NodeId node);
  void find_way_to_open(NodeId node);
  Consolidation keep();
  // Where a search goes back to.
  struct Before {
    World::Mark mark;
    BudgetCount budgets;
    std::vector<bool> reserved;
    std::vector<bool> moved;
    std::vector<Move> moves;
    std::size_t kept = 0;
    Price price;
  };
  void open_nodes(std::vector<Consolidation>& opened);
  void go_back(const Before& before);
  [[nodiscard]] bool may_open_more() const;
  [[nodiscard]] std::size_t most_to_open(const std::vector<NodeId>& nodes) const;
  [[nodiscard]] bool is_idle(NodeId node) const;
  [[nodiscard]] std::vector<NodeId> openable() const;

  World& world_;
  std::vector<bool> movable_;
  ConsolidationOptions options_;
  BudgetCount budgets_;
  QuestionShares questions_;
  std::vector<Amount> cards_;          // by pod slot: thousandths that moving it interrupts
  std::vector<NameId> far_;            // claims whose devices more than one node reaches, ascending
  std::vector<bool> reserved_;         // by node slot: takes no pod
  std::vector<bool> moved_;            // by pod slot
  std::vector<Move> moves_;            // carried out in the world, those that are kept first
  std::size_t kept_ = 0;               // how many of these are kept
  Price price_;                        // of moves_
  Price promised_;                     // of the pods that have to leave and have not yet
  std::optional<Consolidation> best_;  // with all of moves_
  Price best_price_;
  std::vector<Consolidation> opening_;  // the nodes of the best order to open them
  Price opening_price_;
  std::int64_t opening_began_ = 0;
  std::optional<std::int64_t> open_until_;  // questions for other orders; none: the first is under way
  PodId pod_;                               // that waits, or none
  NodeId goal_;                             // the node that is being cleared
};

}  // namespace berth::engine
