// Topology: the counters of a world, and per shape the plan that says which counters its rules among pods ask.
//
// Counters appear when a shape that needs them is first asked about (or, for terms that running pods carry, when the
// shape is interned) and are told of every placement from then on. A node that changes is moved in the tables and
// counters that it concerns. Nodes that come or go, and namespaces, make all of them stale; refresh() counts again.
// Meaning of every rule: kube-scheduler 1.37, PodTopologySpread and InterPodAffinity.
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

#include "engine/ids.h"
#include "engine/input.h"
#include "engine/topology/counter.h"
#include "engine/topology/label_index.h"

namespace berth::engine {

class World;

using CounterId = std::uint32_t;

// The rules among pods of one shape, as counters.
struct TopologyPlan {
  bool made = false;
  std::uint32_t owners_seen = 0;  // of Topology's list of carried terms

  struct HardSpread {
    CounterId counter = 0;
    std::size_t view = 0;
    std::int32_t max_skew = 1;
    std::int32_t min_domains = 1;
    bool self = false;
  };
  std::vector<HardSpread> hard_spread;

  struct SoftSpread {
    CounterId counter = 0;    // the pods that count
    std::uint32_t table = 0;  // domains of the constraint's own key
    std::int32_t max_skew = 1;
    bool hostname = false;
  };
  std::vector<SoftSpread> soft_spread;
  bool soft_needs_all_keys = true;  // nodes that lack a key are left out

  std::vector<CounterId> affinity;  // one per key, pods that match all terms
  bool matches_itself = false;      // the pod matches all its required affinity terms
  std::vector<CounterId> anti_affinity;
  std::vector<CounterId> existing_anti_affinity;

  struct Weighted {
    CounterId counter = 0;
    std::int64_t weight = 0;
  };
  std::vector<Weighted> preferred;           // own terms: matching pods
  std::vector<Weighted> existing_preferred;  // pods that carry a preferred term that matches this shape
  std::vector<CounterId> existing_hard;      // pods that carry a required affinity term that matches this shape

  [[nodiscard]] bool has_hard_rules() const {
    return !hard_spread.empty() || !affinity.empty() || !anti_affinity.empty() || !existing_anti_affinity.empty();
  }
};

class Topology {
 public:
  explicit Topology(const World& world) : world_(world) {}

  // Told by the world.
  void shape_added(ShapeId shape);
  // Shapes that no pod has any more: counters that only they asked or carried go with them. What news() said before is
  // not to be compared with what it says after.
  void forget(const std::vector<ShapeId>& shapes);
  // `undoing`: takes back a change of the opposite sign, which then leaves no trace in news().
  void pod_changed(ShapeId shape, NodeId node, bool terminating, std::int32_t sign, bool undoing = false);
  void nodes_changed() { stale_ = true; }
  // Before the node becomes `next`. O(tables + counters + pods on the node).
  void node_changes(NodeId node, const NodeInput& next);
  void namespaces_changed() { stale_ = matches_stale_ = true; }

  // Brings tables and counters up to date after nodes or namespaces changed.
  void refresh();

  // Makes the plans of all new shapes that somebody waits with. Each for itself, when it is first asked about, would
  // count all pods for itself. Needs refresh().
  void plan_new_shapes();

  // The plan of a shape; valid until the next shape is interned or namespace changes. Needs refresh().
  const TopologyPlan& plan(ShapeId shape);

  // Moves on whenever a change was seen that may let a pod pass rules among pods: of any shape, and of the shape with
  // this plan. Counters that only scores ask are none. Needs refresh().
  [[nodiscard]] std::uint64_t news() const { return news_; }
  [[nodiscard]] std::uint64_t news(const TopologyPlan& plan) const;

  [[nodiscard]] std::size_t counter_count() const { return counters_.size(); }
  [[nodiscard]] const Counter& counter(CounterId id) const { return counters_[id]; }
  [[nodiscard]] const DomainTable& table(std::uint32_t number) const { return tables_[number]; }

