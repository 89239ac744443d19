#include "sim/openb/departures.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <optional>
#include <queue>
#include <set>
#include <span>
#include <utility>

#include "base/random.h"
#include "engine/input.h"
#include "sim/openb/cell.h"
#include "sim/openb/run_each.h"
#include "sim/openb/workload.h"

namespace berth::sim::openb {
namespace {

constexpr std::int64_t kDay = 86'400;   // seconds
constexpr std::int64_t kLoadShare = 5;  // percent of the GPUs that a loaded cluster has
constexpr std::int64_t kTurnovers = 4;  // how often a loaded cluster is filled anew; the first is not measured
constexpr double kMostArrivals = 10'000'000;

// A pod that comes: position in the workload, when, and for how long it runs.
struct Arrival {
  std::int64_t at = 0;
  std::uint32_t index = 0;
  std::int64_t runs = 0;
};

std::int64_t run_time(const TracePod& pod) { return std::max<std::int64_t>(1, *pod.deleted - *pod.created); }

bool could_fit(const TracePod& pod, const TraceNode& node) {
  return pod.cpu_milli <= node.cpu_milli && pod.memory_mib <= node.memory_mib && pod.gpus <= node.gpus &&
         (pod.gpus == 0 || pod.models.empty() || std::ranges::binary_search(pod.models, node.model));
}

// Nodes drawn until they have so many milli-GPU.
Cluster cut(const Cluster& cluster, std::int64_t wanted_milli, Random& random) {
  std::vector<TraceNode> nodes = cluster.nodes;
  random.shuffle(nodes);
  Cluster result{.name = cluster.name, .nodes = {}};
  std::int64_t milli = 0;
  for (TraceNode& node : nodes) {
    if (milli >= wanted_milli) break;
    milli += static_cast<std::int64_t>(node.gpus) * engine::kMilliPerCard;
    result.nodes.push_back(std::move(node));
  }
  return result;
}

// Milli-GPU asked for at the busiest time, if nobody ever waited.
std::int64_t peak_demand(const std::vector<TracePod>& pods) {
  std::map<std::int64_t, std::int64_t> changes;
  for (const TracePod& pod : pods) {
    changes[*pod.created] += pod.total_milli();
    changes[*pod.created + run_time(pod)] -= pod.total_milli();
  }
  std::int64_t now = 0;
  std::int64_t most = 0;
  for (const auto& [time, change] : changes) most = std::max(most, now += change);
  return most;
}

std::vector<Arrival> as_in_the_trace(const std::vector<TracePod>& pods) {
  std::vector<Arrival> arrivals;
  for (std::uint32_t i = 0; i < pods.size(); ++i) arrivals.push_back({*pods[i].created, i, run_time(pods[i])});
  std::ranges::stable_sort(arrivals, {}, &Arrival::at);
  return arrivals;
}

// Exponential gaps, in whole seconds.
Result<std::vector<Arrival>> at_load(const Workload& workload, std::int64_t capacity, std::int64_t percent,
                                     Random& random) {
  const std::vector<TracePod>& pods = workload.pods;
  const auto runs = [](const TracePod& pod) { return std::min(kDay, run_time(pod)); };
  double work = 0;  // milli-GPU seconds
  for (const TracePod& pod : pods) work += static_cast<double>(pod.total_milli()) * static_cast<double>(runs(pod));
  std::vector<Arrival> arrivals;
  if (work <= 0) return arrivals;
  const double all_work = static_cast<double>(kTurnovers) * static_cast<double>(capacity) * static_cast<double>(kDay);
  if (all_work / work * static_cast<double>(pods.size()) > kMostArrivals) {
    return fail(ErrorCode::kInvalid,
                "The pods of the list are so small or run so briefly that over ten million of them would have to come; "
                "use a list of larger pods, or fewer nodes.",
                Place{.file = workload.name});
  }
  const double mean_gap =
      work / static_cast<double>(pods.size()) / (static_cast<double>(capacity) * static_cast<double>(percent) / 100.0);
  double at = 0;
  double come = 0;
  while (come < all_work) {
    const auto index = static_cast<std::uint32_t>(random.below(pods.size()));
    constexpr std::uint64_t kSteps = std::uint64_t{1} << 53U;
    at -= mean_gap * std::log(static_cast<double>(random.below(kSteps) + 1) / static_cast<double>(kSteps));
    arrivals.push_back({static_cast<std::int64_t>(at), index, runs(pods[index])});
    come += static_cast<double>(pods[index].total_milli()) * static_cast<double>(runs(pods[index]));
  }
  return arrivals;
}

// Means of what holds over time.
class Meter {
 public:
  explicit Meter(std::int64_t from) : from_(from), last_(from) {}
  // Until `now` the cell was as it is.
  void advance(std::int64_t now, const Cell& cell, bool somebody_waits) {
    if (now <= last_) return;
    const auto seconds = static_cast<double>(now - std::max(last_, from_));
    allocated_ += seconds * cell.allocated_percent();
    fragmented_ += seconds * cell.fragmented_percent();
    if (somebody_waits) {
      waiting_ += seconds;
      free_while_waiting_ += seconds * (100.0 - cell.allocated_percent());
    }
    last_ = now;
  }
  void report(DepartureRun& run) const {
    const auto seconds = static_cast<double>(last_ - from_);
    if (seconds <= 0) return;
    run.allocated = allocated_ / seconds;
    run.fragmented = fragmented_ / seconds;
    run.waiting_time = 100.0 * waiting_ / seconds;
    if (waiting_ > 0) run.free_while_waiting = free_while_waiting_ / waiting_;
  }

