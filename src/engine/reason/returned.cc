#include "engine/reason/returned.h"

#include <algorithm>
#include <vector>

#include "engine/fit/filters.h"

namespace berth::engine {
namespace {

// Does the workload need this member, and did others of it start before?
bool came_back(const World& world, PodId pod_id) {
  const Pod& pod = world.pod(pod_id);
  const Workload& workload = world.workloads()[pod.workload];
  if (pod.group == kNoGroup || !pod.started || !is_satisfied(workload)) return false;
  std::vector<std::int32_t> without(workload.groups.size(), 0);
  without[pod.group] = -1;
  if (is_satisfied(workload, without)) return false;
  return std::ranges::any_of(workload.groups, [&](const Group& group) {
    return std::ranges::any_of(group.members, [&](PodId other) {
      const Pod& sibling = world.pod(other);
      return sibling.state == PodState::kPlaced && sibling.started && *sibling.started < *pod.started;
    });
  });
}

}  // namespace

WorkloadId returned_before(World& world, ShapeId shape, Time created, std::int32_t priority, WorkloadId but_not) {
  for (std::size_t i = 0; i < world.pod_slots(); ++i) {
    const PodId id{i};
    const Pod& pod = world.pod(id);
    if (pod.state != PodState::kPlaced || pod.workload.is_none() || pod.workload == but_not) continue;
    if (pod.created <= created || world.workloads()[pod.workload].input.priority > priority) continue;
    if (!came_back(world, id)) continue;
    const WorkloadId workload = pod.workload;
    const NodeId node = pod.node;
    const World::Mark mark = world.mark();
    world.unplace(id, PodState::kEvicted);
    const Question question{world, world.shape(shape), world.topology().plan(shape)};
    const bool would_fit = check_all(question, node).fits();
    world.rollback(mark);
    if (would_fit) return workload;
  }
  return WorkloadId::none();
}

}  // namespace berth::engine
