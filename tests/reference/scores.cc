#include "reference/scores.h"

#include <algorithm>

#include "reference/room_value.h"

namespace berth::reference {
namespace {

// A plugin that scores nothing here but is enabled as a score.
ScoreColumn nothing_to_tell(const std::vector<std::size_t>& feasible) {
  ScoreColumn column;
  column.raw.assign(feasible.size(), 0);
  column.normalized = column.raw;
  return column;
}

ScoreColumn score_room_value(const Question& question, const std::vector<std::size_t>& feasible) {
  ScoreColumn column;
  for (const std::size_t node : feasible) {
    column.raw.push_back(question.snapshot.rooms->rate(question.snapshot.nodes[node], question.pod).value);
  }
  column.normalized = column.raw;
  return column;
}

// Beside RoomValue the other scores count in its unit, and pods with cards do without those that spread load.
std::int64_t weight_beside(const Question& question, const api::SchedulerProfile::Score& score) {
  if (!values_room(question.profile) || score.plugin == api::Plugin::kRoomValue) return score.weight;
  const bool spreads_load =
      score.plugin == api::Plugin::kNodeResourcesFit || score.plugin == api::Plugin::kNodeResourcesBalancedAllocation;
  return spreads_load && !asked_cards(question.pod).empty() ? 0 : score.weight * RoomKeeper::kUnit;
}

}  // namespace

std::int64_t largest(const std::vector<std::int64_t>& values) {
  return values.empty() ? 0 : *std::ranges::max_element(values);
}

ScoreColumn score(const Question& question, const std::vector<std::size_t>& feasible, api::Plugin plugin) {
  switch (plugin) {
    case api::Plugin::kTaintToleration:
      return score_taint_toleration(question, feasible);
    case api::Plugin::kNodeAffinity:
      return score_node_affinity(question, feasible);
    case api::Plugin::kNodeResourcesFit:
      return score_node_resources_fit(question, feasible);
    case api::Plugin::kNodeResourcesBalancedAllocation:
      return score_balanced_allocation(question, feasible);
    case api::Plugin::kImageLocality:
      return score_image_locality(question, feasible);
    case api::Plugin::kPodTopologySpread:
      return score_pod_topology_spread(question, feasible);
    case api::Plugin::kInterPodAffinity:
      return score_inter_pod_affinity(question, feasible);
    case api::Plugin::kCardPacking:
      return score_card_packing(question, feasible);
    case api::Plugin::kVolumeBinding:
      return score_volume_binding(question, feasible);
    case api::Plugin::kRoomValue:
      return score_room_value(question, feasible);
    case api::Plugin::kNodeUnschedulable:
    case api::Plugin::kNodeName:
    case api::Plugin::kNodePorts:
    case api::Plugin::kVolumeRestrictions:
    case api::Plugin::kVolumeZone:
    case api::Plugin::kSchedulingGates:
    case api::Plugin::kPrioritySort:
    case api::Plugin::kNodeVolumeLimits:
    case api::Plugin::kDynamicResources:
    case api::Plugin::kDefaultPreemption:
    case api::Plugin::kDefaultBinder:
    case api::Plugin::kNodeDeclaredFeatures:
      return nothing_to_tell(feasible);
  }
  return nothing_to_tell(feasible);
}

ScoreTable score_table(const Question& question) {
  ScoreTable table;
  for (std::size_t node = 0; node < question.snapshot.nodes.size(); ++node) {
    if (first_failure(question, node).passes()) table.nodes.push_back(node);
  }
  table.total.assign(table.nodes.size(), 0);
  for (const api::SchedulerProfile::Score& entry : question.profile.scores) {
    const std::int64_t weight = weight_beside(question, entry);
    table.columns.push_back(score(question, table.nodes, entry.plugin));
    const ScoreColumn& column = table.columns.back();
    if (column.skipped) continue;
    for (std::size_t i = 0; i < table.nodes.size(); ++i) table.total[i] += weight * column.normalized[i];
  }
  return table;
}

}  // namespace berth::reference
