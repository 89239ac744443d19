#include "sim/plan/defragmentation.h"

#include <algorithm>
#include <numeric>
#include <set>
#include <string_view>

#include "api/full_name.h"
#include "api/owner.h"
#include "controllers/workshop.h"
#include "engine/cycle/consolidation.h"
#include "engine/cycle/eviction_units.h"
#include "engine/world/world.h"
#include "sim/lineage.h"

namespace berth::sim {
namespace {

using engine::PodId;

std::string key_of(const api::ObjectMeta& metadata) { return api::full_name(metadata); }

bool may_be_evicted(const api::Pod& pod) {
  const api::OwnerReference* controller = api::controller_of(pod.metadata);
  return (controller == nullptr || (controller->kind != "DaemonSet" && controller->kind != "Node")) &&
         controllers::annotation(pod.metadata, "kubernetes.io/config.mirror").empty() &&
         controllers::annotation(pod.metadata, "cluster-autoscaler.kubernetes.io/safe-to-evict") != "false";
}

std::vector<bool> movable_pods(const Cluster& cluster, const std::vector<Placement>& placements) {
  std::set<std::string> starting;
  for (const Placement& placement : placements) starting.insert(api::full_name(placement.namespace_, placement.name));
  const engine::World& world = cluster.engine().world();
  std::vector<bool> movable(world.pod_slots(), false);
  for (std::size_t i = 0; i < movable.size(); ++i) {
    const PodId id{i};
    if (world.pod(id).state != engine::PodState::kPlaced) continue;
    if (world.shape_of(id).input.priority >= engine::kSystemPriority) continue;
    const api::Pod* pod = cluster.pod(id);
    movable[i] = pod != nullptr && may_be_evicted(*pod) && !starting.contains(key_of(pod->metadata));
  }
  return movable;
}

engine::Amount cards_of(const engine::World& world, PodId pod) {
  engine::Amount milli = 0;
  for (const engine::CardRequest& request : world.shape_of(pod).input.cards) milli += request.total();
  return milli;
}

engine::Amount cards_of(const engine::World& world, engine::NodeId node) {
  std::size_t cards = 0;
  for (const engine::CardGroup& group : world.node(node).cards) cards += group.packed ? group.free.size() : 0;
  return static_cast<engine::Amount>(cards) * engine::kMilliPerCard;
}

std::vector<PodId> who_can_get_room(const engine::World& world, const std::vector<PodId>& waiting) {
  std::vector<PodId> result;
  std::ranges::copy_if(waiting, std::back_inserter(result), [&](PodId pod) {
    return world.pod(pod).workload.is_none() && world.shape_of(pod).profile != nullptr && cards_of(world, pod) > 0;
  });
  std::ranges::sort(result, [&](PodId a, PodId b) { return world.before(a, b); });
  return result;
}

}  // namespace

std::size_t Defragmentation::moves() const {
  return std::accumulate(steps.begin(), steps.end(), std::size_t{0},
                         [](std::size_t sum, const DefragmentationStep& step) { return sum + step.moves.size(); });
}

engine::Amount Defragmentation::moved_cards() const {
  engine::Amount sum = 0;
  for (const DefragmentationStep& step : steps) {
    for (const PodMove& move : step.moves) sum += move.cards;
  }
  return sum;
}

Defragmentation defragment(Cluster& cluster, const std::vector<PodId>& waiting,
                           const std::vector<Placement>& placements, std::size_t most_moves) {
  const engine::World& world = cluster.engine().world();
  const std::vector<PodId> pending = who_can_get_room(world, waiting);
  const std::vector<engine::Consolidation> parts =
      cluster.engine().consolidate(pending, movable_pods(cluster, placements), {.most_moves = most_moves});
  const Lineage lineage(cluster.objects());
  Defragmentation result;
  std::set<PodId> served;
  for (const engine::Consolidation& part : parts) {
    DefragmentationStep step{.pod = {},
                             .node = std::string(cluster.node_name(part.node)),
                             .node_cards = cards_of(world, part.node),
                             .moves = {}};
    if (!part.pod.is_none()) {
      step.pod = key_of(cluster.pod(part.pod)->metadata);
      served.insert(part.pod);
    }
    for (const engine::Move& move : part.moves) {
      const api::ObjectMeta& metadata = cluster.pod(move.pod)->metadata;
      step.moves.push_back({key_of(metadata), lineage.root(metadata), std::string(cluster.node_name(move.from)),
                            std::string(cluster.node_name(move.to)), cards_of(world, move.pod)});
    }
    result.steps.push_back(std::move(step));
  }
  for (const PodId pod : pending) {
    if (!served.contains(pod)) result.without_room.push_back(key_of(cluster.pod(pod)->metadata));
  }
  return result;
}

}  // namespace berth::sim
