#include "engine/search/node_states.h"

#include <algorithm>
#include <limits>

namespace berth::engine {
namespace {

constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();
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
    key_.push_back(static_cast<std::int64_t>(group.free.size()));
    key_.insert(key_.end(), group.free.begin(), group.free.end());
  }
  if (with_kinds_) key_.insert(key_.end(), node.pods_by_kind.begin(), node.pods_by_kind.end());
}

std::uint32_t NodeStates::intern() {
  ContentHash hash;
  for (const std::int64_t value : key_) hash.add(value);
  const auto [entry, added] = first_of_hash_.try_emplace(hash.value(), kNone);
  for (std::uint32_t id = entry->second; id != kNone; id = states_[id].next) {
    const State& state = states_[id];
    if (state.size == key_.size() &&
        std::equal(key_.begin(), key_.end(), contents_.begin() + static_cast<std::ptrdiff_t>(state.begin))) {
      return id;
    }
  }
  const auto id = static_cast<std::uint32_t>(states_.size());
  states_.push_back({contents_.size(), key_.size(), entry->second});
  contents_.insert(contents_.end(), key_.begin(), key_.end());
  entry->second = id;
  return id;
}

std::uint32_t NodeStates::state(NodeId node) {
  if (seen_.size() < world_.node_slots()) seen_.resize(world_.node_slots());
  Seen& seen = seen_[node.index()];
  const std::uint64_t change = world_.last_change(node);
  if (seen.layout == world_.layout() && seen.change == change && seen.generation == generation_) return seen.state;
  if (states_.size() >= kMostStates) {
    states_.clear();
    contents_.clear();
    first_of_hash_.clear();
    ++generation_;
  }
  describe(node);
  seen = {world_.layout(), change, generation_, intern()};
  return seen.state;
}

}  // namespace berth::engine
