#include "engine/topology/domain_tree.h"

#include <algorithm>
#include <utility>

#include "engine/world/selectors.h"

namespace berth::engine {

DomainTree::DomainTree(const World& world, std::vector<LabelKeyId> levels) : levels_(std::move(levels)) {
  domains_.resize(levels_.size());
  domain_of_.assign(levels_.size(), std::vector<std::uint32_t>(world.node_slots(), kNone));
  std::vector<std::map<std::pair<std::uint32_t, LabelValueId>, std::uint32_t>> known(levels_.size());
  for (const NodeId node : world.by_rank()) {
    std::uint32_t parent = kNone;
    for (std::size_t level = 0; level < levels_.size(); ++level) {
      const LabelValueId value = label_value(world.node(node).input.labels, levels_[level]);
      if (value.is_none()) break;
      std::vector<Domain>& domains = domains_[level];
      const auto [entry, added] = known[level].try_emplace({parent, value}, static_cast<std::uint32_t>(domains.size()));
      if (added) domains.push_back({value, parent, {}});
      parent = entry->second;
      domains[parent].nodes.push_back(node);
      domain_of_[level][node.index()] = parent;
    }
  }
}

std::size_t DomainTree::level_of(LabelKeyId key) const {
  return static_cast<std::size_t>(std::ranges::find(levels_, key) - levels_.begin());
}

const DomainTree& DomainTrees::tree(const std::vector<LabelKeyId>& levels) {
  if (layout_ != world_.layout() || label_changes_ != world_.label_changes()) trees_.clear();
  layout_ = world_.layout();
  label_changes_ = world_.label_changes();
  std::unique_ptr<DomainTree>& tree = trees_[levels];
  if (tree == nullptr) tree = std::make_unique<DomainTree>(world_, levels);
  return *tree;
}

std::vector<LabelKeyId> DomainTrees::levels_of(const TopologyRule& rule) const {
  std::vector<LabelKeyId> result;
  if (const TopologyInput* topology = world_.topology_levels(rule.topology); topology != nullptr) {
    result = topology->levels;
  }
  for (const LabelKeyId key : {rule.required, rule.preferred, rule.slice_level}) {
    if (!key.is_none() && std::ranges::find(result, key) == result.end()) result.push_back(key);
  }
  return result;
}

}  // namespace berth::engine
