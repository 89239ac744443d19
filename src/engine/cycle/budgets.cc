#include "engine/cycle/budgets.h"

#include <algorithm>

#include "base/mutant.h"
#include "engine/world/selectors.h"

namespace berth::engine {

bool protects(const BudgetInput& budget, const ShapeInput& pod, const Names& names) {
  return budget.namespace_ == pod.namespace_ && !pod.labels.empty() && !budget.selector.nothing &&
         !budget.selector.requirements.empty() && matches(budget.selector, pod.labels, names);
}

bool is_protected(const World& world, PodId pod) {
  return std::ranges::any_of(world.budgets(), [&](const BudgetInput& budget) {
    return protects(budget, world.shape_of(pod).input, world.names());
  });
}

bool counts_against(const World& world, const BudgetInput& budget, PodId pod) {
  if (!protects(budget, world.shape_of(pod).input, world.names())) return false;
  return !std::ranges::binary_search(budget.disrupted, world.pod(pod).name) || mutant("Rule.DisruptedPods");
}

std::vector<BrokenBudget> broken_budgets(const World& world, PodId pod, std::span<const PodId> together) {
  std::vector<BrokenBudget> result;
  for (const BudgetInput& budget : world.budgets()) {
    if (!counts_against(world, budget, pod)) continue;
    const auto needed =
        std::ranges::count_if(together, [&](PodId other) { return counts_against(world, budget, other); });
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
    for (std::size_t k = 0; k < allowed_.size(); ++k) {
      if (counts_against(world, world.budgets()[k], PodId{i})) --allowed_[k];
    }
  }
}

bool BudgetCount::take(std::span<const PodId> pods) {
  std::vector<std::int64_t> left = allowed_;
  for (const PodId pod : pods) {
    for (std::size_t i = 0; i < left.size(); ++i) {
      if (!counts_against(*world_, world_->budgets()[i], pod)) continue;
      if (--left[i] < 0 && !mutant("Rule.GangDisruptionBudget")) return false;
    }
  }
  allowed_ = std::move(left);
  return true;
}

void BudgetCount::give_back(std::span<const PodId> pods) {
  for (const PodId pod : pods) {
    for (std::size_t i = 0; i < allowed_.size(); ++i) {
      if (counts_against(*world_, world_->budgets()[i], pod)) ++allowed_[i];
    }
  }
}

}  // namespace berth::engine
