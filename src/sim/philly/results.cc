#include "sim/philly/results.h"

#include <algorithm>
#include <iterator>
#include <numeric>

#include <fmt/format.h>

#include "report/line_chart.h"
#include "text/json_writer.h"

namespace berth::sim::philly {
namespace {

constexpr double kMinute = 60;
constexpr double kHour = 3600;
constexpr double kDay = 24 * kHour;

const WayResult& result_of(const Results& results, Way way) { return results.ways[static_cast<std::size_t>(way)]; }

std::vector<text::Cell> wait_cells(const Waits& waits) {
  if (waits.ran == 0) return {"-", "-", "-", "-", std::to_string(waits.never_ran)};
  return {show_duration(waits.mean), show_duration(static_cast<double>(waits.p50)),
          show_duration(static_cast<double>(waits.p95)), show_duration(static_cast<double>(waits.most)),
          std::to_string(waits.never_ran)};
}

std::string promise_line(const Promise& promise) {
  if (promise.longer == 0) {
    return fmt::format(
        "{} jobs started within the guarantee of their queue: none of them waited\n"
        "longer than in a private partition.\n",
        promise.jobs);
  }
  const auto scattered = std::ranges::count_if(promise.late, &Promise::Late::fitted_guarantee);
  return fmt::format(
      "{} jobs started within the guarantee of their queue: {} of them waited\n"
      "longer than in a private partition, by up to {}: {} behind older jobs of\n"
      "their queue that lost borrowed GPUs, {} for free GPUs that lay scattered.\n",
      promise.jobs, promise.longer, show_duration(static_cast<double>(promise.most)), promise.longer - scattered,
      scattered);
}

std::string render_ways(const Results& results, const text::TableStyle& style) {
  const auto right = text::Align::kRight;
  text::Table table({{"WAY"},
                     {"MEAN WAIT", right},
                     {"P95", right},
                     {"USED %", right},
                     {"EVICTIONS", right},
                     {"GPU-H LOST", right},
                     {"GPU-H IDLE", right},
                     {"ENDED", right}});
  for (const WayResult& way : results.ways) {
    table.add_row({std::string(name_of(way.way)), show_duration(way.all.mean),
                   show_duration(static_cast<double>(way.all.p95)), fmt::format("{:.1f}", 100 * way.utilisation),
                   std::to_string(way.evictions), fmt::format("{:.0f}", static_cast<double>(way.lost) / kHour),
                   fmt::format("{:.0f}", static_cast<double>(way.idle) / kHour),
                   show_duration(static_cast<double>(way.ended))});
  }
  return table.render(style);
}

void write_waits(text::JsonWriter& writer, const Waits& waits) {
  writer.member("ran", waits.ran);
  writer.member("neverRan", waits.never_ran);
  if (waits.ran == 0) return;
  writer.key("meanSeconds");
  writer.number(fmt::format("{:.1f}", waits.mean));
  writer.member("p50Seconds", waits.p50);
  writer.member("p95Seconds", waits.p95);
  writer.member("maxSeconds", waits.most);
}

void write_way(text::JsonWriter& writer, const Study& study, const WayResult& way) {
  writer.begin_object();
  writer.member("way", name_of(way.way));
  writer.key("utilisation");
  writer.number(fmt::format("{:.4f}", way.utilisation));
  writer.member("evictions", way.evictions);
  writer.member("lostGpuSeconds", way.lost);
  writer.member("idleGpuSeconds", way.idle);
  writer.member("endedSeconds", way.ended);
  writer.key("waits");
  writer.begin_object();
  write_waits(writer, way.all);
  writer.end_object();
  writer.key("queues");
  writer.begin_array();
  for (std::size_t i = 0; i < study.clusters.size(); ++i) {
    writer.begin_object();
    writer.member("queue", study.clusters[i].name);
    write_waits(writer, way.per_cluster[i]);
    writer.end_object();
  }
  writer.end_array();
  writer.end_object();
}

void append_csv_row(std::string& out, std::string_view queue, std::int64_t gpus, std::int64_t jobs, Way way,
                    const Waits& waits) {
  fmt::format_to(std::back_inserter(out), "{},{},{},{},{},{}", queue, gpus, jobs, name_of(way), waits.ran,
                 waits.never_ran);
  if (waits.ran == 0) {
    out += ",,,,\n";
    return;
  }
  fmt::format_to(std::back_inserter(out), ",{:.1f},{},{},{}\n", waits.mean, waits.p50, waits.p95, waits.most);
}

std::int64_t gpus_of(const VirtualCluster& cluster) { return std::int64_t{cluster.nodes} * kCardsPerNode; }

}  // namespace

std::string show_duration(double seconds) {
  if (seconds == 0) return "0";
  if (seconds < kMinute) return fmt::format("{:.0f}s", seconds);
  if (seconds < kHour) return fmt::format("{:.0f}m", seconds / kMinute);
  if (seconds < kDay) return fmt::format("{:.1f}h", seconds / kHour);
  return fmt::format("{:.1f}d", seconds / kDay);
}

std::string render_table(const Study& study, const Results& results, const text::TableStyle& style) {
  std::string out = fmt::format(
      "{} jobs of {} virtual clusters on {} nodes x {} GPUs ({} % of the trace's).\n"
      "pods: kube-default, pod by pod, all share; partition: each has its own nodes;\n"
      "borrow: Berth, guarantees that others may borrow. Idle: held by half gangs.\n\n",
      study.jobs.size(), study.clusters.size(), study.nodes(), kCardsPerNode, study.percent);
  out += render_ways(results, style) + "\n";
  const auto right = text::Align::kRight;
  text::Table table({{"QUEUE", text::Align::kLeft, text::Overflow::kShorten},
                     {"GPUS", right},
                     {"JOBS", right},
                     {"WAY"},
                     {"MEAN", right},
                     {"P50", right},
                     {"P95", right},
                     {"MAX", right},
                     {"NEVER RAN", right}});
  for (std::size_t i = 0; i < study.clusters.size(); ++i) {
    const VirtualCluster& cluster = study.clusters[i];
    for (const WayResult& way : results.ways) {
      const bool first = way.way == kWays.front();
      std::vector<text::Cell> row = {first ? cluster.name : "", first ? std::to_string(gpus_of(cluster)) : "",
                                     first ? std::to_string(cluster.jobs) : "", std::string(name_of(way.way))};
      std::ranges::move(wait_cells(way.per_cluster[i]), std::back_inserter(row));
      table.add_row(std::move(row));
    }
  }
  return out + table.render(style) + "\n" + promise_line(results.promise);
}

std::string render_csv(const Study& study, const Results& results) {
  std::string out = "queue,gpus,jobs,way,ran,never_ran,mean_seconds,p50_seconds,p95_seconds,max_seconds\n";
  for (std::size_t i = 0; i < study.clusters.size(); ++i) {
    for (const WayResult& way : results.ways) {
      append_csv_row(out, study.clusters[i].name, gpus_of(study.clusters[i]), study.clusters[i].jobs, way.way,
                     way.per_cluster[i]);
    }
  }
  for (const WayResult& way : results.ways) {
    append_csv_row(out, "", std::int64_t{study.nodes()} * kCardsPerNode, static_cast<std::int64_t>(study.jobs.size()),
                   way.way, way.all);
  }
  return out;
}

std::string render_json(const Study& study, const Results& results) {
  std::string out;
  text::JsonWriter writer(out, text::JsonStyle::kPretty);
  writer.begin_object();
  writer.member("apiVersion", "berth/v1");
  writer.member("kind", "PhillyStudy");
  writer.member("scalePercent", std::int64_t{study.percent});
  writer.member("nodes", std::int64_t{study.nodes()});
  writer.member("gpusPerNode", std::int64_t{kCardsPerNode});
  writer.member("jobs", static_cast<std::int64_t>(study.jobs.size()));
  writer.key("queues");
  writer.begin_array();
  for (const VirtualCluster& cluster : study.clusters) {
    writer.begin_object();
    writer.member("name", cluster.name);
    writer.member("guaranteedGpus", gpus_of(cluster));
    writer.member("jobs", std::int64_t{cluster.jobs});
    writer.member("largestJobGpus", std::int64_t{cluster.largest_job});
    writer.end_object();
  }
  writer.end_array();
  writer.key("ways");
  writer.begin_array();
  for (const WayResult& way : results.ways) write_way(writer, study, way);
  writer.end_array();
  writer.key("guaranteeKept");
  writer.begin_object();
  writer.member("jobsWithinGuarantee", results.promise.jobs);
  writer.member("waitedLongerThanInPartition", results.promise.longer);
  writer.member("mostSecondsLonger", results.promise.most);
  writer.key("late");
  writer.begin_array();
  for (const Promise::Late& late : results.promise.late) {
    const jobs::Job& job = study.jobs[late.job];
    writer.begin_object();
    writer.member("queue", study.clusters[job.queue].name);
    writer.member("gpus", job.cards());
    writer.member("submitted", job.submitted());
    writer.member("startedAlone", late.alone);
    writer.member("started", late.started);
    writer.member("evictions", late.evictions);
    writer.member("gpusOfOlderJobs", late.older);
    writer.member("gpusOfOlderJobsAlone", late.older_alone);
    writer.flag("fittedGuarantee", late.fitted_guarantee);
    writer.end_object();
  }
  writer.end_array();
  writer.end_object();
  writer.end_object();
  return out + "\n";
}

std::string render_chart(const Study& study, const Results& results) {
  const WayResult& partition = result_of(results, Way::kPartition);
  // Virtual clusters without nodes have no partition to compare with.
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < study.clusters.size(); ++i) {
    if (study.clusters[i].nodes > 0) order.push_back(i);
  }
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return partition.per_cluster[i].mean; });
  report::LineChart chart{
      .title = "Mean wait of the jobs of a virtual cluster",
      .subtitle = fmt::format("Philly trace, {} jobs on {} GPUs; virtual clusters by their wait alone",
                              study.jobs.size(), std::int64_t{study.nodes()} * kCardsPerNode),
      .x_label = "virtual clusters",
      .y_label = "mean wait, hours",
      .x_range = {},
      .y_range = {}};
  for (const WayResult& way : results.ways) {
    report::Series series{.name = std::string(name_of(way.way)), .points = {}};
    for (std::size_t i = 0; i < order.size(); ++i) {
      if (way.per_cluster[order[i]].ran == 0) continue;
      series.points.emplace_back(static_cast<double>(i + 1), way.per_cluster[order[i]].mean / kHour);
    }
    chart.series.push_back(std::move(series));
  }
  return report::render_svg(chart);
}

}  // namespace berth::sim::philly
