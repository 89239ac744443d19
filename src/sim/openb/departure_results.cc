#include "sim/openb/departure_results.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "text/json_writer.h"

namespace berth::sim::openb {
namespace {

using Value = DepartureSummary::Value;

template <class Of>
Value over_seeds(std::span<const DepartureRun> runs, const Of& of) {
  Value value;
  for (const DepartureRun& run : runs) value.mean += of(run) / static_cast<double>(runs.size());
  double squares = 0;
  for (const DepartureRun& run : runs) squares += (of(run) - value.mean) * (of(run) - value.mean);
  value.deviation = std::sqrt(squares / static_cast<double>(runs.size()));
  return value;
}

double waited_percent(const DepartureRun& run) {
  return run.pods == 0 ? 0 : 100.0 * static_cast<double>(run.waited) / static_cast<double>(run.pods);
}

void write_number(text::JsonWriter& writer, std::string_view key, double value) {
  writer.key(key);
  writer.number(fmt::format("{:.4f}", value));
}

void write_value(text::JsonWriter& writer, std::string_view key, const Value& value) {
  writer.key(key);
  writer.begin_object();
  write_number(writer, "mean", value.mean);
  write_number(writer, "deviation", value.deviation);
  writer.end_object();
}

void write_summary(text::JsonWriter& writer, const DepartureSummary& summary) {
  writer.begin_object();
  writer.member("workload", summary.workload);
  writer.member("policy", name_of(summary.policy));
  writer.member("seeds", static_cast<std::int64_t>(summary.seeds));
  write_number(writer, "gpus", summary.gpus);
  write_value(writer, "meanWaitSeconds", summary.mean_wait);
  write_value(writer, "lateWaitSeconds", summary.late_wait);
  write_value(writer, "waitedPercent", summary.waited);
  write_value(writer, "allocated", summary.allocated);
  write_value(writer, "fragmented", summary.fragmented);
  write_value(writer, "freeWhileWaiting", summary.free_while_waiting);
  write_value(writer, "waitingTimePercent", summary.waiting_time);
  writer.end_object();
}

void write_run(text::JsonWriter& writer, const DepartureRun& run) {
  writer.begin_object();
  writer.member("workload", run.workload);
  writer.member("policy", name_of(run.policy));
  writer.member("seed", static_cast<std::int64_t>(run.seed));
  writer.member("nodes", run.nodes);
  writer.member("gpus", run.gpus);
  writer.member("pods", run.pods);
  writer.member("waited", run.waited);
  writer.member("leftOut", run.left_out);
  write_number(writer, "meanWaitSeconds", run.mean_wait);
  write_number(writer, "lateWaitSeconds", run.late_wait);
  write_number(writer, "allocated", run.allocated);
  write_number(writer, "fragmented", run.fragmented);
  write_number(writer, "freeWhileWaiting", run.free_while_waiting);
  write_number(writer, "waitingTimePercent", run.waiting_time);
  writer.end_object();
}

}  // namespace

std::vector<DepartureSummary> summarize(std::span<const DepartureRun> runs) {
  std::vector<DepartureSummary> result;
  while (!runs.empty()) {
    const auto other = std::ranges::find_if(runs, [&](const DepartureRun& run) {
      return run.workload != runs.front().workload || run.policy != runs.front().policy;
    });
    const std::span<const DepartureRun> group = runs.first(static_cast<std::size_t>(other - runs.begin()));
    DepartureSummary summary{.workload = group.front().workload, .policy = group.front().policy, .seeds = group.size()};
    summary.gpus = over_seeds(group, [](const DepartureRun& run) { return static_cast<double>(run.gpus); }).mean;
    summary.mean_wait = over_seeds(group, [](const DepartureRun& run) { return run.mean_wait; });
    summary.late_wait = over_seeds(group, [](const DepartureRun& run) { return run.late_wait; });
    summary.waited = over_seeds(group, waited_percent);
    summary.allocated = over_seeds(group, [](const DepartureRun& run) { return run.allocated; });
    summary.fragmented = over_seeds(group, [](const DepartureRun& run) { return run.fragmented; });
    summary.free_while_waiting = over_seeds(group, [](const DepartureRun& run) { return run.free_while_waiting; });
    summary.waiting_time = over_seeds(group, [](const DepartureRun& run) { return run.waiting_time; });
    result.push_back(std::move(summary));
    runs = runs.subspan(group.size());
  }
  return result;
}

std::string render_table(std::span<const DepartureRun> runs, const text::TableStyle& style) {
  text::Table table({{"WORKLOAD"},
                     {"POLICY"},
                     {"WAIT s", text::Align::kRight},
                     {"99 % s", text::Align::kRight},
                     {"WAITED", text::Align::kRight},
                     {"ALLOC.", text::Align::kRight},
                     {"FRAGM.", text::Align::kRight},
                     {"STRANDED", text::Align::kRight}});
  for (const DepartureSummary& summary : summarize(runs)) {
    table.add_row({summary.workload, std::string(name_of(summary.policy)),
                   fmt::format("{:.0f} ± {:.0f}", summary.mean_wait.mean, summary.mean_wait.deviation),
                   fmt::format("{:.0f}", summary.late_wait.mean), fmt::format("{:.1f} %", summary.waited.mean),
                   fmt::format("{:.2f}", summary.allocated.mean), fmt::format("{:.2f}", summary.fragmented.mean),
                   fmt::format("{:.2f}", summary.free_while_waiting.mean)});
  }
  return table.render(style);
}

std::string render_json(const Study& study, const DepartureOptions& options, std::span<const DepartureRun> runs) {
  std::string out;
  text::JsonWriter writer(out, text::JsonStyle::kPretty);
  writer.begin_object();
  writer.member("apiVersion", "berth/v1");
  writer.member("kind", "OpenbDepartures");
  writer.member("ties", std::string_view(study.ties == Ties::kFixed ? "fixed" : "random"));
  writer.member("arrivals", std::string_view(options.kind == DepartureOptions::Kind::kReplay ? "replay" : "load"));
  writer.member("percent", options.percent);
  writer.key("summaries");
  writer.begin_array();
  for (const DepartureSummary& summary : summarize(runs)) write_summary(writer, summary);
  writer.end_array();
  writer.key("runs");
  writer.begin_array();
  for (const DepartureRun& run : runs) write_run(writer, run);
  writer.end_array();
  writer.end_object();
  return out + "\n";
}

}  // namespace berth::sim::openb
