#include "sim/standings.h"

#include <algorithm>
#include <string>

#include "engine/amounts.h"
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
  const EngineSurroundings around(cluster, pod);
  out.reason = report::name_of(reason.reason_class);
  out.message = report::sentence(reason, around);
  return out;
}

// What workloads keep for pods to come, by queue, with all below it.
std::vector<std::vector<engine::ResourceAmount>> kept_by_queue(const engine::Workloads& table) {
  const engine::QueueTree& tree = table.queues();
  std::vector<std::vector<engine::ResourceAmount>> result(tree.size());
  for (std::size_t i = 0; i < table.size(); ++i) {
    const engine::Workload& workload = table[engine::WorkloadId{i}];
    for (std::size_t k = 0; k < workload.kept.size(); ++k) {
      if (workload.kept[k] == 0) continue;
      const engine::ResourceAmount kept{workload.input.minimum_amounts[k].resource, workload.kept[k]};
      for (const engine::QueueId queue : workload.counted_in) engine::add_amount(result[queue.index()], kept);
      for (const engine::QueueId queue : workload.queues)
        for (engine::QueueId at = queue; at != engine::QueueTree::kRoot; at = tree.parent(at))
          engine::add_amount(result[at.index()], kept);
    }
  }
  return result;
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
  const auto kept = kept_by_queue(table);
  for (const engine::QueueId queue : table.queues().top_down()) {
    if (queue == engine::QueueTree::kRoot) continue;
    QueueStanding& standing = out.queues.emplace_back();
    standing.queue = table.queues().input(queue).name;
    for (std::size_t i = 0; i < table.ledger().resource_count(); ++i) {
      const engine::ResourceId resource{i};
      const engine::Amount to_come = engine::amount_in(kept[queue.index()], resource);
      if (to_come != 0) standing.kept.push_back({resource, to_come});
      if (const engine::Amount used = table.ledger().used(queue, resource) - to_come; used != 0)
        standing.used.push_back({resource, used});
    }
  }
  return out;
}

}  // namespace berth::sim
