#include "engine/reason/shortage.h"

#include <algorithm>
#include <vector>

#include "engine/devices/holdings.h"
#include "engine/fit/filters.h"

namespace berth::engine {
namespace {

// One amount that a pod asks for: a plain resource, its own place among the node's pods, or cards.
struct Demand {
  ResourceId resource;
  Amount amount = 0;
  const CardRequest* cards = nullptr;
};

std::vector<Demand> demands_of(const ShapeInput& shape) {
  std::vector<Demand> result;
  for (const CardRequest& cards : shape.cards) {
    if (cards.count == 0) continue;
    // A share by memory is short of memory, in one card.
    result.push_back({cards.resource, cards.memory_bytes > 0 ? cards.memory_bytes : cards.total_rounded_up(), &cards});
  }
  for (const ResourceAmount& request : shape.requests) result.push_back({request.resource, request.amount, nullptr});
  result.push_back({kPods, 1, nullptr});
  return result;
}

// The most of a demand that one pod could get on this node.
Amount available(const World& world, NodeId node, const Demand& demand, bool emptied) {
  if (demand.cards == nullptr) {
    return emptied ? world.allocatable(node, demand.resource) : world.free(node, demand.resource);
  }
  const CardGroup* group = world.card_group(node, demand.resource);
  if (group == nullptr || !group->accepts(*demand.cards)) return 0;
  if (demand.cards->memory_bytes > 0) {
    if (emptied || group->memory_free.empty()) return group->free.empty() ? 0 : group->memory_bytes;
    return std::max<Amount>(*std::ranges::max_element(group->memory_free), 0);
  }
  const bool whole = demand.cards->whole();
  if (emptied) {
    const auto cards = static_cast<Amount>(group->free.size());
    return (whole ? cards : std::min<Amount>(cards, 1)) * kMilliPerCard;
  }
  const Amount free = std::max<Amount>(world.free(node, demand.resource), 0);
  return std::min<Amount>(free, whole ? Amount{group->whole_free} * kMilliPerCard : group->largest_free);
}

// What the node has of a demand in sum, over its cards too.
Amount free_in_sum(const World& world, NodeId node, const Demand& demand) {
  if (demand.cards != nullptr) {
    const CardGroup* group = world.card_group(node, demand.resource);
    if (group == nullptr || !group->accepts(*demand.cards)) return 0;
    if (demand.cards->memory_bytes > 0) {
      Amount sum = 0;
      for (const std::int64_t free : group->memory_free) sum += std::max<Amount>(free, 0);
      return sum;
    }
    // The sum of the node knows whole milli only, and takes them for less than they are.
    if (demand.cards->millionths > 0) {
      Amount sum = 0;
      for (const std::int32_t free : group->free) sum += std::max<Amount>(free, 0);
      return sum;
    }
  }
  return std::max<Amount>(world.free(node, demand.resource), 0);
}

// All filters but those about amounts, ports, claims and rules among pods.
bool is_admissible(const Question& question, NodeId node) {
  if (!check_ready(question, node).fits()) return false;
  return std::ranges::all_of(question.shape.profile->filters, [&](Filter filter) {
    return is_topology(filter) || filter == Filter::kNodeResourcesFit || check_filter(filter, question, node).fits();
  });
}

void add_holders(const Question& question, const Demand& demand, Reason& reason) {
  constexpr std::size_t kMost = 8;
  const World& world = question.world;
  for (const PodId pod : world.node(reason.best_node).pods) {
    Amount amount = demand.resource == kPods ? 1 : 0;
    const ShapeInput& shape = world.shape_of(pod).input;
    for (const ResourceAmount& request : shape.requests) {
      if (request.resource == demand.resource) amount += request.amount;
    }
    for (const CardAssignment& cards : world.pod(pod).cards) {
      if (cards.resource != demand.resource || demand.cards == nullptr) continue;
      amount +=
          (demand.cards->memory_bytes > 0 ? cards.memory_bytes : cards.milli) * static_cast<Amount>(cards.cards.size());
    }
    if (demand.cards != nullptr) {
      for (const NameId claim : world.pod(pod).claims) {
        const std::int64_t cards = world.holdings().cards_of(claim, reason.best_node, demand.resource);
        const CardGroup* group = world.card_group(reason.best_node, demand.resource);
        amount += cards * (demand.cards->memory_bytes > 0 ? group->memory_bytes : kMilliPerCard);
      }
    }
    if (amount > 0) reason.holders.push_back({pod, amount});
  }
  std::ranges::sort(reason.holders, [&](const Holder& a, const Holder& b) {
    if (a.amount != b.amount) return a.amount > b.amount;
    return world.names().names.text(world.pod(a.pod).name) < world.names().names.text(world.pod(b.pod).name);
  });
  if (reason.holders.size() > kMost) reason.holders.resize(kMost);
}

}  // namespace

bool enough_in_sum(const Question& question) {
  const World& world = question.world;
  const auto lacks_room_only = [&](NodeId node) {
    return check_ready(question, node).fits() &&
           std::ranges::all_of(question.shape.profile->filters, [&](Filter filter) {
             return filter == Filter::kNodeResourcesFit || check_filter(filter, question, node).fits();
           });
  };
  std::vector<Demand> demands = demands_of(question.shape.input);
  for (const NodeId node : world.by_rank()) {
    if (!lacks_room_only(node)) continue;
    for (Demand& demand : demands) demand.amount -= free_in_sum(world, node, demand);
  }
  return std::ranges::all_of(demands, [](const Demand& demand) { return demand.amount <= 0; });
}

void describe_shortage(const Question& question, std::span<const NodeId> would_do, Reason& reason) {
  const World& world = question.world;
  const bool emptied = reason.reason_class == ReasonClass::kNeverFits;
  const Question asked{world, question.shape, question.plan, emptied, emptied, {}};
  std::vector<NodeId> nodes;
  for (const NodeId node : world.by_rank()) {
    if (is_admissible(asked, node)) nodes.push_back(node);
  }
  // The demand that most nodes cannot meet decides; of equals the first, cards before the rest.
  const std::vector<Demand> demands = demands_of(question.shape.input);
  std::size_t worst = 0;
  std::ptrdiff_t most_short = -1;
  for (std::size_t i = 0; i < demands.size(); ++i) {
    const auto falls_short = [&](NodeId node) {
      if (world.claims_supply(question.shape.input, node, demands[i].resource)) return false;
      return available(world, node, demands[i], emptied) < demands[i].amount;
    };
    const std::ptrdiff_t count = std::ranges::count_if(nodes, falls_short);
    if (count > most_short) {
      most_short = count;
      worst = i;
    }
  }
  const Demand& demand = demands[worst];
  reason.resource = demand.resource;
  reason.needed = demand.amount;
  reason.card_memory = demand.cards != nullptr && demand.cards->memory_bytes > 0;
  if (reason.reason_class == ReasonClass::kNodeExcluded) nodes.assign(would_do.begin(), would_do.end());
  for (const NodeId node : nodes) {
    const Amount amount = available(world, node, demand, emptied);
    if (reason.best_node.is_none() || amount > reason.best_found) {
      reason.best_found = amount;
      reason.best_node = node;
    }
    reason.sum_free += free_in_sum(world, node, demand);
  }
  reason.missing = std::max<Amount>(reason.needed - reason.best_found, 0);
  if (!reason.best_node.is_none() && reason.missing > 0 && !emptied) add_holders(question, demand, reason);
}

}  // namespace berth::engine
