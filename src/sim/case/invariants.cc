#include "sim/case/invariants.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "api/pod_state.h"
#include "engine/amounts.h"
#include "engine/devices/holdings.h"
#include "engine/gang/workloads.h"
#include "engine/world/world.h"

namespace berth::sim {
namespace {

using engine::Amount;
using engine::Decision;

std::string_view pod_name(const Cluster& cluster, engine::PodId pod) {
  return cluster.names().names.text(cluster.engine().world().pod(pod).name);
}

// What the pods of a node ask, by resource; cards in thousandths, one pod slot each.
std::map<engine::ResourceId, Amount> asked_on(const engine::World& world, engine::NodeId on) {
  std::map<engine::ResourceId, Amount> asked;
  for (const engine::PodId id : world.node(on).pods) {
    const engine::ShapeInput& shape = world.shape_of(id).input;
    for (const engine::ResourceAmount& request : shape.requests) {
      if (!world.claims_supply(shape, on, request.resource)) asked[request.resource] += request.amount;
    }
    for (const engine::CardRequest& request : shape.cards) {
      if (!world.claims_supply(shape, on, request.resource))
        asked[request.resource] += engine::World::charged(request, world.pod(id).cards);
    }
    asked[engine::kPods] += 1;
  }
  return asked;
}

std::optional<std::string> amounts_differ(const Cluster& cluster, engine::NodeId id) {
  const engine::World& world = cluster.engine().world();
  const engine::Node& node = world.node(id);
  std::map<engine::ResourceId, Amount> asked = asked_on(world, id);
  for (const engine::CardGroup& group : node.cards) {
    const auto cards = world.holdings().cards_in_claims(id, group.resource).size();
    if (cards > 0) asked[group.resource] += static_cast<Amount>(cards) * engine::kMilliPerCard;
  }
  for (const engine::ResourceAmount& offered : node.input.allocatable) asked.try_emplace(offered.resource, 0);
  for (const auto& [resource, amount] : asked) {
    const auto offered = std::ranges::find(node.input.allocatable, resource, &engine::ResourceAmount::resource);
    const Amount whole = offered == node.input.allocatable.end() ? 0 : offered->amount;
    if (world.free(id, resource) != whole - amount)
      return fmt::format("{} has {} of {} free in the ledger, its pods leave {}", cluster.node_name(id),
                         world.free(id, resource), cluster.names().resources.text(resource), whole - amount);
  }
  return std::nullopt;
}

std::optional<std::string> cards_differ(const Cluster& cluster, engine::NodeId id) {
  const engine::World& world = cluster.engine().world();
  const engine::Node& node = world.node(id);
  for (const engine::CardGroup& group : node.cards) {
    constexpr std::int64_t kCard = std::int64_t{engine::kMilliPerCard} * engine::kMillionthsPerMilli;
    std::vector<std::int64_t> left(group.free.size(), kCard);
    std::vector<std::int64_t> memory(group.free.size(), group.memory_bytes);
    for (const engine::NodeInput::CardGroup& told : node.input.cards)
      for (std::size_t i = 0; told.resource == group.resource && i < std::min(memory.size(), told.lacking.size()); ++i)
        memory[i] -= told.lacking[i];
    for (const std::uint16_t card : world.holdings().cards_in_claims(id, group.resource)) {
      if (card >= left.size()) continue;
      left[card] -= kCard;
      memory[card] -= group.memory_bytes;
    }
    for (const engine::PodId pod : node.pods) {
      for (const engine::CardAssignment& assignment : world.pod(pod).cards) {
        if (assignment.resource != group.resource) continue;
        for (const std::uint16_t card : assignment.cards) {
          if (card >= left.size())
            return fmt::format("{} holds card {} of {}, which has {}", pod_name(cluster, pod), card,
                               cluster.node_name(id), left.size());
          left[card] -= std::int64_t{assignment.milli} * engine::kMillionthsPerMilli + assignment.millionths;
          memory[card] -= assignment.memory_bytes;
        }
      }
    }
    for (std::size_t card = 0; card < left.size(); ++card)
      if (left[card] != group.exact_free(card))
        return fmt::format("card {} of {} has {} free in the ledger, its pods leave {}", card, cluster.node_name(id),
                           group.exact_free(card), left[card]);
    for (std::size_t card = 0; card < group.memory_free.size(); ++card)
      if (memory[card] != group.memory_free[card])
        return fmt::format("card {} of {} has {} bytes free in the ledger, its pods leave {}", card,
                           cluster.node_name(id), group.memory_free[card], memory[card]);
  }
  return std::nullopt;
}

// False for what its profile was told not to compare.
bool is_limited(const engine::Shape& shape, engine::ResourceId resource) {
  return shape.profile != nullptr &&
         std::ranges::find(shape.profile->filters, engine::Filter::kNodeResourcesFit) != shape.profile->filters.end() &&
         !shape.input.ignores(resource);
}

// Is what the eviction frees used by the placement for which it is?
bool is_used(std::span<const Decision> decisions, std::size_t eviction, const engine::World& world) {
  // Devices may be reached from other nodes than that of their holder.
  const bool elsewhere = !world.shape_of(decisions[eviction].pod).input.claims.empty();
  return std::ranges::any_of(decisions.subspan(eviction + 1), [&](const Decision& later) {
    return later.kind == Decision::Kind::kPlace && later.pod == decisions[eviction].beneficiary &&
           (later.node == decisions[eviction].node || !later.workload.is_none() || elsewhere);
  });
}

}  // namespace

bool is_completed(const engine::StepResult& result, std::size_t eviction, const engine::World& world) {
  const std::span<const Decision> decisions(result.decisions);
  const Decision& one = decisions[eviction];
  if (is_used(decisions, eviction, world)) return true;
  // A workload that goes whole goes from all its nodes, for a place on one of them.
  const engine::WorkloadId loser = world.pod(one.pod).workload;
  if (loser.is_none()) return false;
  for (std::size_t i = 0; i < decisions.size(); ++i) {
    const Decision& other = decisions[i];
    if (other.kind == Decision::Kind::kEvict && other.beneficiary == one.beneficiary &&
        world.pod(other.pod).workload == loser && is_used(decisions, i, world))
      return true;
  }
  return false;
}

std::optional<std::string> evictions_complete(const engine::StepResult& result, const Cluster& cluster) {
  const std::span<const Decision> decisions(result.decisions);
  for (std::size_t i = 0; i < decisions.size(); ++i) {
    if (decisions[i].kind == Decision::Kind::kEvict && !is_completed(result, i, cluster.engine().world()))
      return fmt::format("{} is evicted from {} and nothing is placed there for it",
                         pod_name(cluster, decisions[i].pod), cluster.node_name(decisions[i].node));
  }
  return std::nullopt;
}

std::optional<std::string> ledger_is_real(const Cluster& cluster) {
  const engine::World& world = cluster.engine().world();
  for (std::size_t i = 0; i < world.node_slots(); ++i) {
    const engine::NodeId id{i};
    if (!world.node(id).alive) continue;
    if (auto wrong = amounts_differ(cluster, id)) return wrong;
    if (auto wrong = cards_differ(cluster, id)) return wrong;
  }
  // Every pod that the objects bind to a known node is placed there, and no other pod is.
  std::size_t placed = 0;
  for (std::size_t i = 0; i < world.pod_slots(); ++i)
    if (world.pod(engine::PodId{i}).state == engine::PodState::kPlaced) ++placed;
  std::size_t bound = 0;
  for (const auto& read : cluster.objects().pods) {
    if (is_finished(read.object)) continue;
    const std::string& node = read.object.spec.node_name;
    if (node.empty() || cluster.engine().find_node(cluster.names().names.find(node)).is_none()) continue;
    ++bound;
  }
  if (placed != bound) return fmt::format("{} pods are bound and the ledger has {}", bound, placed);
  return std::nullopt;
}

std::optional<std::string> gangs_are_whole(const engine::StepResult& result, const Cluster& cluster) {
  const engine::Workloads& workloads = cluster.engine().world().workloads();
  for (const Decision& decision : result.decisions) {
    if (decision.kind != Decision::Kind::kPlace || decision.workload.is_none()) continue;
    const engine::Workload& workload = workloads[decision.workload];
    // It may have gone again in the same step, but then with every member.
    if (workload.placed() > 0 && !engine::is_satisfied(workload))
      return fmt::format("{} holds {} places and is not whole", cluster.names().names.text(workload.input.name),
                         workload.placed());
    const std::uint32_t leaf = cluster.engine().world().pod(decision.pod).group;
    for (std::uint32_t group = leaf; group != 0; group = workload.input.groups[group].parent)
      if (workload.groups[group].placed > 0 && !engine::is_group_satisfied(workload, group))
        return fmt::format("{} of {} holds {} places and is not whole",
                           cluster.names().names.text(workload.input.groups[group].name),
                           cluster.names().names.text(workload.input.name), workload.groups[group].placed);
  }
  return std::nullopt;
}

WholeGroups whole_groups(const Cluster& cluster) {
  const engine::Workloads& workloads = cluster.engine().world().workloads();
  WholeGroups result;
  for (std::size_t i = 0; i < workloads.size(); ++i) {
    const engine::WorkloadId id{i};
    const engine::Workload& workload = workloads[id];
    if (workload.placed() == 0) continue;
    std::vector<bool>& whole = result[id];
    for (std::uint32_t group = 0; group < workload.groups.size(); ++group)
      whole.push_back(engine::is_group_satisfied(workload, group));
  }
  return result;
}

std::optional<std::string> gangs_go_whole(const engine::StepResult& result, const Cluster& cluster,
                                          const WholeGroups& before) {
  const engine::World& world = cluster.engine().world();
  for (const Decision& decision : result.decisions) {
    if (decision.kind != Decision::Kind::kEvict) continue;
    const auto whole = before.find(world.pod(decision.pod).workload);
    if (whole == before.end()) continue;
    const engine::Workload& loser = world.workloads()[whole->first];
    for (std::uint32_t group = 0; group < loser.groups.size(); ++group) {
      const std::int32_t left = loser.groups[group].placed;
      if (!whole->second[group] || left == 0 || engine::is_group_satisfied(loser, group)) continue;
      const std::string_view name = cluster.names().names.text(loser.input.name);
      return fmt::format("{} is evicted and leaves {}{} with {} places and not whole", pod_name(cluster, decision.pod),
                         group == 0 ? std::string_view() : cluster.names().names.text(loser.input.groups[group].name),
                         group == 0 ? std::string(name) : fmt::format(" of {}", name), left);
    }
  }
  return std::nullopt;
}

using Charges = std::map<std::pair<engine::QueueId, engine::ResourceId>, Amount>;

// What workloads that hold places lack of their minimum amounts.
void add_what_is_kept(const engine::World& world, Charges& asked) {
  const engine::Workloads& workloads = world.workloads();
  for (std::size_t i = 0; i < workloads.size(); ++i) {
    const engine::Workload& workload = workloads[engine::WorkloadId{i}];
    if (workload.placed() == 0) continue;
    for (const engine::ResourceAmount& least : workload.input.minimum_amounts) {
      Amount lacks = least.amount;
      for (const engine::Group& group : workload.groups)
        for (const engine::PodId pod : group.members)
          if (world.pod(pod).state == engine::PodState::kPlaced)
            lacks -= engine::amount_in(world.shape_of(pod).charge, least.resource);
      if (lacks <= 0) continue;
      for (const engine::QueueId queue : workload.queues) asked[{queue, least.resource}] += lacks;
      for (const engine::QueueId queue : workload.counted_in) asked[{queue, least.resource}] += lacks;
      if (workload.queues.empty()) asked[{engine::QueueTree::kRoot, least.resource}] += lacks;
    }
  }
}

std::optional<std::string> queues_are_real(const Cluster& cluster) {
  const engine::World& world = cluster.engine().world();
  const engine::Workloads& workloads = world.workloads();
  if (!workloads.queues().has_queues()) return std::nullopt;
  Charges asked;
  for (std::size_t i = 0; i < world.pod_slots(); ++i) {
    const engine::Pod& pod = world.pod(engine::PodId{i});
    if (pod.state != engine::PodState::kPlaced) continue;
    std::vector<engine::QueueId> queues{engine::QueueTree::kRoot};
    if (!pod.workload.is_none() && !workloads[pod.workload].queues.empty()) queues = workloads[pod.workload].queues;
    if (!pod.workload.is_none())
      queues.insert(queues.end(), workloads[pod.workload].counted_in.begin(), workloads[pod.workload].counted_in.end());
    for (const engine::QueueId queue : queues)
      for (const engine::ResourceAmount& each : world.shape(pod.shape).charge)
        asked[{queue, each.resource}] += each.amount;
  }
  add_what_is_kept(world, asked);
  for (const engine::QueueId queue : workloads.queues().top_down()) {
    for (std::size_t i = 0; i < workloads.ledger().resource_count(); ++i) {
      const engine::ResourceId resource{i};
      const Amount charged = workloads.ledger().own(queue, resource);
      if (charged != asked[{queue, resource}])
        return fmt::format("queue {} is charged {} of {}, its pods ask {}",
                           queue == engine::QueueTree::kRoot
                               ? "(none)"
                               : cluster.names().names.text(workloads.queues().input(queue).name),
                           charged, cluster.names().resources.text(resource), asked[{queue, resource}]);
    }
  }
  return std::nullopt;
}

std::optional<std::string> placements_fit(const engine::StepResult& result, const Cluster& cluster) {
  const engine::World& world = cluster.engine().world();
  for (const Decision& decision : result.decisions) {
    if (decision.kind != Decision::Kind::kPlace) continue;
    const engine::Shape& shape = world.shape_of(decision.pod);
    for (const engine::ResourceAmount& request : shape.input.requests)
      if (is_limited(shape, request.resource) && !world.claims_supply(shape.input, decision.node, request.resource) &&
          world.free(decision.node, request.resource) < 0)
        return fmt::format("{} put {} above its {}", pod_name(cluster, decision.pod), cluster.node_name(decision.node),
                           cluster.names().resources.text(request.resource));
    for (const engine::CardGroup& group : world.node(decision.node).cards)
      if (std::ranges::any_of(group.free, [](std::int32_t milli) { return milli < 0; }) ||
          std::ranges::any_of(group.memory_free, [](std::int64_t bytes) { return bytes < 0; }))
        return fmt::format("a card of {} is given away twice", cluster.node_name(decision.node));
  }
  return std::nullopt;
}

}  // namespace berth::sim
