#include "sim/plan/defragmentation.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <set>
#include <string_view>
#include <utility>

#include "api/full_name.h"
#include "api/owner.h"
#include "base/whole_number.h"
#include "controllers/workshop.h"
#include "engine/cycle/consolidation.h"
#include "engine/cycle/eviction_units.h"
#include "engine/world/world.h"
#include "sim/lineage.h"
#include "sim/plan/inventory.h"

namespace berth::sim {
namespace {

using engine::PodId;

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
    movable[i] = pod != nullptr && may_be_evicted(*pod) && !starting.contains(api::full_name(pod->metadata));
  }
  return movable;
}

// "nvidia.com/mig-3g.20gb" has three of a card's seven slices of multiprocessors; others are cards.
engine::Amount worth_of(std::string_view resource) {
  constexpr std::string_view kPartition = "nvidia.com/mig-";
  constexpr engine::Amount kSlices = 7;
  if (!resource.starts_with(kPartition)) return engine::kMilliPerCard;
  resource.remove_prefix(kPartition.size());
  const auto slices = whole_number<engine::Amount>(resource.substr(0, resource.find_first_not_of("0123456789")), 1);
  return slices && *slices < kSlices ? *slices * engine::kMilliPerCard / kSlices : engine::kMilliPerCard;
}

std::vector<engine::Amount> worths(const engine::Names& names) {
  std::vector<engine::Amount> result(names.resources.size(), engine::kMilliPerCard);
  for (std::size_t i = 0; i < result.size(); ++i) result[i] = worth_of(names.resources.text(engine::ResourceId{i}));
  return result;
}

CardAmount amount_of(const engine::Names& names, engine::ResourceId resource, engine::Amount milli) {
  const std::string_view name = names.resources.text(resource);
  return {std::string(name), counts_gpus(name), milli};
}

// What the pod has, or else asks for.
std::vector<CardAmount> holds(const Cluster& cluster, PodId id) {
  const engine::World& world = cluster.engine().world();
  std::vector<CardAmount> result;
  for (const engine::CardRequest& request : world.shape_of(id).input.cards) {
    if (!request.packed || request.count == 0) continue;
    engine::Amount milli = request.total();
    for (const engine::CardAssignment& has : world.pod(id).cards) {
      if (has.resource == request.resource) milli = static_cast<engine::Amount>(has.cards.size()) * has.milli;
    }
    result.push_back(amount_of(cluster.names(), request.resource, milli));
  }
  return result;
}

std::vector<CardAmount> cards_of_node(const Cluster& cluster, engine::NodeId node) {
  std::vector<CardAmount> result;
  for (const engine::CardGroup& group : cluster.engine().world().node(node).cards) {
    if (!group.packed || group.free.empty()) continue;
    result.push_back(amount_of(cluster.names(), group.resource,
                               static_cast<engine::Amount>(group.free.size()) * engine::kMilliPerCard));
  }
  std::ranges::stable_sort(result, std::greater(), &CardAmount::whole_gpus);
  return result;
}

std::vector<PodId> who_can_get_room(const engine::World& world, std::vector<PodId> waiting) {
  std::erase_if(waiting, [&](PodId pod) {
    const engine::Shape& shape = world.shape_of(pod);
    return !world.pod(pod).workload.is_none() || shape.profile == nullptr ||
           std::ranges::none_of(shape.input.cards,
                                [](const engine::CardRequest& cards) { return cards.packed && cards.count > 0; });
  });
  std::ranges::sort(waiting, [&](PodId a, PodId b) { return world.before(a, b); });
  return waiting;
}

DefragmentationStep step_of(const Cluster& cluster, const Lineage& lineage, const engine::Consolidation& part) {
  DefragmentationStep step{.pod = {},
                           .node = std::string(cluster.node_name(part.node)),
                           .node_cards = cards_of_node(cluster, part.node),
                           .moves = {}};
  if (!part.pod.is_none()) step.pod = api::full_name(cluster.pod(part.pod)->metadata);
  for (const engine::Move& move : part.moves) {
    const api::ObjectMeta& metadata = cluster.pod(move.pod)->metadata;
    step.moves.push_back({.pod = api::full_name(metadata),
                          .owner = lineage.root(metadata),
                          .from = std::string(cluster.node_name(move.from)),
                          .to = std::string(cluster.node_name(move.to)),
                          .cards = move.cards,
                          .holds = holds(cluster, move.pod)});
  }
  return step;
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

std::vector<CardAmount> Defragmentation::interrupted() const {
  std::vector<CardAmount> sums;
  for (const DefragmentationStep& step : steps) {
    for (const PodMove& move : step.moves) {
      for (const CardAmount& each : move.holds) {
        const auto found = std::ranges::find(sums, each.resource, &CardAmount::resource);
        if (found == sums.end()) {
          sums.push_back(each);
        } else {
          found->amount += each.amount;
        }
      }
    }
  }
  std::ranges::stable_sort(sums, std::greater(), &CardAmount::whole_gpus);
  return sums;
}

Defragmentation defragment(Cluster& cluster, const std::vector<PodId>& fragmented, const std::vector<PodId>& busy,
                           const std::vector<Placement>& placements, std::size_t most_moves) {
  const engine::World& world = cluster.engine().world();
  std::vector<PodId> waiting = fragmented;
  waiting.insert(waiting.end(), busy.begin(), busy.end());
  const engine::ConsolidationPlan plan =
      cluster.engine().consolidate(who_can_get_room(world, std::move(waiting)), movable_pods(cluster, placements),
                                   {.most_moves = most_moves, .worth = worths(cluster.names())});
  const Lineage lineage(cluster.objects());
  Defragmentation result{.steps = {}, .without_room = {}, .complete = plan.complete, .questions = plan.questions};
  std::set<PodId> served;
  for (const engine::Consolidation& part : plan.parts) {
    result.steps.push_back(step_of(cluster, lineage, part));
    served.insert(part.pod);
  }
  for (const PodId pod : who_can_get_room(world, fragmented)) {
    if (!served.contains(pod)) result.without_room.push_back(api::full_name(cluster.pod(pod)->metadata));
  }
  return result;
}

}  // namespace berth::sim
