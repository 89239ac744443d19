// BudgetTable: the disruption budgets, and which of them protect the pods of a shape.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "engine/ids.h"
#include "engine/input.h"
#include "engine/names.h"

namespace berth::engine {

// Does the budget protect such a pod? Source: policy/v1 PodDisruptionBudget; an empty selector protects nobody here, as
// in kube-scheduler.
[[nodiscard]] bool protects(const BudgetInput& budget, const ShapeInput& pod, const Names& names);

class BudgetTable {
 public:
  explicit BudgetTable(const Names& names) : names_(names) {}

  void set(const BudgetInput& input);
  void remove(NameId name);
  // The slot of the shape may be another's from now on.
  void forget(ShapeId shape);

  // Ascending by name.
  [[nodiscard]] const std::vector<BudgetInput>& all() const { return budgets_; }
  // Places in all(), ascending. O(budgets) the first time that a shape is asked about, O(1) until budgets change; the
  // answer stays where it is until then.
  [[nodiscard]] const std::vector<std::uint32_t>& protecting(ShapeId id, const ShapeInput& shape) const;

 private:
  const Names& names_;
  std::vector<BudgetInput> budgets_;
  mutable std::deque<std::optional<std::vector<std::uint32_t>>> protecting_;  // by shape
};

}  // namespace berth::engine
