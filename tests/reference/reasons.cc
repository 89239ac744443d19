#include "reference/reasons.h"

#include <algorithm>

#include "reference/requests.h"

namespace berth::reference {

std::size_t nodes_that_fit(const Question& question, Lifted lifted, Occupied occupied, bool rules_among_pods) {
  Snapshot world = question.snapshot;
  if (occupied == Occupied::kEmptied) {
    for (NodeState& state : world.nodes) state.pods.clear();
    world.promised.clear();
  }
  const Question changed{
      world, question.pod, question.profile, question.exclude_not_ready, rules_among_pods, lifted == Lifted::kNothing};
  std::size_t count = 0;
  for (std::size_t i = 0; i < world.nodes.size(); ++i) count += first_failure(changed, i).passes() ? 1 : 0;
  return count;
}

bool fits_somewhere(const Question& question, Lifted lifted, Occupied occupied, bool rules_among_pods) {
  return nodes_that_fit(question, lifted, occupied, rules_among_pods) > 0;
}

bool fits_without_promises(const Question& question) {
  Snapshot world = question.snapshot;
  world.promised.clear();
  return fits_somewhere({world, question.pod, question.profile, question.exclude_not_ready}, Lifted::kNothing,
                        Occupied::kAsNow, true);
}

bool enough_in_sum(const Question& question) {
  Snapshot world = question.snapshot;
  world.promised.clear();
  api::SchedulerProfile all_but_room = question.profile;
  std::erase(all_but_room.filters, api::Plugin::kNodeResourcesFit);
  const Question changed{world, question.pod, all_but_room, question.exclude_not_ready, question.rules_among_pods};
  std::map<std::string, std::int64_t, std::less<>> needed = held_requests(question.pod);
  std::map<std::string, std::int64_t, std::less<>> free;
  std::int64_t free_slots = 0;
  for (std::size_t i = 0; i < question.snapshot.nodes.size(); ++i) {
    if (!first_failure(changed, i).passes()) continue;
    const NodeState& state = question.snapshot.nodes[i];
    for (const auto& [resource, amount] : needed) {
      free[resource] += std::max<std::int64_t>(allocatable(*state.node, resource) - state.used(resource), 0);
    }
    free_slots +=
        std::max<std::int64_t>(allocatable(*state.node, "pods") - static_cast<std::int64_t>(state.pods.size()), 0);
  }
  return free_slots >= 1 &&
         std::ranges::all_of(needed, [&](const auto& entry) { return free[entry.first] >= entry.second; });
}

ReasonClass classify(const Question& question) {
  if (hold(*question.snapshot.objects, question.pod, question.profile)) return ReasonClass::kNotReady;
  if (fits_somewhere(question, Lifted::kNothing, Occupied::kAsNow, true)) return ReasonClass::kFits;
  if (fits_without_promises(question)) return ReasonClass::kReserved;
  if (fits_somewhere(question, Lifted::kExclusions, Occupied::kAsNow, true)) return ReasonClass::kNodeExcluded;
  if (fits_somewhere(question, Lifted::kNothing, Occupied::kAsNow, false)) return ReasonClass::kTopologyNoFit;
  if (fits_somewhere(question, Lifted::kNothing, Occupied::kEmptied, false)) {
    return enough_in_sum(question) ? ReasonClass::kFragmented : ReasonClass::kBusy;
  }
  if (fits_somewhere(question, Lifted::kExclusions, Occupied::kEmptied, false)) return ReasonClass::kNodeExcluded;
  return ReasonClass::kNeverFits;
}

std::map<Cause, std::size_t> count_causes(const Question& question) {
  std::map<Cause, std::size_t> counts;
  for (std::size_t i = 0; i < question.snapshot.nodes.size(); ++i) ++counts[first_failure(question, i).cause];
  return counts;
}

}  // namespace berth::reference
