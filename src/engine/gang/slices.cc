#include "engine/gang/slices.h"

#include <algorithm>
#include <map>

#include "base/mutant.h"

namespace berth::engine {

std::vector<SliceGap> gaps_of_slices(const World& world, const Workload& workload, std::uint32_t leaf,
                                     const DomainTree& tree, const std::function<bool(PodId)>& counts) {
  const TopologyRule& rule = workload.input.groups[leaf].topology;
  const std::size_t level = tree.level_of(rule.slice_level);
  std::map<std::uint32_t, std::int32_t> running;
  for (const PodId member : workload.groups[leaf].members) {
    const NodeId node = world.pod(member).node;
    if (node.is_none() || !counts(member)) continue;
    if (const std::uint32_t domain = tree.domain_of(level, node); domain != DomainTree::kNone) ++running[domain];
  }
  std::vector<SliceGap> gaps;
  for (const auto& [domain, pods] : running)
    if (pods % rule.slice_size != 0) gaps.push_back({domain, rule.slice_size - pods % rule.slice_size});
  std::ranges::stable_sort(gaps, {}, &SliceGap::missing);
  return gaps;
}

bool may_have_more(const Workload& workload, std::uint32_t group, std::int64_t pods) {
  for (std::uint32_t at = group;; at = workload.input.groups[at].parent) {
    const std::int32_t most = workload.input.groups[at].maximum_pods;
    if (most != GroupInput::kAll && workload.groups[at].placed + pods > most) return false;
    if (at == 0) return true;
  }
}

std::int32_t growth_in_slices(const World& world, const Workload& workload, std::uint32_t leaf, DomainTrees& trees) {
  const TopologyRule& rule = workload.input.groups[leaf].topology;
  std::int32_t pods = std::max(rule.slice_size, 1);
  if (mutant("Rule.GrowsBySlices")) pods = 1;
  if (pods > 1) {
    const DomainTree& tree = trees.tree(trees.levels_of(rule));
    if (!gaps_of_slices(world, workload, leaf, tree, [](PodId) { return true; }).empty()) pods = 1;
  }
  while (pods > 0 && !may_have_more(workload, leaf, pods)) --pods;
  return pods;
}

}  // namespace berth::engine