 private:
  std::int64_t from_;
  std::int64_t last_;
  double allocated_ = 0;
  double fragmented_ = 0;
  double waiting_ = 0;
  double free_while_waiting_ = 0;
};

// Plays the arrivals until the last of them; those from `measured_from` on are measured.
void play(Cell& cell, const Workload& workload, std::span<const Arrival> arrivals, std::int64_t measured_from,
          DepartureRun& run) {
  using End = std::pair<std::int64_t, std::size_t>;  // when, which pod
  std::priority_queue<End, std::vector<End>, std::greater<>> ends;
  std::vector<std::optional<std::int64_t>> started(arrivals.size());
  std::set<std::size_t> waiting;  // pods with GPUs
  Meter meter(measured_from);
  std::size_t next = 0;
  std::int64_t now = 0;
  std::vector<std::size_t> go;
  std::vector<std::uint32_t> come;
  while (next < arrivals.size()) {
    now = ends.empty() ? arrivals[next].at : std::min(arrivals[next].at, ends.top().first);
    meter.advance(now, cell, !waiting.empty());
    go.clear();
    come.clear();
    for (; !ends.empty() && ends.top().first == now; ends.pop()) go.push_back(ends.top().second);
    for (; next < arrivals.size() && arrivals[next].at == now; ++next) {
      come.push_back(arrivals[next].index);
      if (workload.pods[arrivals[next].index].gpus > 0) waiting.insert(next);
    }
    for (const Cell::Placement& placed : cell.step(go, come, now)) {
      started[placed.pod] = now;
      waiting.erase(placed.pod);
      ends.emplace(now + arrivals[placed.pod].runs, placed.pod);
    }
  }
  meter.report(run);
  std::vector<std::int64_t> waits;
  for (std::size_t pod = 0; pod < arrivals.size(); ++pod) {
    if (arrivals[pod].at < measured_from || workload.pods[arrivals[pod].index].gpus == 0) continue;
    waits.push_back(started[pod].value_or(now) - arrivals[pod].at);
    if (started[pod] != arrivals[pod].at) ++run.waited;
  }
  if (waits.empty()) return;
  run.pods = static_cast<std::int64_t>(waits.size());
  run.mean_wait = static_cast<double>(std::accumulate(waits.begin(), waits.end(), std::int64_t{0})) /
                  static_cast<double>(waits.size());
  std::ranges::sort(waits);
  run.late_wait = static_cast<double>(waits[(waits.size() * 99 + 99) / 100 - 1]);
}

}  // namespace

Result<DepartureRun> run_with_departures(const Cluster& cluster, const Workload& workload, Policy policy,
                                         std::uint64_t seed, Ties ties, const DepartureOptions& options) {
  if (capacity_milli(cluster.nodes) == 0) {
    return fail(ErrorCode::kInvalid, "The list of nodes has no GPU; the study needs at least one.",
                Place{.file = cluster.name});
  }
  Workload known{.name = workload.name, .pods = {}, .upper_bound = {}};
  for (const TracePod& pod : workload.pods) {
    if (pod.created && pod.deleted) known.pods.push_back(pod);
  }
  if (known.pods.empty()) {
    return fail(ErrorCode::kInvalid,
                "No pod of the list has creation_time and deletion_time; use a list that has them, such as "
                "openb_pod_list_default.csv.",
                Place{.file = workload.name});
  }
  Random random(seed);
  const bool replays = options.kind == DepartureOptions::Kind::kReplay;
  const std::int64_t wanted =
      replays ? peak_demand(known.pods) * options.percent / 100 : capacity_milli(cluster.nodes) * kLoadShare / 100;
  const Cluster small = cut(cluster, std::max(wanted, std::int64_t{engine::kMilliPerCard}), random);
  DepartureRun run{.workload = workload.name, .policy = policy, .seed = seed};
  run.nodes = static_cast<std::int64_t>(small.nodes.size());
  run.gpus = capacity_milli(small.nodes) / engine::kMilliPerCard;
  run.left_out = static_cast<std::int64_t>(workload.pods.size() - known.pods.size());
  run.left_out += static_cast<std::int64_t>(std::erase_if(known.pods, [&](const TracePod& pod) {
    return std::ranges::none_of(small.nodes, [&](const TraceNode& node) { return could_fit(pod, node); });
  }));
  if (known.pods.empty() || run.gpus == 0) return run;
  BERTH_TRY(const std::vector<Arrival> arrivals,
            replays ? as_in_the_trace(known.pods)
                    : at_load(known, run.gpus * engine::kMilliPerCard, options.percent, random));
  if (arrivals.empty()) return run;
  Cell cell(small, known, policy, seed, ties);
  play(cell, known, arrivals, replays ? arrivals.front().at : arrivals.back().at / kTurnovers, run);
  return run;
}

Result<std::vector<DepartureRun>> run_all_with_departures(const Study& study, const DepartureOptions& options,
                                                          unsigned threads,
                                                          const std::function<void(std::size_t)>& progress) {
  return run_each<DepartureRun>(
      study, threads, progress, [&](const Workload& workload, Policy policy, std::uint64_t seed) {
        return run_with_departures(study.cluster, workload, policy, seed, study.ties, options);
      });
}

}  // namespace berth::sim::openb
