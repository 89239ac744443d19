#include "engine/cycle/budgets.h"

#include <algorithm>

#include "base/mutant.h"
#include "engine/world/selectors.h"

namespace berth::engine {

bool protects(const BudgetInput& budget, const ShapeInput& pod, const Names& names) {
  return budget.namespace_ == pod.namespace_ && !pod.labels.empty() && !budget.selector.nothing &&
         !budget.selector.requirements.empty() && matches(budget.selector, pod.labels, names);
}

BudgetCount::BudgetCount(const World& world) : world_(&world) {
  for (const BudgetInput& budget : world.budgets()) allowed_.push_back(budget.disruptions_allowed);
}

bool BudgetCount::take(std::span<const PodId> pods) {
  std::vector<std::int64_t> left = allowed_;
  for (const PodId pod : pods) {
    for (std::size_t i = 0; i < left.size(); ++i) {
      if (!protects(world_->budgets()[i], world_->shape_of(pod).input, world_->names())) continue;
      if (--left[i] < 0 && !mutant("Rule.GangDisruptionBudget")) return false;
    }
  }
  allowed_ = std::move(left);
  return true;
}

void BudgetCount::give_back(std::span<const PodId> pods) {
  for (const PodId pod : pods) {
    for (std::size_t i = 0; i < allowed_.size(); ++i) {
      if (protects(world_->budgets()[i], world_->shape_of(pod).input, world_->names())) ++allowed_[i];
    }
  }
}

}  // namespace berth::engine
