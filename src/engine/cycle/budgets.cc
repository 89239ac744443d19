#include "engine/cycle/budgets.h"

#include <algorithm>

#include "base/mutant.h"

namespace berth::engine {

bool is_protected(const World& world, PodId pod) { return !world.budgets_of(pod).empty(); }

bool counts_against(const World& world, const BudgetInput& budget, PodId pod) {
  return !std::ranges::binary_search(budget.disrupted, world.pod(pod).name) || mutant("Rule.DisruptedPods");
}

std::vector<BrokenBudget> broken_budgets(const World& world, PodId pod, std::span<const PodId> together) {
  std::vector<BrokenBudget> result;
  for (const std::uint32_t place : world.budgets_of(pod)) {
    const BudgetInput& budget = world.budgets()[place];
    if (!counts_against(world, budget, pod)) continue;
    const auto needed = std::ranges::count_if(together, [&](PodId other) {
      return std::ranges::binary_search(world.budgets_of(other), place) && counts_against(world, budget, other);
    });
    if (needed > budget.disruptions_allowed)
      result.push_back({budget.name, budget.disruptions_allowed, static_cast<std::int32_t>(needed)});
  }
  return result;
}

BudgetCount::BudgetCount(const World& world) : world_(&world) {
  for (const BudgetInput& budget : world.budgets()) allowed_.push_back(budget.disruptions_allowed);
  if (allowed_.empty() || mutant("Rule.BudgetOfTheStep")) return;
  // Who went earlier in this step counts, although no budget says so yet.
  for (std::size_t i = 0; i < world.pod_slots(); ++i) {
    if (world.pod(PodId{i}).state != PodState::kEvicted) continue;
    for (const std::uint32_t place : world.budgets_of(PodId{i})) {
      if (counts_against(world, world.budgets()[place], PodId{i})) --allowed_[place];
    }
  }
}

bool BudgetCount::take(std::span<const PodId> pods) {
  std::vector<std::int64_t> left = allowed_;
  for (const PodId pod : pods) {
    for (const std::uint32_t place : world_->budgets_of(pod)) {
      if (!counts_against(*world_, world_->budgets()[place], pod)) continue;
      if (--left[place] < 0 && !mutant("Rule.GangDisruptionBudget")) return false;
    }
  }
  allowed_ = std::move(left);
  return true;
}

void BudgetCount::give_back(std::span<const PodId> pods) {
  for (const PodId pod : pods) {
    for (const std::uint32_t place : world_->budgets_of(pod)) {
      if (counts_against(*world_, world_->budgets()[place], pod)) ++allowed_[place];
    }
  }
}

}  // namespace berth::engine
