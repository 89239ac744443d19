#include "engine/topology/topology.h"

#include <algorithm>
#include <utility>

#include "engine/world/content_hash.h"
#include "engine/world/selectors.h"
#include "engine/world/world.h"

namespace berth::engine {

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

bool Topology::Eligibility::same(const Eligibility& other) const {
  return keys == other.keys && by_affinity == other.by_affinity && by_taints == other.by_taints &&
         selectors == other.selectors && tolerations == other.tolerations;
}

// --- Tables and eligibility -----------------------------------------------------------------------------------------

std::uint32_t Topology::intern_table(LabelKeyId key, bool per_node) {
  for (std::uint32_t i = 0; i < tables_.size(); ++i) {
    if (tables_[i].key == key && tables_[i].per_node == per_node) return i;
  }
  DomainTable& made = tables_.emplace_back();
  made.key = key;
  made.per_node = per_node;
  build(made);
  return static_cast<std::uint32_t>(tables_.size() - 1);
}

void Topology::build(DomainTable& table) const {
  table.domain_of_node.assign(world_.node_slots(), DomainTable::kNone);
  table.domains.clear();
  table.domain_of_value.clear();
  table.members.resize(world_.rank_count());
  for (std::uint32_t rank = 0; rank < world_.rank_count(); ++rank) {
    const NodeId node = world_.at_rank(rank);
    std::uint32_t domain = rank;
    if (table.per_node) {
      table.domains.push_back({});
    } else {
      domain = table.domain_for(label_value(world_.node(node).input.labels, table.key));
    }
    table.join(node, rank, domain);
  }
}

Topology::Eligibility Topology::eligibility_of(const ShapeInput& shape, const SpreadConstraint& constraint,
                                               std::vector<LabelKeyId> keys) const {
  Eligibility result;
  result.keys = std::move(keys);
  result.by_affinity = constraint.honor_node_affinity && !shape.node_selectors.empty();
  result.by_taints = constraint.honor_node_taints;
  if (result.by_affinity) result.selectors = shape.node_selectors;
  if (result.by_taints) result.tolerations = shape.tolerations;
  return result;
}

std::uint32_t Topology::intern_eligibility(Eligibility wanted) {
  for (std::uint32_t i = 0; i < eligibilities_.size(); ++i) {
    if (eligibilities_[i].in_use && eligibilities_[i].same(wanted)) return i;
  }
  build(wanted);
  const auto free = std::ranges::find(eligibilities_, false, &Eligibility::in_use);
  const auto id = static_cast<std::uint32_t>(free - eligibilities_.begin());
  if (free == eligibilities_.end()) eligibilities_.emplace_back();
  eligibilities_[id] = std::move(wanted);
  return id;
}

bool Topology::passes(const Eligibility& eligibility, const NodeInput& node) const {
  const auto has_key = [&](LabelKeyId key) { return !label_value(node.labels, key).is_none(); };
  return std::ranges::all_of(eligibility.keys, has_key) &&
         (!eligibility.by_affinity || matches_all(eligibility.selectors, node, world_.names())) &&
         (!eligibility.by_taints || untolerated(eligibility.tolerations, node.taints) == nullptr);
}

void Topology::build(Eligibility& eligibility) const {
  eligibility.nodes.assign(world_.node_slots(), 0);
  for (const NodeId id : world_.by_rank()) {
    eligibility.nodes[id.index()] = passes(eligibility, world_.node(id).input) ? 1 : 0;
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
  for (std::size_t i = 1; i < turns.size(); ++i) eligibilities_[i].nodes[node.index()] ^= turns[i];
  for (Counter& counter : counters_) {
    if (concerned(counter)) counter.join(node, rank);
  }
  count_pods_of(node, 1);
  ++news_;
}

// --- Counters -------------------------------------------------------------------------------------------------------

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

void Topology::join(CounterId id, ShapeId shape) {
  if (!counters_[id].in_use()) return;
  const CounterKey& key = counters_[id].key();
  const std::int32_t times = times_counted(key, shape);
  if (times == 0) return;
  memberships_[shape.index()].push_back({id, times, key.what != CounterKey::What::kSpread});
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
  auto id = static_cast<CounterId>(counters_.size());
  if (free_counters_.empty()) {
    counters_.emplace_back();
  } else {
    id = free_counters_.back();
    free_counters_.pop_back();
  }
  same_hash.push_back(id);
  counters_[id] = Counter(std::move(key));
  for (std::size_t shape = 0; shape < memberships_.size(); ++shape) join(id, ShapeId(shape));
  if (!stale_) {
    start(id);
    recount(id);
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

// Counts the pods of one counter. Costs nothing much while no pod of a counted shape is placed.
void Topology::recount(CounterId id) {
  std::vector<std::pair<std::int32_t, bool>> times(memberships_.size());
  bool any = false;
  for (std::size_t shape = 0; shape < memberships_.size(); ++shape) {
    for (const Membership& membership : memberships_[shape]) {
      if (membership.counter != id) continue;
      times[shape] = {membership.times, membership.counts_terminating};
      any = any || world_.shape(ShapeId(shape)).placed > 0;
    }
  }
  if (!any) return;
  for (std::size_t i = 0; i < world_.pod_slots(); ++i) {
    const Pod& pod = world_.pod(PodId(i));
    if (pod.state != PodState::kPlaced) continue;
    const auto [count, counts_terminating] = times[pod.shape.index()];
    if (count != 0 && (counts_terminating || !pod.terminating)) counters_[id].add(pod.node, count);
  }
}

void Topology::pod_changed(ShapeId shape, NodeId node, bool terminating, std::int32_t sign, bool undoing) {
  if (stale_) return;  // refresh() will count
  for (const Membership& membership : memberships_[shape.index()]) {
    if (terminating && !membership.counts_terminating) continue;
    Counter& counter = counters_[membership.counter];
    counter.add(node, sign * membership.times);
    undoing ? counter.take_back_change(sign > 0) : counter.note_change(sign < 0);
    undoing ? --news_ : ++news_;
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
    for (auto& list : memberships_) list.clear();
    for (CounterId id = 0; id < counters_.size(); ++id) {
      for (std::size_t shape = 0; shape < memberships_.size(); ++shape) join(id, ShapeId(shape));
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

// Registers a term that pods of a shape carry; its counter counts those pods.
CounterId Topology::carry(CounterKey::What what, const AffinityTerm& term, std::int32_t weight) {
  CounterKey key{.what = what, .terms = {term}, .namespace_ = {}, .selector = {}, .weight = weight};
  key.table = intern_table(term.topology_key, false);
  const CounterId id = intern_counter(std::move(key));
  if (std::ranges::find(carried_, id) == carried_.end()) carried_.push_back(id);
  return id;
}

void Topology::shape_added(ShapeId shape) {
  if (shape.index() == memberships_.size()) {
    memberships_.emplace_back();
    plans_.emplace_back();
  }
  memberships_[shape.index()].clear();  // a slot that is used again
  plans_[shape.index()] = TopologyPlan{};
  for (CounterId id = 0; id < counters_.size(); ++id) join(id, shape);
  // New carried terms join this shape as they are made.
  const ShapeInput& input = world_.shape(shape).input;
  for (const AffinityTerm& term : input.required_anti_affinity) carry(CounterKey::What::kAntiOwners, term, 0);
  for (const AffinityTerm& term : input.required_affinity) carry(CounterKey::What::kHardOwners, term, 0);
  for (const WeightedAffinityTerm& term : input.preferred_affinity) {
    carry(CounterKey::What::kPreferOwners, term.term, term.weight);
  }
}

// --- Forgetting -----------------------------------------------------------------------------------------------------

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
      switch (counters_[membership.counter].key().what) {
        case CounterKey::What::kMatching:
        case CounterKey::What::kSpread:
          break;
        case CounterKey::What::kAntiOwners:
        case CounterKey::What::kHardOwners:
        case CounterKey::What::kPreferOwners:
          use(membership.counter);
          break;
      }
    }
  }
  return used;
}

void Topology::free_counter(CounterId id) {
  const auto entry = counter_ids_.find(hash_of(counters_[id].key()));
  std::erase(entry->second, id);
  if (entry->second.empty()) counter_ids_.erase(entry);
  counters_[id] = Counter();
  free_counters_.push_back(id);
}

void Topology::forget_unused_eligibilities() {
  std::vector<std::uint8_t> used(eligibilities_.size(), 0);
  for (const Counter& counter : counters_) {
    if (counter.in_use()) used[counter.key().eligibility] = 1;
  }
  for (std::size_t i = 1; i < used.size(); ++i) {
    if (used[i] != 0) continue;
    eligibilities_[i] = Eligibility{};
    eligibilities_[i].in_use = false;
  }
}

void Topology::forget(const std::vector<ShapeId>& shapes) {
  for (const ShapeId shape : shapes) {
    memberships_[shape.index()] = {};
    plans_[shape.index()] = TopologyPlan{};
  }
  const std::vector<std::uint8_t> used = counters_in_use();
  for (CounterId id = 0; id < counters_.size(); ++id) {
    if (counters_[id].in_use() && used[id] == 0) free_counter(id);
  }
  const auto is_free = [&](CounterId id) { return !counters_[id].in_use(); };
  for (std::vector<Membership>& list : memberships_) {
    std::erase_if(list, [&](const Membership& membership) { return is_free(membership.counter); });
  }
  std::erase_if(carried_, is_free);
  for (TopologyPlan& plan : plans_) {  // carried terms are looked through again
    plan.existing_anti_affinity.clear();
    plan.existing_hard.clear();
    plan.existing_preferred.clear();
    plan.owners_seen = 0;
  }
  forget_unused_eligibilities();
  ++news_;
}

// --- Plans ----------------------------------------------------------------------------------------------------------

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
  for (const AffinityTerm& term : input.required_affinity) {
    CounterKey key{
        .what = CounterKey::What::kMatching, .terms = input.required_affinity, .namespace_ = {}, .selector = {}};
    key.table = intern_table(term.topology_key, false);
    const CounterId counter = intern_counter(std::move(key));
    if (std::ranges::find(plan.affinity, counter) == plan.affinity.end()) plan.affinity.push_back(counter);
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
  const ShapeInput& input = world_.shape(shape).input;
  for (; plan.owners_seen < carried_.size(); ++plan.owners_seen) {
    const CounterId id = carried_[plan.owners_seen];
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
    plan.made = true;
  }
  if (plan.owners_seen != carried_.size()) plan_existing(plan, shape);
  return plan;
}

bool Topology::affinity_found(const TopologyPlan& plan) const {
  return std::ranges::any_of(plan.affinity, [&](CounterId id) { return counters_[id].total() > 0; });
}

}  // namespace berth::engine
