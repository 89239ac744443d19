// The `plugins` part of a scheduler profile: which plugins run at which extension point, in which order, with which
// weights. The rules are kube-scheduler's:
//
//   - multiPoint.enabled is merged into the default list: a named default is replaced in place, others come after it;
//     multiPoint.disabled takes names (or, with "*", all) out of the default list.
//   - At each extension point run first the plugins that the point itself enables and that are in the multiPoint list
//     too, then the rest of the multiPoint list, then the rest of what the point enables. What the point disables (or
//     everything, with "*") is not taken from the multiPoint list.
//   - A weight given at `score` wins over the one at `multiPoint`. No weight, and 0, count as 1.
#pragma once

#include <cstdint>
#include <string_view>

#include "api/scheduler_config.h"
#include "base/result.h"
#include "text/value.h"

namespace berth::api {

// Fills filters, scores, scheduling_gates and preemption of the profile. `plugins` may be null: the defaults.
[[nodiscard]] Result<void> read_plugins(const text::Value* plugins, std::string_view path, std::string_view file,
                                        SchedulerProfile& profile);

}  // namespace berth::api
