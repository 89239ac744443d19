// Domain trees: any hierarchy of node labels (block, rack, NVLink clique, host) as domains within domains.
//
// A node belongs to a domain of a level if it has the labels of that level and of all above it; two racks called r1 in
// different blocks are two domains. Nodes without a label are in no domain of that level or below.
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <vector>

#include "engine/world/world.h"

namespace berth::engine {

class DomainTree {
 public:
  static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

  struct Domain {
    LabelValueId value;
    std::uint32_t parent = kNone;  // in the level above
    std::vector<NodeId> nodes;     // ascending by rank
  };

  // The world must be fresh. O(nodes x levels).
  DomainTree(const World& world, std::vector<LabelKeyId> levels);

  [[nodiscard]] const std::vector<LabelKeyId>& levels() const { return levels_; }
  // The position of a level, or none.
  [[nodiscard]] std::size_t level_of(LabelKeyId key) const;
  // In the order of their first nodes' ranks.
  [[nodiscard]] const std::vector<Domain>& domains(std::size_t level) const { return domains_[level]; }
  [[nodiscard]] std::uint32_t domain_of(std::size_t level, NodeId node) const {
    return domain_of_[level][node.index()];
  }

 private:
  std::vector<LabelKeyId> levels_;
  std::vector<std::vector<Domain>> domains_;           // by level
  std::vector<std::vector<std::uint32_t>> domain_of_;  // by level, by node slot
};

// The trees in use, made again when the nodes change.
class DomainTrees {
 public:
  explicit DomainTrees(const World& world) : world_(world) {}

  // The tree of these levels; valid until nodes or their labels change. The world must be fresh.
  const DomainTree& tree(const std::vector<LabelKeyId>& levels);
  // The levels a rule speaks of: those of its topology, or its own from the outermost.
  [[nodiscard]] std::vector<LabelKeyId> levels_of(const TopologyRule& rule) const;

 private:
  const World& world_;
  std::uint64_t layout_ = 0;
  std::uint64_t label_changes_ = 0;
  std::map<std::vector<LabelKeyId>, std::unique_ptr<DomainTree>> trees_;
};

}  // namespace berth::engine
