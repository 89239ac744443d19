#include "sim/standings.h"

#include <algorithm>
#include <string>

#include "engine/world/world.h"
#include "report/reasons.h"
#include "sim/surroundings.h"

namespace berth::sim {
namespace {

using dialects::workloads::QueueStanding;
using dialects::workloads::Standing;
using dialects::workloads::Standings;

// The member that stands for those that wait: the first in order.
engine::PodId first_waiting(const engine::World& world, const engine::Workload& workload) {
  engine::PodId first;
  for (const engine::Group& group : workload.groups) {
    for (const engine::PodId pod : group.members) {
      if (world.pod(pod).state != engine::PodState::kPending) continue;
      if (first.is_none() || world.before(pod, first)) first = pod;
    }
  }
  return first;
}

Standing standing_of(Cluster& cluster, engine::WorkloadId id, bool explained) {
  const engine::World& world = cluster.engine().world();
  const engine::Workload& workload = world.workloads()[id];
  Standing out;
  out.workload = workload.input.name;
  if (!workload.input.queues.empty()) out.queue = workload.input.queues.front();
  out.minimum = workload.input.groups.front().minimum_pods;
  out.placed = workload.placed();
  out.succeeded = workload.groups.front().succeeded;
  out.whole = engine::is_satisfied(workload) && out.placed + out.succeeded > 0;
  for (const engine::Group& group : workload.groups)
    out.waiting += static_cast<std::int32_t>(std::ranges::count_if(
        group.members, [&](engine::PodId pod) { return world.pod(pod).state == engine::PodState::kPending; }));
  if (!explained || out.waiting == 0) return out;
  const engine::PodId pod = first_waiting(world, workload);
  const engine::Reason reason = cluster.engine().explain(pod);
  const EngineSurroundings around(cluster.engine(), cluster.names(), pod);
  out.reason = report::name_of(reason.reason_class);
  out.message = report::sentence(reason, around);
  return out;
}

}  // namespace

Standings standings_of(Cluster& cluster, engine::Time now, bool explained) {
  Standings out;
  out.now = now;
  const engine::World& world = cluster.engine().world();
  const engine::Workloads& table = world.workloads();
  const auto& names = cluster.names().names;
  for (std::size_t i = 0; i < table.size(); ++i)
    if (table[engine::WorkloadId{i}].known)
      out.workloads.push_back(standing_of(cluster, engine::WorkloadId{i}, explained));
  std::ranges::sort(out.workloads, {}, [&](const Standing& each) { return names.text(each.workload); });
  for (const engine::QueueId queue : table.queues().top_down()) {
    if (queue == engine::QueueTree::kRoot) continue;
    QueueStanding& standing = out.queues.emplace_back();
    standing.queue = table.queues().input(queue).name;
    for (std::size_t i = 0; i < table.ledger().resource_count(); ++i) {
      const engine::ResourceId resource{i};
      if (const engine::Amount used = table.ledger().used(queue, resource); used != 0)
        standing.used.push_back({resource, used});
    }
  }
  return out;
}

}  // namespace berth::sim
