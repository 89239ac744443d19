#include "reference/reasons.h"

#include <algorithm>

#include "reference/requests.h"

namespace berth::reference {
namespace {

Snapshot emptied(Snapshot world) {
  for (NodeState& state : world.nodes) state.pods.clear();
  return world;
}

std::vector<api::Node> without_exclusions(const Snapshot& snapshot) {
  std::vector<api::Node> nodes;
  for (const NodeState& state : snapshot.nodes) {
    nodes.push_back(*state.node);
    nodes.back().unschedulable = false;
    nodes.back().conditions.clear();
    std::erase_if(nodes.back().taints,
                  [](const api::Taint& taint) { return taint.effect != api::TaintEffect::kPreferNoSchedule; });
  }
  return nodes;
}

// Nodes that would take the pod if no pod were anywhere.
std::vector<std::size_t> suitable_nodes(const Question& question) {
  const Snapshot world = emptied(question.snapshot);
  const Question changed{world, question.pod, question.profile, question.exclude_not_ready, question.rules_among_pods};
  std::vector<std::size_t> nodes;
  for (std::size_t i = 0; i < world.nodes.size(); ++i) {
    if (first_failure(changed, i).passes()) nodes.push_back(i);
  }
  return nodes;
}

}  // namespace

bool fits_somewhere(const Question& question, Lifted lifted, Occupied occupied, bool rules_among_pods) {
  Snapshot world = question.snapshot;
  const std::vector<api::Node> nodes = without_exclusions(world);
  for (std::size_t i = 0; i < world.nodes.size(); ++i) {
    if (lifted == Lifted::kExclusions) world.nodes[i].node = &nodes[i];
    if (occupied == Occupied::kEmptied) world.nodes[i].pods.clear();
  }
  const Question changed{world, question.pod, question.profile, question.exclude_not_ready, rules_among_pods};
  for (std::size_t i = 0; i < world.nodes.size(); ++i) {
    if (first_failure(changed, i).passes()) return true;
  }
  return false;
}

bool only_room_is_missing(const Question& question) {
  return std::ranges::all_of(suitable_nodes(question), [&](std::size_t node) {
    const Cause cause = first_failure(question, node).cause;
    return cause == Cause::kInsufficient || cause == Cause::kTooManyPods || cause == Cause::kCardFragmented;
  });
}

bool enough_in_sum(const Question& question) {
  const std::map<std::string, std::int64_t, std::less<>> needed = held_requests(question.pod);
  std::map<std::string, std::int64_t, std::less<>> free;
  std::int64_t free_places = 0;
  for (const std::size_t node : suitable_nodes(question)) {
    const NodeState& state = question.snapshot.nodes[node];
    for (const auto& [resource, amount] : needed) {
      free[resource] += std::max<std::int64_t>(allocatable(*state.node, resource) - state.used(resource), 0);
    }
    free_places +=
        std::max<std::int64_t>(allocatable(*state.node, "pods") - static_cast<std::int64_t>(state.pods.size()), 0);
  }
  return free_places >= 1 &&
         std::ranges::all_of(needed, [&](const auto& entry) { return free[entry.first] >= entry.second; });
}

ReasonClass classify(const Question& question) {
  const auto fits = [&](Lifted lifted, Occupied occupied, bool rules_among_pods) {
    return fits_somewhere(question, lifted, occupied, rules_among_pods);
  };
  if (hold(*question.snapshot.objects, question.pod, question.profile)) return ReasonClass::kNotReady;
  if (fits(Lifted::kNothing, Occupied::kAsNow, true)) return ReasonClass::kFits;
  if (fits(Lifted::kNothing, Occupied::kEmptied, true)) {
    if (fits(Lifted::kNothing, Occupied::kAsNow, false)) return ReasonClass::kTopologyNoFit;
    return only_room_is_missing(question) && enough_in_sum(question) ? ReasonClass::kFragmented : ReasonClass::kBusy;
  }
  if (fits(Lifted::kNothing, Occupied::kEmptied, false)) return ReasonClass::kTopologyNoFit;
  if (fits(Lifted::kExclusions, Occupied::kEmptied, true)) return ReasonClass::kNodeExcluded;
  return ReasonClass::kNeverFits;
}

std::map<Cause, std::size_t> count_causes(const Question& question) {
  std::map<Cause, std::size_t> counts;
  for (std::size_t i = 0; i < question.snapshot.nodes.size(); ++i) ++counts[first_failure(question, i).cause];
  return counts;
}

}  // namespace berth::reference
