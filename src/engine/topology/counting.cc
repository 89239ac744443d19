// Topology's counters: which pods each counts, and how they come to be and go.
#include <algorithm>
#include <iterator>
#include <optional>
#include <span>
#include <utility>

#include "engine/topology/topology.h"
#include "engine/world/content_hash.h"
#include "engine/world/free_slots.h"
#include "engine/world/selectors.h"
#include "engine/world/world.h"

namespace berth::engine {
namespace {

// What all pods are that the counter counts by their labels, or whose owners it counts.
LabelIndex::Wanted wanted_by(const CounterKey& key) {
  if (key.what == CounterKey::What::kSpread) return {key.selector, std::span(&key.namespace_, 1)};
  const AffinityTerm& term = key.terms.front();
  LabelIndex::Wanted wanted{term.selector, std::nullopt};
  if (!term.scope.selector || term.scope.selector->nothing) wanted.namespaces = term.scope.namespaces;
  return wanted;
}

}  // namespace

bool matches_term(const AffinityTerm& term, const ShapeInput& pod, const World& world, bool unknown_namespaces) {
  if (term.selector.nothing) return false;
  bool in_scope = std::ranges::binary_search(term.scope.namespaces, pod.namespace_);
  if (!in_scope && term.scope.selector && !term.scope.selector->nothing) {
    static const Labels kNoLabels;
    const Labels* labels = world.namespace_labels(pod.namespace_);
    if (term.scope.selector->requirements.empty()) {
      in_scope = true;
    } else if (labels != nullptr || unknown_namespaces) {
      in_scope = matches(*term.scope.selector, labels != nullptr ? *labels : kNoLabels, world.names());
    }
  }
  return in_scope && matches(term.selector, pod.labels, world.names());
}

// How often a counter counts one pod of this shape.
std::int32_t Topology::times_counted(const CounterKey& key, ShapeId shape_id) const {
  const ShapeInput& shape = world_.shape(shape_id).input;
  switch (key.what) {
    case CounterKey::What::kMatching:
      return std::ranges::all_of(key.terms,
                                 [&](const AffinityTerm& term) { return matches_term(term, shape, world_, false); })
                 ? 1
                 : 0;
    case CounterKey::What::kSpread:
      // An empty selector counts no existing pod: upstream's rule for spread alone.
      return shape.namespace_ == key.namespace_ && !key.selector.requirements.empty() &&
                     matches(key.selector, shape.labels, world_.names())
                 ? 1
                 : 0;
    case CounterKey::What::kAntiOwners:
      return static_cast<std::int32_t>(std::ranges::count(shape.required_anti_affinity, key.terms.front()));
    case CounterKey::What::kHardOwners:
      return static_cast<std::int32_t>(std::ranges::count(shape.required_affinity, key.terms.front()));
    case CounterKey::What::kPreferOwners:
      return static_cast<std::int32_t>(
          std::ranges::count(shape.preferred_affinity, WeightedAffinityTerm{key.weight, key.terms.front()}));
  }
  return 0;
}

bool Topology::join(CounterId id, ShapeId shape) {
  const CounterKey& key = counters_[id].key();
  const std::int32_t times = times_counted(key, shape);
  if (times == 0) return false;
  memberships_[shape.index()].push_back({id, times, key.what != CounterKey::What::kSpread});
  return true;
}

void Topology::join_counters(ShapeId shape) {
  const ShapeInput& input = world_.shape(shape).input;
  index_.counters_for(input.namespace_, input.labels, [&](CounterId id) {
    // Who carries a term joins its counter as it is interned.
    if (!counters_[id].counts_owners()) (void)join(id, shape);
  });
}

std::uint64_t Topology::hash_of(const CounterKey& key) {
  ContentHash hash;
  hash.add(static_cast<std::uint64_t>(key.what));
  hash.add(key.terms);
  hash.add(key.namespace_);
  hash.add(key.selector);
  hash.add(key.weight);
  hash.add(static_cast<std::uint64_t>(key.table) << 32U | key.eligibility);
  return hash.value();
}

CounterId Topology::intern_counter(CounterKey key) {
  std::vector<CounterId>& same_hash = counter_ids_[hash_of(key)];
  for (const CounterId id : same_hash) {
    if (counters_[id].key() == key) return id;
  }
  const CounterId id = take_slot(counters_, free_counters_);
  same_hash.push_back(id);
  counters_[id] = Counter(std::move(key));
  bool any_placed = false;
  const auto ask = [&](ShapeId shape) {
    if (join(id, shape)) any_placed = any_placed || world_.shape(shape).placed > 0;
  };
  const LabelIndex::Wanted wanted = wanted_by(counters_[id].key());
  index_.add(id, wanted);
  if (counters_[id].counts_owners()) {
    if (id >= carried_at_.size()) carried_at_.resize(id + 1);
    carried_at_[id] = static_cast<std::uint32_t>(carried_.size());
    carried_.push_back(id);
  } else if (!index_.shapes_for(wanted, ask)) {
    for (std::size_t shape = 0; shape < memberships_.size(); ++shape) ask(ShapeId(shape));
  }
  if (stale_) return id;
  start(id);
  if (!any_placed) return id;
  if (counts_later_) {
    to_count_.push_back(id);
  } else {
    recount({id});
  }
  return id;
}

// Sets a counter to zero over the present nodes.
void Topology::start(CounterId id) {
  Counter& counter = counters_[id];
  const CounterKey& key = counter.key();
  counter.reset(tables_[key.table], key.eligibility == 0 ? nullptr : &eligibilities_[key.eligibility].nodes,
                world_.rank_count());
}

// Counts the pods of counters that start from zero.
void Topology::recount(const std::vector<CounterId>& ids) {
  if (ids.empty()) return;
  std::vector<std::uint8_t> is_asked(counters_.size(), 0);
  for (const CounterId id : ids) is_asked[id] = 1;
  std::vector<std::vector<Membership>> asked(memberships_.size());  // by shape
  for (std::size_t shape = 0; shape < memberships_.size(); ++shape) {
    std::ranges::copy_if(memberships_[shape], std::back_inserter(asked[shape]),
                         [&](const Membership& membership) { return is_asked[membership.counter] != 0; });
  }
  for (std::size_t i = 0; i < world_.pod_slots(); ++i) {
    const Pod& pod = world_.pod(PodId(i));
    if (pod.state != PodState::kPlaced) continue;
    for (const Membership& membership : asked[pod.shape.index()]) {
      if (membership.counts_terminating || !pod.terminating)
        counters_[membership.counter].add(pod.node, membership.times);
    }
  }
}

void Topology::count_pods_of(NodeId node, std::int32_t sign) {
  for (const PodId id : world_.node(node).pods) {
    const Pod& pod = world_.pod(id);
    for (const Membership& membership : memberships_[pod.shape.index()]) {
      if (pod.terminating && !membership.counts_terminating) continue;
      counters_[membership.counter].add(node, sign * membership.times);
    }
  }
}

// Registers a term that pods of a shape carry; its counter counts those pods.
void Topology::carry(ShapeId shape, CounterKey::What what, const AffinityTerm& term, std::int32_t weight) {
  CounterKey key{.what = what, .terms = {term}, .namespace_ = {}, .selector = {}, .weight = weight};
  key.table = intern_table(term.topology_key, false);
  const CounterId id = intern_counter(std::move(key));
  // A term that is there twice is counted twice by one membership.
  if (std::ranges::find(memberships_[shape.index()], id, &Membership::counter) == memberships_[shape.index()].end())
    (void)join(id, shape);
}

// Those that plans ask and those of carried terms; by counter.
std::vector<std::uint8_t> Topology::counters_in_use() const {
  std::vector<std::uint8_t> used(counters_.size(), 0);
  const auto use = [&](CounterId id) { used[id] = 1; };
  for (const TopologyPlan& plan : plans_) {
    for (const auto& rule : plan.hard_spread) use(rule.counter);
    for (const auto& rule : plan.soft_spread) use(rule.counter);
    for (const CounterId id : plan.affinity) use(id);
    for (const CounterId id : plan.anti_affinity) use(id);
    for (const auto& weighted : plan.preferred) use(weighted.counter);
  }
  for (const std::vector<Membership>& list : memberships_) {
    for (const Membership& membership : list) {
      if (counters_[membership.counter].counts_owners()) use(membership.counter);
    }
  }
  return used;
}

void Topology::free_counter(CounterId id) {
  const auto entry = counter_ids_.find(hash_of(counters_[id].key()));
  std::erase(entry->second, id);
  if (entry->second.empty()) counter_ids_.erase(entry);
  index_.forget(id);
  counters_[id] = Counter();
  free_counters_.push_back(id);
}

}  // namespace berth::engine
