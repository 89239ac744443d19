#include "sim/philly/trace.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>
#include <optional>

#include "base/whole_number.h"
#include "text/csv.h"
#include "text/input.h"

namespace berth::sim::philly {
namespace {

constexpr std::int32_t kMostGpus = 1'000'000;
constexpr double kLongest = 1e10;  // seconds

// "2017-10-09 07:01:55".
std::optional<std::int64_t> time_of(std::string_view text) {
  if (text.size() != 19 || text[4] != '-' || text[7] != '-' || text[10] != ' ' || text[13] != ':' || text[16] != ':') {
    return std::nullopt;
  }
  const auto year = whole_number<std::int64_t>(text.substr(0, 4), 0, 9999);
  const auto month = whole_number<std::int64_t>(text.substr(5, 2), 0, 12);
  const auto day = whole_number<std::int64_t>(text.substr(8, 2), 0, 31);
  const auto hour = whole_number<std::int64_t>(text.substr(11, 2), 0, 23);
  const auto minute = whole_number<std::int64_t>(text.substr(14, 2), 0, 59);
  const auto second = whole_number<std::int64_t>(text.substr(17, 2), 0, 60);
  if (!year || !month || !day || !hour || !minute || !second) return std::nullopt;
  const std::chrono::year_month_day date{std::chrono::year(static_cast<int>(*year)),
                                         std::chrono::month(static_cast<unsigned>(*month)),
                                         std::chrono::day(static_cast<unsigned>(*day))};
  if (!date.ok()) return std::nullopt;
  const std::int64_t days = std::chrono::sys_days(date).time_since_epoch().count();
  return ((days * 24 + *hour) * 60 + *minute) * 60 + *second;
}

std::optional<std::int64_t> seconds_of(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !(value >= 0) || value > kLongest) {
    return std::nullopt;
  }
  return std::max<std::int64_t>(std::llround(value), 1);
}

}  // namespace

Result<std::vector<TraceJob>> parse_jobs(std::string_view text, const std::string& file) {
  BERTH_TRY(const text::CsvTable table,
            text::parse_csv(text, file, {"timestamp", "duration", "num_gpus", "cluster"}, "a Philly list"));
  std::vector<TraceJob> jobs;
  jobs.reserve(table.rows.size());
  const auto at = [&](std::size_t row, std::string_view column) -> std::string_view {
    return table.rows[row][static_cast<std::size_t>(table.column(column))];
  };
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    const auto wrong = [&](std::string_view column, const std::string& hint) {
      return fail(ErrorCode::kInvalid, "\"" + std::string(at(i, column)) + "\" cannot be read; " + hint,
                  Place{.file = file, .line = table.lines[i], .field = std::string(column)});
    };
    const auto submitted = time_of(at(i, "timestamp"));
    if (!submitted) return wrong("timestamp", "write a time such as 2017-10-09 07:01:55.");
    const auto runs_for = seconds_of(at(i, "duration"));
    if (!runs_for) return wrong("duration", "write seconds, such as 66.0.");
    const auto gpus = whole_number<std::int64_t>(at(i, "num_gpus"), 0, kMostGpus);
    if (!gpus || *gpus == 0) return wrong("num_gpus", "write a number of GPUs from 1 on.");
    if (at(i, "cluster").empty()) return wrong("cluster", "name the job's virtual cluster.");
    jobs.push_back({*submitted, *runs_for, static_cast<std::int32_t>(*gpus), std::string(at(i, "cluster"))});
  }
  return jobs;
}

Result<std::vector<TraceCluster>> parse_clusters(std::string_view text, const std::string& file) {
  BERTH_TRY(const text::CsvTable table, text::parse_csv(text, file, {"vc", "node num"}, "a Philly list"));
  std::vector<TraceCluster> clusters;
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    const std::string& cell = table.rows[i][static_cast<std::size_t>(table.column("node num"))];
    const auto nodes = whole_number<std::int64_t>(cell, 0, kMostGpus);
    if (!nodes) {
      return fail(ErrorCode::kInvalid, "\"" + cell + "\" is not a number of nodes; write digits only.",
                  Place{.file = file, .line = table.lines[i], .field = "node num"});
    }
    const std::string& name = table.rows[i][static_cast<std::size_t>(table.column("vc"))];
    if (std::ranges::find(clusters, name, &TraceCluster::name) != clusters.end()) {
      return fail(ErrorCode::kInvalid, "Virtual cluster \"" + name + "\" is listed twice; keep one row.",
                  Place{.file = file, .line = table.lines[i], .field = "vc"});
    }
    clusters.push_back({name, static_cast<std::int32_t>(*nodes)});
  }
  return clusters;
}

Result<std::vector<TraceJob>> read_jobs(const std::string& path) {
  BERTH_TRY(const std::string content, text::read_file(path));
  return parse_jobs(content, path);
}

Result<std::vector<TraceCluster>> read_clusters(const std::string& path) {
  BERTH_TRY(const std::string content, text::read_file(path));
  return parse_clusters(content, path);
}

}  // namespace berth::sim::philly
