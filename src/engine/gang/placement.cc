#include "engine/gang/placement.h"

#include <algorithm>

#include "engine/gang/attempt.h"

namespace berth::engine {

std::vector<ResourceAmount> charge_of(const World& world, const Core& core) {
  std::vector<ResourceAmount> result;
  for (const CorePart& demand : core) {
    const auto pods = static_cast<Amount>(demand.pods.size());
    for (const ResourceAmount& each : world.shape(demand.shape).charge) {
      const auto place = std::ranges::lower_bound(result, each.resource, {}, &ResourceAmount::resource);
      if (place != result.end() && place->resource == each.resource) {
        place->amount += pods * each.amount;
      } else {
        result.insert(place, {each.resource, pods * each.amount});
      }
    }
  }
  return result;
}

std::optional<QuotaBlock> quota_block(const World& world, const Fairness& fairness, const Workload& workload,
                                      const Core& core) {
  const std::vector<ResourceAmount> charge = charge_of(world, core);
  std::optional<QuotaBlock> first;
  for (const QueueId queue : workload.queues) {
    std::optional<QuotaBlock> block = world.workloads().ledger().block(queue, charge);
    if (!block) block = fairness.block(queue, charge);
    if (block && (!first || (block->never() && !first->never()))) first = block;
  }
  return first;
}

PlacementOutcome JointPlacement::place(const Workload& workload, const Core& core, const PlacementOptions& options) {
  placed_.clear();
  if (options.fairness != nullptr && quota_block(world_, *options.fairness, workload, core)) {
    return PlacementOutcome::kQuota;
  }
  Attempt attempt(world_, search_, trees_, rooms(options.lifted), workload, core, options, placed_);
  if (!attempt.is_possible()) return PlacementOutcome::kNoRoom;
  std::size_t steps = 0;
  if (attempt.run_greedy(steps)) return PlacementOutcome::kPlaced;
  if (attempt.greedy_is_exact() && steps < options.step_limit) return PlacementOutcome::kNoRoom;
  steps = 0;
  if (attempt.run_exact(steps)) return PlacementOutcome::kPlaced;
  return steps < options.step_limit ? PlacementOutcome::kNoRoom : PlacementOutcome::kSearchLimit;
}

PlacementOutcome JointPlacement::place_core(const Workload& workload, const PlacementOptions& options) {
  const Wanting wanting = wanting_of(world_, workload);
  PlacementOutcome outcome = PlacementOutcome::kTooFewMembers;
  bool unsure = false;
  const CoreSearch search = for_each_core(workload, wanting, options.core_limit, [&](const Core& core) {
    const PlacementOutcome here = place(workload, core, options);
    // No room says more than no quota: another core is within it.
    if (outcome != PlacementOutcome::kNoRoom || here != PlacementOutcome::kQuota) outcome = here;
    unsure = unsure || outcome == PlacementOutcome::kSearchLimit;
    return outcome == PlacementOutcome::kPlaced;
  });
  if (search == CoreSearch::kStopped) return PlacementOutcome::kPlaced;
  if (unsure || search == CoreSearch::kLimit) return PlacementOutcome::kSearchLimit;
  return outcome;
}

PlacementOutcome JointPlacement::grow(const Workload& workload, const PlacementOptions& options) {
  const Wanting wanting = wanting_of(world_, workload);
  PlacementOutcome outcome = PlacementOutcome::kTooFewMembers;
  for (std::uint32_t group = 0; group < workload.groups.size(); ++group) {
    bool full = false;
    for (std::uint32_t at = group;; at = workload.input.groups[at].parent) {
      const std::int32_t most = workload.input.groups[at].maximum_pods;
      full = full || (most != GroupInput::kAll && workload.groups[at].placed >= most);
      if (at == 0) break;
    }
    if (full) continue;
    for (const Wanting::OfShape& shape : wanting.by_group[group]) {
      outcome = place(workload, {{group, shape.shape, {shape.pods.front()}}}, options);
      if (outcome == PlacementOutcome::kPlaced) return outcome;
    }
  }
  return outcome;
}

}  // namespace berth::engine
