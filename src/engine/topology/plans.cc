// Topology's plans: which counters the rules of a shape ask.
#include <algorithm>
#include <utility>

#include <boost/unordered/unordered_flat_set.hpp>

#include "engine/topology/topology.h"
#include "engine/world/selectors.h"
#include "engine/world/world.h"

namespace berth::engine {

void Topology::plan_spread(TopologyPlan& plan, ShapeId shape) {
  const ShapeInput& input = world_.shape(shape).input;
  std::vector<LabelKeyId> hard_keys;
  std::vector<LabelKeyId> soft_keys;
  for (const SpreadConstraint& constraint : input.spread) {
    (constraint.hard ? hard_keys : soft_keys).push_back(constraint.topology_key);
  }
  plan.soft_needs_all_keys = !input.default_spread;
  if (input.default_spread) soft_keys.clear();
  const LabelKeyId hostname = world_.names().label_keys.find("kubernetes.io/hostname");
  for (const SpreadConstraint& constraint : input.spread) {
    CounterKey key{.what = CounterKey::What::kSpread,
                   .terms = {},
                   .namespace_ = input.namespace_,
                   .selector = constraint.selector};
    const std::uint32_t table = intern_table(constraint.topology_key, false);
    key.table = table;
    const bool on_node = !constraint.hard && constraint.topology_key == hostname;
    if (on_node) {
      key.table = intern_table(LabelKeyId::none(), true);
    } else {
      key.eligibility = intern_eligibility(eligibility_of(input, constraint, constraint.hard ? hard_keys : soft_keys));
    }
    const CounterId counter = intern_counter(std::move(key));
    if (!constraint.hard) {
      plan.soft_spread.push_back({counter, table, constraint.max_skew, on_node});
      continue;
    }
    const bool self = matches(constraint.selector, input.labels, world_.names());
    const std::size_t view = counters_[counter].view(constraint.max_skew, self, constraint.min_domains);
    plan.hard_spread.push_back({counter, view, constraint.max_skew, constraint.min_domains, self});
  }
}

void Topology::plan_affinity(TopologyPlan& plan, ShapeId shape) {
  const ShapeInput& input = world_.shape(shape).input;
  // The counter is of all terms together, so that only the topology key tells two of them apart.
  boost::unordered_flat_set<std::uint32_t> tables;
  for (const AffinityTerm& term : input.required_affinity) {
    const std::uint32_t table = intern_table(term.topology_key, false);
    if (!tables.insert(table).second) continue;
    CounterKey key{
        .what = CounterKey::What::kMatching, .terms = input.required_affinity, .namespace_ = {}, .selector = {}};
    key.table = table;
    plan.affinity.push_back(intern_counter(std::move(key)));
  }
  plan.matches_itself = std::ranges::all_of(
      input.required_affinity, [&](const AffinityTerm& term) { return matches_term(term, input, world_, false); });
  const auto matching = [&](const AffinityTerm& term) {
    CounterKey key{.what = CounterKey::What::kMatching, .terms = {term}, .namespace_ = {}, .selector = {}};
    key.table = intern_table(term.topology_key, false);
    return intern_counter(std::move(key));
  };
  for (const AffinityTerm& term : input.required_anti_affinity) plan.anti_affinity.push_back(matching(term));
  for (const WeightedAffinityTerm& term : input.preferred_affinity) {
    plan.preferred.push_back({matching(term.term), term.weight});
  }
}

// Adds the terms carried by other shapes that match this one, from where the plan left off.
void Topology::plan_existing(TopologyPlan& plan, ShapeId shape) {
  constexpr std::size_t kFew = 8;
  const ShapeInput& input = world_.shape(shape).input;
  std::vector<CounterId> unseen;
  if (carried_.size() - plan.owners_seen <= kFew) {
    unseen.assign(carried_.begin() + plan.owners_seen, carried_.end());
  } else {
    index_.counters_for(input.namespace_, input.labels, [&](CounterId id) {
      if (counters_[id].counts_owners() && carried_at_[id] >= plan.owners_seen) unseen.push_back(id);
    });
    std::ranges::sort(unseen, {}, [this](CounterId id) { return carried_at_[id]; });
  }
  plan.owners_seen = static_cast<std::uint32_t>(carried_.size());
  for (const CounterId id : unseen) {
    const CounterKey& key = counters_[id].key();
    if (!matches_term(key.terms.front(), input, world_, true)) continue;
    if (key.what == CounterKey::What::kAntiOwners) plan.existing_anti_affinity.push_back(id);
    if (key.what == CounterKey::What::kHardOwners) plan.existing_hard.push_back(id);
    if (key.what == CounterKey::What::kPreferOwners) plan.existing_preferred.push_back({id, key.weight});
  }
}

const TopologyPlan& Topology::plan(ShapeId shape) {
  TopologyPlan& plan = plans_[shape.index()];
  if (!plan.made) {
    plan_spread(plan, shape);
    plan_affinity(plan, shape);
    for (const TopologyPlan::HardSpread& rule : plan.hard_spread) mark_hard(rule.counter);
    for (const CounterId id : plan.affinity) mark_hard(id);
    for (const CounterId id : plan.anti_affinity) mark_hard(id);
    plan.made = true;
  }
  if (plan.owners_seen != carried_.size()) {
    plan_existing(plan, shape);
    for (const CounterId id : plan.existing_anti_affinity) mark_hard(id);
  }
  return plan;
}

// The news are the sum of the changes of hard counters, so that a try that began before can be taken back.
void Topology::mark_hard(CounterId id) {
  if (counters_[id].is_hard()) return;
  counters_[id].set_hard();
  news_ += counters_[id].changes();
}

void Topology::plan_new_shapes() {
  counts_later_ = true;
  for (const ShapeId id : std::exchange(new_shapes_, {})) {
    const Shape& shape = world_.shape(id);
    if (shape.users > shape.placed && shape.profile != nullptr) (void)plan(id);
  }
  counts_later_ = false;
  recount(std::exchange(to_count_, {}));
}

bool Topology::affinity_found(const TopologyPlan& plan) const {
  return std::ranges::any_of(plan.affinity, [&](CounterId id) { return counters_[id].total() > 0; });
}

}  // namespace berth::engine
