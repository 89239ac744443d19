#include "engine/cycle/promises.h"

#include <algorithm>

#include "base/mutant.h"
#include "engine/fit/filters.h"

namespace berth::engine {
namespace {

// The pods whose promise of this node counts against the asking one, in order of their names.
std::vector<PodId> counting(const World& world, NameId node, PodId asking) {
  std::vector<PodId> result;
  const auto found = world.promises().find(node);
  if (found == world.promises().end() || mutant("Rule.Promises")) return result;
  const std::int32_t priority = world.shape_of(asking).input.priority;
  const WorkloadId own = world.pod(asking).workload;  // its members are placed together
  for (const PodId pod : found->second) {
    if (!own.is_none() && world.pod(pod).workload == own) continue;
    if (pod != asking && world.pod(pod).state == PodState::kPending &&
        (world.shape_of(pod).input.priority >= priority || mutant("Rule.PromisesOfLowerPriority"))) {
      result.push_back(pod);
    }
  }
  std::ranges::sort(result, {}, [&](PodId pod) { return world.names().names.text(world.pod(pod).name); });
  return result;
}

}  // namespace

bool fits_with_promised(World& world, const Question& question, NodeId node, PodId asking, bool with_topology) {
  const std::vector<PodId> promised = counting(world, world.node(node).input.name, asking);
  if (promised.empty()) return true;
  const World::Mark start = world.mark();
  for (const PodId pod : promised) world.place(pod, node);
  const bool fits = check_all(question, node, with_topology).fits();
  world.rollback(start);
  return fits;
}

std::vector<NodeId> closed_nodes(World& world, const Question& question, PodId asking, bool with_topology) {
  std::vector<NodeId> result;
  for (const auto& [name, pods] : world.promises()) {
    const NodeId node = world.find_node(name);
    if (!node.is_none() && !fits_with_promised(world, question, node, asking, with_topology)) result.push_back(node);
  }
  std::ranges::sort(result);
  return result;
}

bool awaits_victims(const Question& question, PodId id) {
  const World& world = question.world;
  const Pod& pod = world.pod(id);
  const NodeId node = pod.nominated_node.is_none() ? NodeId::none() : world.find_node(pod.nominated_node);
  if (node.is_none() || mutant("Rule.AwaitVictims") || !check_all(question, node).resolvable) return false;
  return std::ranges::any_of(world.node(node).pods, [&](PodId other) {
    return world.pod(other).preempted && world.shape_of(other).input.priority < question.shape.input.priority;
  });
}

}  // namespace berth::engine
