// The results of the Philly study as tables for people, as CSV, as JSON and as a chart.
#pragma once

#include <string>

#include "sim/philly/study.h"
#include "text/table.h"

namespace berth::sim::philly {

// "0", "12s", "3m", "4.5h", "6.1d".
[[nodiscard]] std::string show_duration(double seconds);

[[nodiscard]] std::string render_table(const Study& study, const Results& results, const text::TableStyle& style);
// Header: queue,gpus,jobs,way,ran,never_ran,mean_seconds,p50_seconds,p95_seconds,max_seconds; a row per queue and way,
// then one per way for all queues.
[[nodiscard]] std::string render_csv(const Study& study, const Results& results);
// {"apiVersion": "berth/v1", "kind": "PhillyStudy", ...}
[[nodiscard]] std::string render_json(const Study& study, const Results& results);
// Mean wait per queue in hours, a line per way; queues by their wait in a private partition.
[[nodiscard]] std::string render_chart(const Study& study, const Results& results);

}  // namespace berth::sim::philly
