// The results of the deadlock study as a table for people, as CSV, as JSON and as a chart.
#pragma once

#include <span>
#include <string>

#include "sim/deadlock/study.h"
#include "text/table.h"

namespace berth::sim::deadlock {

[[nodiscard]] std::string render_table(const Study& study, std::span<const Level> levels,
                                       const text::TableStyle& style);
// Header: demand,gangs,way,trials,deadlocked,held_gpu_seconds,makespan_seconds; a row per demand and way. Held and
// makespan are means; an empty makespan: no trial ended.
[[nodiscard]] std::string render_csv(std::span<const Level> levels);
// {"apiVersion": "berth/v1", "kind": "DeadlockStudy", ...}
[[nodiscard]] std::string render_json(const Study& study, std::span<const Level> levels);
// Deadlocked trials in percent against demand, a line per way.
[[nodiscard]] std::string render_chart(const Study& study, std::span<const Level> levels);

}  // namespace berth::sim::deadlock
