#include "sim/deadlock/results.h"

#include <iterator>
#include <optional>

#include <fmt/format.h>

#include "report/line_chart.h"
#include "text/json_writer.h"

namespace berth::sim::deadlock {
namespace {

constexpr double kHour = 3600;

double held_of(const Level& level, std::size_t way) { return static_cast<double>(level.ways[way].held) / level.trials; }

std::optional<double> makespan_of(const Level& level, std::size_t way) {
  const std::int64_t ended = level.trials - level.ways[way].deadlocked;
  if (ended == 0) return std::nullopt;
  return static_cast<double>(level.ways[way].makespan) / static_cast<double>(ended);
}

std::string demand_of(const Level& level) { return fmt::format("{:.2f}", level.percent / 100.0); }

}  // namespace

std::string render_table(const Study& study, std::span<const Level> levels, const text::TableStyle& style) {
  const Load& load = study.load;
  std::string out = fmt::format(
      "Gangs of {} pods x {} GPUs on {} nodes x {}, pods in random order, {} trials.\n"
      "k: kube-default, pod by pod; b: Berth, whole gangs. Held: GPU-hours of gangs\n"
      "that do not run, mean of a trial, until Berth has run all. Makespan: hours.\n\n",
      load.pods, load.cards, load.nodes, load.cards_per_node, study.trials);
  const auto right = text::Align::kRight;
  text::Table table({{"DEMAND", right},
                     {"GANGS", right},
                     {"DEADLOCKED k", right},
                     {"b", right},
                     {"HELD k", right},
                     {"b", right},
                     {"MAKESPAN k", right},
                     {"b", right}});
  for (const Level& level : levels) {
    std::vector<text::Cell> row = {demand_of(level), std::to_string(level.gangs)};
    for (std::size_t way = 0; way < kWays.size(); ++way) {
      row.emplace_back(std::to_string(level.ways[way].deadlocked));
    }
    for (std::size_t way = 0; way < kWays.size(); ++way) {
      row.emplace_back(fmt::format("{:.1f}", held_of(level, way) / kHour));
    }
    for (std::size_t way = 0; way < kWays.size(); ++way) {
      const auto makespan = makespan_of(level, way);
      row.emplace_back(makespan ? fmt::format("{:.2f}", *makespan / kHour) : "-");
    }
    table.add_row(std::move(row));
  }
  return out + table.render(style);
}

std::string render_csv(std::span<const Level> levels) {
  std::string out = "demand,gangs,way,trials,deadlocked,held_gpu_seconds,makespan_seconds\n";
  for (const Level& level : levels) {
    for (std::size_t way = 0; way < kWays.size(); ++way) {
      const auto makespan = makespan_of(level, way);
      fmt::format_to(std::back_inserter(out), "{},{},{},{},{},{:.1f},{}\n", demand_of(level), level.gangs,
                     name_of(kWays[way]), level.trials, level.ways[way].deadlocked, held_of(level, way),
                     makespan ? fmt::format("{:.1f}", *makespan) : "");
    }
  }
  return out;
}

std::string render_json(const Study& study, std::span<const Level> levels) {
  std::string out;
  text::JsonWriter writer(out, text::JsonStyle::kPretty);
  writer.begin_object();
  writer.member("apiVersion", "berth/v1");
  writer.member("kind", "DeadlockStudy");
  writer.member("nodes", std::int64_t{study.load.nodes});
  writer.member("gpusPerNode", std::int64_t{study.load.cards_per_node});
  writer.member("podsPerGang", std::int64_t{study.load.pods});
  writer.member("gpusPerPod", std::int64_t{study.load.cards});
  writer.member("runSeconds", study.load.runs_for);
  writer.member("secondsBetweenArrivals", study.load.between_arrivals);
  writer.member("trials", std::int64_t{study.trials});
  writer.member("seed", static_cast<std::int64_t>(study.seed));
  writer.key("demands");
  writer.begin_array();
  for (const Level& level : levels) {
    writer.begin_object();
    writer.key("demand");
    writer.number(demand_of(level));
    writer.member("gangs", std::int64_t{level.gangs});
    writer.key("ways");
    writer.begin_array();
    for (std::size_t way = 0; way < kWays.size(); ++way) {
      writer.begin_object();
      writer.member("way", name_of(kWays[way]));
      writer.member("deadlocked", level.ways[way].deadlocked);
      writer.key("heldGpuSeconds");
      writer.number(fmt::format("{:.1f}", held_of(level, way)));
      writer.key("makespanSeconds");
      if (const auto makespan = makespan_of(level, way)) {
        writer.number(fmt::format("{:.1f}", *makespan));
      } else {
        writer.null();
      }
      writer.end_object();
    }
    writer.end_array();
    writer.end_object();
  }
  writer.end_array();
  writer.end_object();
  return out + "\n";
}

std::string render_chart(const Study& study, std::span<const Level> levels) {
  report::LineChart chart{
      .title = "Trials in which gangs wait for each other for ever",
      .subtitle =
          fmt::format("gangs of {} pods x {} GPUs on {} nodes x {}, random order, {} trials per demand",
                      study.load.pods, study.load.cards, study.load.nodes, study.load.cards_per_node, study.trials),
      .x_label = "GPUs asked for, times the capacity",
      .y_label = "deadlocked trials, percent",
      .x_range = {},
      .y_range = std::pair(0.0, 100.0)};
  for (std::size_t way = 0; way < kWays.size(); ++way) {
    report::Series series{.name = std::string(name_of(kWays[way])), .points = {}};
    for (const Level& level : levels) {
      series.points.emplace_back(level.percent / 100.0,
                                 100.0 * static_cast<double>(level.ways[way].deadlocked) / level.trials);
    }
    chart.series.push_back(std::move(series));
  }
  return report::render_svg(chart);
}

}  // namespace berth::sim::deadlock
