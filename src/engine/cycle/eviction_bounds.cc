#include "engine/cycle/eviction_bounds.h"

#include <algorithm>
#include <functional>
#include <limits>

#include "engine/cycle/eviction_units.h"
#include "engine/cycle/wake.h"
#include "engine/world/world.h"

namespace berth::engine {

void EvictionBounds::look(const World& world, NodeId node, Entry& entry) {
  entry.known = true;
  entry.shape = ShapeId::none();
  entry.lowest_priority = std::numeric_limits<std::int32_t>::max();
  entry.starts.clear();
  for (const PodId pod : world.node(node).pods) {
    entry.known = entry.known && world.pod(pod).workload.is_none();
    const std::int64_t priority = eviction_priority(world, pod);
    if (priority > entry.lowest_priority) continue;
    if (priority < entry.lowest_priority) entry.starts.clear();
    entry.lowest_priority = priority;
    entry.starts.push_back(start_of(world.pod(pod)));
  }
  std::ranges::sort(entry.starts, std::greater<>());
}

std::optional<EvictionBounds::Bound> EvictionBounds::of(const Question& question, ShapeId shape, NodeId node) {
  const World& world = question.world;
  if (entries_.size() < world.node_slots()) entries_.resize(world.node_slots());
  Entry& entry = entries_[node.index()];
  const std::uint64_t change = world.log().last_change(node);
  if (!entry.known || entry.change != change) look(world, node, entry);
  entry.change = change;
  if (entry.shape != shape) entry.victims = fewest_victims(question, node);
  entry.shape = shape;
  if (!entry.victims) return std::nullopt;
  return Bound{.victims = *entry.victims,
               .lowest_priority = entry.lowest_priority,
               .earliest_start = *entry.victims <= entry.starts.size() ? entry.starts[*entry.victims - 1]
                                                                       : std::numeric_limits<Time>::max()};
}

}  // namespace berth::engine
