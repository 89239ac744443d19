// PodDisruptionBudgets: how many pods of a set may be evicted.
//
// Where a controller has written status.disruptionsAllowed that number counts. A budget from a manifest is computed as
// the disruption controller would: healthy pods less those that must stay. Percentages and maxUnavailable are of what
// the pods' controllers want, and round up.
#pragma once

#include <vector>

#include "api/objects.h"
#include "engine/input.h"
#include "engine/names.h"

namespace berth::dialects::kubernetes {

// In order of name. Budgets without a status cost O(pods) together, and each O(the pods with the rarest of its labels);
// one with a status costs O(1).
[[nodiscard]] std::vector<engine::BudgetInput> budgets(const api::ObjectSet& objects, engine::Names& names);

// What the disruption controller would allow now.
[[nodiscard]] std::int32_t computed_disruptions(const api::PodDisruptionBudget& budget, const api::ObjectSet& objects);

}  // namespace berth::dialects::kubernetes
