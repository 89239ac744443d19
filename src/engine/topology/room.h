// Room: how many pods of a shape every node could take, and their sums per domain, kept by the world's log. The counts
// that make a no cheap and that choose the tightest domain.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <vector>

#include "engine/fit/question.h"
#include "engine/topology/domain_tree.h"

namespace berth::engine {

class Room {
 public:
  // `lifted`: as if no node were cordoned, tainted or not Ready.
  Room(const World& world, ShapeId example, bool lifted = false);

  // Follows the world's log. O(changes since the last call), or O(nodes) where the log does not reach back.
  void catch_up();

  [[nodiscard]] std::int32_t on(NodeId node) const { return on_node_[node.index()]; }
  [[nodiscard]] std::int64_t total() const { return total_; }
  // Per domain of a level of a tree. The first call for a level costs O(nodes).
  [[nodiscard]] const std::vector<std::int64_t>& per_domain(const DomainTree& tree, std::size_t level);

 private:
  struct Sums {
    const DomainTree* tree = nullptr;
    std::size_t level = 0;
    std::vector<std::int64_t> sums;
  };
  void rebuild();
  void update(NodeId node);

  const World& world_;
  const Shape& shape_;
  TopologyPlan no_rules_;
  Question question_;
  std::uint64_t layout_ = 0;
  std::uint64_t label_changes_ = 0;
  std::uint64_t cursor_ = 0;
  std::vector<std::int32_t> on_node_;  // by slot
  std::int64_t total_ = 0;
  std::vector<Sums> sums_;
};

// The rooms of live shapes; shapes with equal search parts share one.
class Rooms {
 public:
  explicit Rooms(const World& world, bool lifted = false) : world_(world), lifted_(lifted) {}
  // Up to date.
  Room& of(ShapeId shape);
  // Lets go of what was kept for search parts that are gone.
  void forget(std::span<const SearchId> searches) {
    for (const SearchId search : searches) kept_.erase(search);
  }

 private:
  struct Kept {
    std::unique_ptr<Room> room;
    std::uint64_t last_use = 0;
  };
  const World& world_;
  bool lifted_;
  std::map<SearchId, Kept> kept_;
  std::uint64_t uses_ = 0;
};

}  // namespace berth::engine
