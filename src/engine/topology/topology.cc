// What the world tells Topology, and what is news then.
#include "engine/topology/topology.h"

#include <algorithm>

#include "engine/world/selectors.h"
#include "engine/world/world.h"

namespace berth::engine {

void Topology::shape_added(ShapeId shape) {
  if (shape.index() == memberships_.size()) {
    memberships_.emplace_back();
    plans_.emplace_back();
  }
  memberships_[shape.index()].clear();  // a slot that is used again
  plans_[shape.index()] = TopologyPlan{};
  const ShapeInput& input = world_.shape(shape).input;
  index_.add(shape, input.namespace_, input.labels);
  join_counters(shape);
  for (const AffinityTerm& term : input.required_anti_affinity) carry(shape, CounterKey::What::kAntiOwners, term, 0);
  for (const AffinityTerm& term : input.required_affinity) carry(shape, CounterKey::What::kHardOwners, term, 0);
  for (const WeightedAffinityTerm& term : input.preferred_affinity) {
    carry(shape, CounterKey::What::kPreferOwners, term.term, term.weight);
  }
  new_shapes_.push_back(shape);
}

void Topology::forget(const std::vector<ShapeId>& shapes) {
  for (const ShapeId shape : shapes) {
    memberships_[shape.index()] = {};
    plans_[shape.index()] = TopologyPlan{};
  }
  index_.forget(shapes);
  std::erase_if(new_shapes_, [&](ShapeId shape) { return std::ranges::binary_search(shapes, shape); });
  const std::vector<std::uint8_t> used = counters_in_use();
  for (CounterId id = 0; id < counters_.size(); ++id) {
    if (counters_[id].in_use() && used[id] == 0) free_counter(id);
  }
  const auto is_free = [&](CounterId id) { return !counters_[id].in_use(); };
  for (std::vector<Membership>& list : memberships_) {
    std::erase_if(list, [&](const Membership& membership) { return is_free(membership.counter); });
  }
  std::erase_if(carried_, is_free);
  for (std::size_t i = 0; i < carried_.size(); ++i) carried_at_[carried_[i]] = static_cast<std::uint32_t>(i);
  for (TopologyPlan& plan : plans_) {  // carried terms are looked through again
    plan.existing_anti_affinity.clear();
    plan.existing_hard.clear();
    plan.existing_preferred.clear();
    plan.owners_seen = 0;
  }
  forget_unused_eligibilities();
  ++news_;
}

void Topology::node_changes(NodeId node, const NodeInput& next) {
  if (stale_) return;  // refresh() will look
  std::vector<std::uint8_t> moves(tables_.size(), 0);
  for (std::size_t i = 0; i < tables_.size(); ++i) {
    const DomainTable& table = tables_[i];
    const std::uint32_t domain = table.domain(node);
    const LabelValueId value = domain == DomainTable::kNone ? LabelValueId::none() : table.domains[domain].value;
    moves[i] = !table.per_node && label_value(next.labels, table.key) != value ? 1 : 0;
  }
  std::vector<std::uint8_t> turns(eligibilities_.size(), 0);
  for (std::size_t i = 1; i < eligibilities_.size(); ++i) {
    if (!eligibilities_[i].in_use) continue;
    turns[i] = passes(eligibilities_[i], next) != (eligibilities_[i].nodes[node.index()] != 0) ? 1 : 0;
  }
  const auto concerned = [&](const Counter& counter) {
    return counter.in_use() && (moves[counter.key().table] != 0 || turns[counter.key().eligibility] != 0);
  };
  if (std::ranges::none_of(counters_, concerned) && std::ranges::find(moves, 1) == moves.end() &&
      std::ranges::find(turns, 1) == turns.end()) {
    return;
  }
  const std::uint32_t rank = world_.node(node).rank;
  count_pods_of(node, -1);
  for (Counter& counter : counters_) {
    if (concerned(counter)) counter.leave(node, rank);
  }
  for (std::size_t i = 0; i < tables_.size(); ++i) {
    if (moves[i] == 0) continue;
    tables_[i].leave(node, rank);
    tables_[i].join(node, rank, tables_[i].domain_for(label_value(next.labels, tables_[i].key)));
  }
  for (std::size_t i = 1; i < turns.size(); ++i)
    if (turns[i] != 0) eligibilities_[i].nodes[node.index()] ^= 1U;
  for (Counter& counter : counters_) {
    if (concerned(counter)) counter.join(node, rank);
  }
  count_pods_of(node, 1);
  ++news_;
}

void Topology::pod_changed(ShapeId shape, NodeId node, bool terminating, std::int32_t sign, bool undoing) {
  if (stale_) return;  // refresh() will count
  for (const Membership& membership : memberships_[shape.index()]) {
    if (terminating && !membership.counts_terminating) continue;
    Counter& counter = counters_[membership.counter];
    counter.add(node, sign * membership.times);
    undoing ? counter.take_back_change(sign > 0) : counter.note_change(sign < 0);
    if (counter.is_hard()) undoing ? --news_ : ++news_;
  }
}

std::uint64_t Topology::news(const TopologyPlan& plan) const {
  if (!plan.has_hard_rules()) return 0;
  std::uint64_t sum = recounts_;
  for (const TopologyPlan::HardSpread& rule : plan.hard_spread) sum += counters_[rule.counter].changes();
  for (const CounterId id : plan.affinity) sum += counters_[id].changes();
  // Only a pod that goes can help against anti-affinity.
  for (const CounterId id : plan.anti_affinity) sum += counters_[id].falls();
  for (const CounterId id : plan.existing_anti_affinity) sum += counters_[id].falls();
  return sum;
}

void Topology::refresh() {
  if (!stale_) return;
  if (matches_stale_) {
    new_shapes_.clear();
    for (std::size_t i = 0; i < memberships_.size(); ++i) {
      std::erase_if(memberships_[i],
                    [&](const Membership& membership) { return !counters_[membership.counter].counts_owners(); });
      join_counters(ShapeId(i));
      new_shapes_.emplace_back(i);
    }
    for (TopologyPlan& plan : plans_) plan = TopologyPlan{};
    matches_stale_ = false;
  }
  for (DomainTable& table : tables_) build(table);
  for (std::size_t i = 1; i < eligibilities_.size(); ++i) {
    if (eligibilities_[i].in_use) build(eligibilities_[i]);
  }
  for (CounterId id = 0; id < counters_.size(); ++id) {
    if (counters_[id].in_use()) start(id);
  }
  stale_ = false;
  ++recounts_;
  ++news_;
  for (const NodeId node : world_.by_rank()) count_pods_of(node, 1);
}

}  // namespace berth::engine
