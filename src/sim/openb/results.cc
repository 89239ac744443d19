#include "sim/openb/results.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>

#include <fmt/format.h>

#include "engine/score/placement_policy.h"
#include "report/line_chart.h"
#include "text/json_writer.h"

namespace berth::sim::openb {
namespace {

// The runs of one workload and policy, which stand next to each other.
std::span<const Run> next_group(std::span<const Run> runs) {
  const auto other = std::ranges::find_if(
      runs, [&](const Run& run) { return run.workload != runs.front().workload || run.policy != runs.front().policy; });
  return runs.first(static_cast<std::size_t>(other - runs.begin()));
}

using Curve = std::array<std::optional<double>, kArrivedPercent + 1>;

std::optional<Summary::Value> over_seeds(std::span<const Run> runs, Curve Run::* curve, std::size_t percent) {
  std::vector<double> values;
  for (const Run& run : runs) {
    if (const auto& value = (run.*curve)[percent]) values.push_back(*value);
  }
  if (values.empty()) return std::nullopt;
  const auto count = static_cast<double>(values.size());
  const double mean = std::accumulate(values.begin(), values.end(), 0.0) / count;
  double squares = 0;
  for (const double value : values) squares += (value - mean) * (value - mean);
  return Summary::Value{mean, std::sqrt(squares / count)};
}

std::string show(const std::optional<Summary::Value>& value, std::size_t seeds) {
  if (!value) return "-";
  return seeds > 1 ? fmt::format("{:.2f} ± {:.2f}", value->mean, value->deviation) : fmt::format("{:.2f}", value->mean);
}

void write_value(text::JsonWriter& writer, std::string_view key, const std::optional<Summary::Value>& value) {
  writer.key(key);
  if (!value) {
    writer.null();
    return;
  }
  writer.begin_object();
  writer.key("mean");
  writer.number(fmt::format("{:.4f}", value->mean));
  writer.key("deviation");
  writer.number(fmt::format("{:.4f}", value->deviation));
  writer.end_object();
}

void write_curve(text::JsonWriter& writer, std::string_view key, const Curve& curve) {
  writer.key(key);
  writer.begin_array();
  for (const auto& value : curve) {
    if (value) {
      writer.number(fmt::format("{:.4f}", *value));
    } else {
      writer.null();
    }
  }
  writer.end_array();
}

std::string kind_name(std::size_t kind) {
  if (kind == 0) return "share";
  return kind == engine::kNoCardKind ? "cpu" : std::to_string(kind);
}

std::optional<double> upper_bound_of(const Study& study, std::string_view workload) {
  const auto found = std::ranges::find(study.workloads, workload, &Workload::name);
  return found == study.workloads.end() ? std::nullopt : found->upper_bound;
}

void write_summary(text::JsonWriter& writer, const Study& study, const Summary& summary) {
  writer.begin_object();
  writer.member("workload", summary.workload);
  writer.member("policy", name_of(summary.policy));
  writer.member("seeds", static_cast<std::int64_t>(summary.seeds));
  write_value(writer, "allocatedAt100", summary.allocated_at_100);
  write_value(writer, "allocatedAt130", summary.allocated_at_130);
  write_value(writer, "fragmentedAt100", summary.fragmented_at_100);
  if (const auto bound = upper_bound_of(study, summary.workload)) {
    writer.key("upperBoundAt100");
    writer.number(fmt::format("{:.4f}", *bound));
  }
  writer.key("failedPods");
  writer.number(fmt::format("{:.1f}", summary.failed_pods));
  writer.end_object();
}

void write_run(text::JsonWriter& writer, const Run& run) {
  writer.begin_object();
  writer.member("workload", run.workload);
  writer.member("policy", name_of(run.policy));
  writer.member("seed", static_cast<std::int64_t>(run.seed));
  writer.member("pods", static_cast<std::int64_t>(run.pods));
  writer.key("failedByKind");
  writer.begin_object();
  for (std::size_t kind = 0; kind < run.failed.size(); ++kind) {
    if (run.failed[kind] == 0) continue;
    writer.member(kind_name(kind), run.failed[kind]);
  }
  writer.end_object();
  write_curve(writer, "allocated", run.allocated);
  write_curve(writer, "fragmented", run.fragmented);
  writer.end_object();
}

// A cell that holds a comma, a quote or a line break stands in quotes (RFC 4180).
std::string csv_cell(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string out = "\"";
  for (const char byte : text) out += byte == '"' ? std::string("\"\"") : std::string(1, byte);
  return out + '"';
}

}  // namespace

std::vector<Summary> summarize(std::span<const Run> runs) {
  std::vector<Summary> result;
  while (!runs.empty()) {
    const std::span<const Run> group = next_group(runs);
    Summary summary{.workload = group.front().workload, .policy = group.front().policy, .seeds = group.size()};
    summary.allocated_at_100 = over_seeds(group, &Run::allocated, 100);
    summary.allocated_at_130 = over_seeds(group, &Run::allocated, 130);
    // The study ends just below 130 %, so a small cluster may have no pod that rounds to it.
    if (!summary.allocated_at_130) summary.allocated_at_130 = over_seeds(group, &Run::allocated, 129);
    summary.fragmented_at_100 = over_seeds(group, &Run::fragmented, 100);
    std::int64_t failed = 0;
    for (const Run& run : group) failed = std::accumulate(run.failed.begin(), run.failed.end(), failed);
    summary.failed_pods = static_cast<double>(failed) / static_cast<double>(group.size());
    result.push_back(std::move(summary));
    runs = runs.subspan(group.size());
  }
  return result;
}

std::string render_table(const Study& study, std::span<const Run> runs, const text::TableStyle& style) {
  const bool with_bound =
      std::ranges::any_of(study.workloads, &std::optional<double>::has_value, &Workload::upper_bound);
  std::vector<text::Column> columns = {{"WORKLOAD"},
                                       {"POLICY"},
                                       {"SEEDS", text::Align::kRight},
                                       {"ALLOC. AT 100", text::Align::kRight},
                                       {"AT 130", text::Align::kRight},
                                       {"FRAGM.", text::Align::kRight},
                                       {"FAILED", text::Align::kRight}};
  if (with_bound) columns.insert(columns.begin() + 4, text::Column{"BOUND", text::Align::kRight});
  text::Table table(std::move(columns));
  for (const Summary& summary : summarize(runs)) {
    std::vector<text::Cell> row = {
        summary.workload,
        std::string(name_of(summary.policy)),
        std::to_string(summary.seeds),
        show(summary.allocated_at_100, summary.seeds),
        summary.allocated_at_130 ? fmt::format("{:.2f}", summary.allocated_at_130->mean) : "-",
        summary.fragmented_at_100 ? fmt::format("{:.2f}", summary.fragmented_at_100->mean) : "-",
        fmt::format("{:.0f}", summary.failed_pods)};
    if (with_bound) {
      const auto bound = upper_bound_of(study, summary.workload);
      row.insert(row.begin() + 4, text::Cell(bound ? fmt::format("{:.2f}", *bound) : "-"));
    }
    table.add_row(std::move(row));
  }
  return table.render(style);
}

std::string render_csv(std::span<const Run> runs) {
  std::string out = "workload,policy,seed,arrived,allocated,fragmented\n";
  for (const Run& run : runs) {
    for (std::size_t percent = 0; percent <= kArrivedPercent; ++percent) {
      if (!run.allocated[percent]) continue;
      fmt::format_to(std::back_inserter(out), "{},{},{},{},{:.4f},{:.4f}\n", csv_cell(run.workload),
                     name_of(run.policy), run.seed, percent, *run.allocated[percent],
                     run.fragmented[percent].value_or(0));
    }
  }
  return out;
}

std::string render_json(const Study& study, std::span<const Run> runs) {
  std::string out;
  text::JsonWriter writer(out, text::JsonStyle::kPretty);
  writer.begin_object();
  writer.member("apiVersion", "berth/v1");
  writer.member("kind", "OpenbStudy");
  writer.member("nodes", static_cast<std::int64_t>(study.cluster.nodes.size()));
  writer.member("ties", std::string_view(study.ties == Ties::kFixed ? "fixed" : "random"));
  writer.key("summaries");
  writer.begin_array();
  for (const Summary& summary : summarize(runs)) write_summary(writer, study, summary);
  writer.end_array();
  writer.key("runs");
  writer.begin_array();
  for (const Run& run : runs) write_run(writer, run);
  writer.end_array();
  writer.end_object();
  return out + "\n";
}

std::string render_chart(std::span<const Run> runs, std::string_view workload) {
  report::LineChart chart{.title = fmt::format("GPU allocation, openb workload {}", workload),
                          .subtitle = "mean over the seeds; pods arrive one by one, nothing leaves",
                          .x_label = "GPUs asked for, percent of the cluster",
                          .y_label = "GPUs allocated, percent of the cluster",
                          .x_range = std::pair(70.0, 130.0),
                          .y_range = std::pair(70.0, 100.0)};
  while (!runs.empty()) {
    const std::span<const Run> group = next_group(runs);
    if (group.front().workload == workload) {
      report::Series series{.name = std::string(name_of(group.front().policy))};
      for (std::size_t percent = 0; percent <= kArrivedPercent; ++percent) {
        if (const auto value = over_seeds(group, &Run::allocated, percent)) {
          series.points.emplace_back(static_cast<double>(percent), value->mean);
        }
      }
      chart.series.push_back(std::move(series));
    }
    runs = runs.subspan(group.size());
  }
  return report::render_svg(chart);
}

}  // namespace berth::sim::openb
