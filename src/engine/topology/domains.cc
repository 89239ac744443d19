// Topology's tables of domains, and which nodes count for whom.
#include <algorithm>
#include <utility>

#include "engine/topology/topology.h"
#include "engine/world/selectors.h"
#include "engine/world/world.h"

namespace berth::engine {

bool Topology::Eligibility::same(const Eligibility& other) const {
  return keys == other.keys && by_affinity == other.by_affinity && by_taints == other.by_taints &&
         selectors == other.selectors && tolerations == other.tolerations;
}

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

}  // namespace berth::engine
