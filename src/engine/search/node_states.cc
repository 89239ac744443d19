#include "engine/search/node_states.h"

namespace berth::engine {
namespace {

constexpr std::size_t kMostStates = std::size_t{1} << 20U;

}  // namespace

void NodeStates::describe(NodeId id) {
  const Node& node = world_.node(id);
  key_.clear();
  for (const ResourceId resource : {kCpu, kMemory}) {
    key_.push_back(world_.free(id, resource));
    key_.push_back(world_.allocatable(id, resource));
  }
  for (const CardGroup& group : node.cards) {
    key_.push_back(group.resource.value());
    key_.push_back(group.product.value());
    key_.push_back(group.memory_bytes);  // says what shares by memory take
    key_.push_back(static_cast<std::int64_t>(group.free.size()));
    key_.insert(key_.end(), group.free.begin(), group.free.end());
  }
  if (with_kinds_) key_.insert(key_.end(), node.pods_by_kind.begin(), node.pods_by_kind.end());
}

std::uint32_t NodeStates::state(NodeId node) {
  if (seen_.size() < world_.node_slots()) seen_.resize(world_.node_slots());
  Seen& seen = seen_[node.index()];
  const std::uint64_t change = world_.log().last_change(node);
  if (seen.layout == world_.layout() && seen.change == change && seen.generation == generation_) return seen.state;
  if (states_.size() >= kMostStates) {
    states_.clear();
    ++generation_;
  }
  describe(node);
  seen = {world_.layout(), change, generation_, states_.intern(key_)};
  return seen.state;
}

}  // namespace berth::engine
