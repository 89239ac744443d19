#include "engine/cycle/units_by_node.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "engine/fit/capacity.h"

namespace berth::engine {

void Loss::add(const EvictionUnit& unit, std::size_t pods_gone) {
  whole = whole || !unit.surplus;
  highest_priority = std::max(highest_priority, unit.priority);
  work += unit.lost;
  pods += pods_gone;
}

std::vector<const EvictionUnit*> units_by_node(World& world, const EvictionOrder& order, WorkloadId preemptor,
                                               ShapeId shape, const std::function<bool(const EvictionUnit&)>& may_go) {
  std::map<std::uint32_t, std::vector<const EvictionUnit*>> on_rank;
  order.for_each(preemptor, [&](const EvictionUnit& unit) {
    if (!may_go(unit)) return false;
    for (const PodId pod : unit.pods) {
      if (world.pod(pod).state != PodState::kPlaced) continue;
      std::vector<const EvictionUnit*>& here = on_rank[world.node(world.pod(pod).node).rank];
      if (here.empty() || here.back() != &unit) here.push_back(&unit);
    }
    return false;
  });
  struct Emptied {
    Loss loss;
    std::vector<const EvictionUnit*> units;
  };
  const TopologyPlan no_rules;
  const Question question{world, world.shape(shape), no_rules};
  std::vector<Emptied> nodes;
  for (const auto& [rank, units] : on_rank) {
    const NodeId node = world.at_rank(rank);
    const World::Mark start = world.mark();
    Emptied emptied;
    for (const EvictionUnit* unit : units) {
      if (how_many_fit(question, node) > 0) break;
      for (const PodId pod : unit->pods)
        if (world.pod(pod).node == node) world.unplace(pod, PodState::kEvicted);
      emptied.loss.add(*unit, unit->pods.size());
      emptied.units.push_back(unit);
    }
    if (how_many_fit(question, node) > 0 && !emptied.units.empty()) nodes.push_back(std::move(emptied));
    world.rollback(start);
  }
  std::ranges::stable_sort(nodes, {}, &Emptied::loss);
  std::vector<const EvictionUnit*> result;
  std::set<const EvictionUnit*> told;
  for (const Emptied& each : nodes)
    for (const EvictionUnit* unit : each.units)
      if (told.insert(unit).second) result.push_back(unit);
  return result;
}

}  // namespace berth::engine