  // Does a required affinity term of `shape` find a pod anywhere? If not, a pod that matches itself may start.
  [[nodiscard]] bool affinity_found(const TopologyPlan& plan) const;

 private:
  struct Membership {
    CounterId counter = 0;
    std::int32_t times = 1;
    bool counts_terminating = true;
  };
  struct Eligibility {
    std::vector<LabelKeyId> keys;
    bool by_affinity = false;
    bool by_taints = false;
    std::vector<NodeSelector> selectors;
    std::vector<Toleration> tolerations;
    std::vector<std::uint8_t> nodes;  // by node slot; not part of the identity
    bool in_use = true;
    [[nodiscard]] bool same(const Eligibility& other) const;
  };

  std::uint32_t intern_table(LabelKeyId key, bool per_node);
  std::uint32_t intern_eligibility(Eligibility wanted);
  CounterId intern_counter(CounterKey key);
  void build(DomainTable& table) const;
  void build(Eligibility& eligibility) const;
  [[nodiscard]] bool passes(const Eligibility& eligibility, const NodeInput& node) const;
  void count_pods_of(NodeId node, std::int32_t sign);
  void start(CounterId id);
  [[nodiscard]] std::vector<std::uint8_t> counters_in_use() const;
  void free_counter(CounterId id);
  void forget_unused_eligibilities();
  [[nodiscard]] static std::uint64_t hash_of(const CounterKey& key);
  [[nodiscard]] static std::uint64_t hash_of(const Eligibility& eligibility);
  void recount(const std::vector<CounterId>& ids);
  void mark_hard(CounterId id);
  [[nodiscard]] std::int32_t times_counted(const CounterKey& key, ShapeId shape) const;
  // True if the counter counts pods of the shape.
  bool join(CounterId id, ShapeId shape);
  void join_counters(ShapeId shape);
  void carry(ShapeId shape, CounterKey::What what, const AffinityTerm& term, std::int32_t weight);
  void plan_spread(TopologyPlan& plan, ShapeId shape);
  void plan_affinity(TopologyPlan& plan, ShapeId shape);
  void plan_existing(TopologyPlan& plan, ShapeId shape);
  Eligibility eligibility_of(const ShapeInput& shape, const SpreadConstraint& constraint,
                             std::vector<LabelKeyId> keys) const;

  const World& world_;
  bool stale_ = true;
  bool matches_stale_ = false;
  std::uint64_t news_ = 0;
  std::uint64_t recounts_ = 0;
  std::deque<DomainTable> tables_;
  std::deque<Eligibility> eligibilities_{Eligibility{}};
  std::deque<Counter> counters_;
  std::vector<CounterId> free_counters_;
  boost::unordered_flat_map<std::uint64_t, std::vector<CounterId>> counter_ids_;  // by content hash
  std::vector<std::vector<Membership>> memberships_;                              // by shape
  LabelIndex index_;
  std::vector<ShapeId> new_shapes_;  // see plan_new_shapes()
  bool counts_later_ = false;
  std::vector<CounterId> to_count_;
  std::vector<CounterId> carried_;         // counters of carried terms
  std::vector<std::uint32_t> carried_at_;  // where in carried_, by counter; of counters of other things: anything
  std::deque<TopologyPlan> plans_;         // by shape
  std::vector<std::uint32_t> free_eligibilities_;
  boost::unordered_flat_map<std::uint64_t, std::vector<std::uint32_t>> eligibility_ids_;  // by content hash
};

// Does a pod of this namespace with these labels match the term? `unknown_namespaces`: how a namespaceSelector treats a
// namespace without an object. For terms of the pending pod it selects existing objects only; for terms of running pods
// a missing object has no labels.
[[nodiscard]] bool matches_term(const AffinityTerm& term, const ShapeInput& pod, const World& world,
                                bool unknown_namespaces);

}  // namespace berth::engine
