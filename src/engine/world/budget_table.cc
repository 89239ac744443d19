#include "engine/world/budget_table.h"

#include <algorithm>

#include "engine/world/selectors.h"

namespace berth::engine {

bool protects(const BudgetInput& budget, const ShapeInput& pod, const Names& names) {
  return budget.namespace_ == pod.namespace_ && !pod.labels.empty() && !budget.selector.nothing &&
         !budget.selector.requirements.empty() && matches(budget.selector, pod.labels, names);
}

void BudgetTable::set(const BudgetInput& input) {
  const auto name_of = [&](const BudgetInput& budget) { return names_.names.text(budget.name); };
  const auto place = std::ranges::lower_bound(budgets_, names_.names.text(input.name), {}, name_of);
  if (place != budgets_.end() && place->name == input.name) {
    *place = input;
  } else {
    budgets_.insert(place, input);
  }
  protecting_.clear();
}

void BudgetTable::remove(NameId name) {
  std::erase_if(budgets_, [&](const BudgetInput& budget) { return budget.name == name; });
  protecting_.clear();
}

void BudgetTable::forget(ShapeId shape) {
  if (shape.index() < protecting_.size()) protecting_[shape.index()].reset();
}

const std::vector<std::uint32_t>& BudgetTable::protecting(ShapeId id, const ShapeInput& shape) const {
  if (id.index() >= protecting_.size()) protecting_.resize(id.index() + 1);
  std::optional<std::vector<std::uint32_t>>& known = protecting_[id.index()];
  if (!known) {
    known.emplace();
    for (std::uint32_t i = 0; i < budgets_.size(); ++i) {
      if (protects(budgets_[i], shape, names_)) known->push_back(i);
    }
  }
  return *known;
}

}  // namespace berth::engine
