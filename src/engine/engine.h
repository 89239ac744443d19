// Engine: events in, decisions out. A pure function of (state so far, events, now, config): no clock, no I/O, no
// threads, no log. The same history gives the same decisions, byte for byte, and applying events one by one or as one
// snapshot ends in the same state, but for what a profile that values rooms has learned in clusters of more than 512
// cards (score/policy_keeper.h).
//
//   Names names;
//   Engine engine(config, names);
//   StepResult result = engine.step(events, now);
//   for (const Pending& pending : result.pending) use(engine.explain(pending.pod));
//
// step() places pods in order of priority, then age, then tie order of their names. A placed pod is in the world at
// once (as upstream's assume). Where a pod fits nowhere and its profile preempts, a complete plan may evict: the kEvict
// decisions come directly before the kPlace that needs them, and all of them are in the world at once. Whoever carries
// the plan out binds after the victims are gone.
//
// Costs: a placement touches one node; each live shape's index catches up with the nodes that changed since it was last
// asked.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "engine/config.h"
#include "engine/decision.h"
#include "engine/input.h"
#include "engine/names.h"

namespace berth::engine {

class World;
struct ConsolidationOptions;
struct ConsolidationPlan;

class Engine {
 public:
  Engine(Config config, const Names& names);
  ~Engine();
  Engine(Engine&&) noexcept;
  Engine& operator=(Engine&&) noexcept;

  // Applies the events in order, then decides for every pod that is pending and may have become placeable.
  StepResult step(std::span<const Event> events, Time now);

  // Applies events without deciding.
  void apply(std::span<const Event> events, Time now);

  // Why a pending pod does not run, in full: O(nodes). Does not change the world: emptied and lifted worlds
  // are asked as questions, not made.
  [[nodiscard]] Reason explain(PodId pod);

  // The first cause that excludes this node for this pod, or kFits.
  [[nodiscard]] NodeCause check(PodId pod, NodeId node);

  // For comparison with other schedulers: each filter asked alone, and per score the raw, normalised and weighted
  // values over the nodes that pass all filters.
  struct FilterTable {
    std::vector<std::vector<bool>> passes;  // [filter of the profile, in order][node]
  };
  struct ScoreTable {
    std::vector<NodeId> nodes;                          // feasible, ascending
    std::vector<std::vector<std::int64_t>> raw;         // [score of the profile, in order][position in nodes]
    std::vector<std::vector<std::int64_t>> normalized;  // same shape; before weighting
    std::vector<std::int64_t> total;
  };
  [[nodiscard]] FilterTable filter_table(PodId pod);
  [[nodiscard]] ScoreTable score_table(PodId pod);

  // Moves of running pods that make room for these pending pods, one after the other, and then open whole nodes:
  // cycle/consolidation.h. `movable` by pod slot. A plan only; the world is as before.
  [[nodiscard]] ConsolidationPlan consolidate(std::span<const PodId> pending, std::vector<bool> movable,
                                              const ConsolidationOptions& options);

  [[nodiscard]] PodId find_pod(NameId name) const;
  [[nodiscard]] NodeId find_node(NameId name) const;
  [[nodiscard]] const World& world() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace berth::engine
