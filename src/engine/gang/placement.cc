#include "engine/gang/placement.h"

#include <algorithm>

#include "base/mutant.h"
#include "engine/amounts.h"
#include "engine/gang/attempt.h"
#include "engine/gang/to_come.h"

namespace berth::engine {

std::vector<ResourceAmount> charge_of(const World& world, const Core& core) {
  std::vector<ResourceAmount> result;
  for (const CorePart& demand : core) {
    const auto pods = static_cast<Amount>(demand.pods.size());
    for (const ResourceAmount& each : world.shape(demand.shape).charge) {
      add_amount(result, {each.resource, pods * each.amount});
    }
  }
  return result;
}

std::optional<QuotaBlock> quota_block(const World& world, const Fairness& fairness, const Workload& workload,
                                      const Core& core, bool evicting, std::span<const ResourceAmount> held_to_come) {
  const std::vector<ResourceAmount> asked = charge_of(world, core);
  const std::vector<ResourceAmount> charge = added_charge(workload, asked);
  std::optional<QuotaBlock> first;
  const auto consider = [&](const std::optional<QuotaBlock>& block) {
    if (block && (!first || (block->never() && !first->never()))) first = block;
  };
  for (const QueueId queue : workload.queues) {
    std::optional<QuotaBlock> block = world.workloads().ledger().block(queue, charge);
    consider(block ? block : fairness.block(queue, charge));
  }
  if (!mutant("Rule.CountedAside"))
    for (const QueueId queue : workload.counted_in) consider(world.workloads().ledger().block(queue, charge));
  if (!first) first = block_of_kept(world.workloads(), fairness, workload, asked, evicting, held_to_come);
  return first;
}

PlacementOutcome JointPlacement::place(const Workload& workload, const Core& core, const PlacementOptions& options) {
  placed_.clear();
  if (options.fairness != nullptr &&
      quota_block(world_, *options.fairness, workload, core, options.evicting, options.held_to_come)) {
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

PlacementOutcome JointPlacement::grow_by_group(const Workload& workload, const Wanting& wanting, std::uint32_t group,
                                               const PlacementOptions& options) {
  PlacementOutcome outcome = PlacementOutcome::kTooFewMembers;
  for_each_core(
      workload, wanting, options.core_limit,
      [&](const Core& core) {
        std::int64_t pods = 0;
        for (const CorePart& part : core) pods += static_cast<std::int64_t>(part.pods.size());
        if (!may_have_more(workload, group, pods)) return false;
        outcome = place(workload, core, options);
        return outcome == PlacementOutcome::kPlaced;
      },
      group);
  return outcome;
}

// Of a leaf whose minimums are reached: a member, or a slice.
PlacementOutcome JointPlacement::grow_leaf(const Workload& workload, const Wanting& wanting, std::uint32_t leaf,
                                           const PlacementOptions& options) {
  const std::int32_t pods = growth_in_slices(world_, workload, leaf, trees_);
  PlacementOutcome outcome = PlacementOutcome::kTooFewMembers;
  for_each_growth(wanting, leaf, pods, [&](const Core& core) {
    outcome = place(workload, core, options);
    return outcome == PlacementOutcome::kPlaced;
  });
  return outcome;
}

PlacementOutcome JointPlacement::grow(const Workload& workload, const PlacementOptions& options, bool only_damaged) {
  const Wanting wanting = wanting_of(world_, workload);
  PlacementOutcome outcome = PlacementOutcome::kTooFewMembers;
  // Groups that lost members come before those that never had them.
  for (const bool damaged : {true, false}) {
    if (only_damaged && !damaged) break;
    std::vector<bool> tried(workload.groups.size(), false);
    for (std::uint32_t leaf = 0; leaf < workload.groups.size(); ++leaf) {
      if (wanting.by_group[leaf].empty()) continue;
      const std::uint32_t group = growth_of(workload, leaf);
      if (damaged != (group != kNoGroup && workload.groups[group].placed > 0)) continue;
      if (group != kNoGroup) {
        if (tried[group]) continue;
        tried[group] = true;
        outcome = grow_by_group(workload, wanting, group, options);
        if (outcome == PlacementOutcome::kPlaced) return outcome;
        continue;
      }
      outcome = grow_leaf(workload, wanting, leaf, options);
      if (outcome == PlacementOutcome::kPlaced) return outcome;
    }
  }
  return outcome;
}

}  // namespace berth::engine
