// Topology's tables of domains, and which nodes count for whom.
#include <algorithm>
#include <utility>

#include "engine/topology/topology.h"
#include "engine/world/content_hash.h"
#include "engine/world/free_slots.h"
#include "engine/world/selectors.h"
#include "engine/world/world.h"

namespace berth::engine {

bool Topology::Eligibility::same(const Eligibility& other) const {
  return keys == other.keys && by_affinity == other.by_affinity && by_taints == other.by_taints &&
         selectors == other.selectors && tolerations == other.tolerations;
}

std::uint64_t Topology::hash_of(const Eligibility& eligibility) {
  ContentHash hash;
  hash.add(eligibility.keys);
  hash.add(eligibility.by_affinity);
  hash.add(eligibility.by_taints);
  hash.add(eligibility.selectors);
  hash.add(eligibility.tolerations);
  return hash.value();
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
  if (eligibilities_.front().same(wanted)) return 0;
  std::vector<std::uint32_t>& same_hash = eligibility_ids_[hash_of(wanted)];
  for (const std::uint32_t id : same_hash) {
    if (eligibilities_[id].same(wanted)) return id;
  }
  build(wanted);
  const std::uint32_t id = take_slot(eligibilities_, free_eligibilities_);
  same_hash.push_back(id);
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
    if (used[i] != 0 || !eligibilities_[i].in_use) continue;
    const auto entry = eligibility_ids_.find(hash_of(eligibilities_[i]));
    std::erase(entry->second, static_cast<std::uint32_t>(i));
    if (entry->second.empty()) eligibility_ids_.erase(entry);
    eligibilities_[i] = Eligibility{};
    eligibilities_[i].in_use = false;
    free_eligibilities_.push_back(static_cast<std::uint32_t>(i));
  }
}

}  // namespace berth::engine
