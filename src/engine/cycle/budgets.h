// Disruption budgets during an eviction plan: how many pods may still go.
//
// Source: policy/v1 PodDisruptionBudget, status.disruptionsAllowed and disruptedPods.
#pragma once

#include <span>
#include <vector>

#include "engine/decision.h"
#include "engine/world/world.h"

namespace berth::engine {

// Does any budget protect the pod?
[[nodiscard]] bool is_protected(const World& world, PodId pod);

// Does it cost the budget, which protects the pod, one of its disruptions if this pod goes? Not if its eviction was
// granted before and the budget has counted it.
[[nodiscard]] bool counts_against(const World& world, const BudgetInput& budget, PodId pod);

// The budgets that the pod counts against and that are broken if all of `together`, it among them, go. In order of
// name.
[[nodiscard]] std::vector<BrokenBudget> broken_budgets(const World& world, PodId pod, std::span<const PodId> together);

class BudgetCount {
 public:
  // What the budgets allow, less those who went earlier in this step.
  explicit BudgetCount(const World& world);
  // May all of these go on top of those taken? If so they are taken.
  [[nodiscard]] bool take(std::span<const PodId> pods);
  void give_back(std::span<const PodId> pods);

 private:
  const World* world_;
  std::vector<std::int64_t> allowed_;  // as world.budgets()
};

}  // namespace berth::engine
