#include "sim/philly/study.h"
#include "sim/parallel.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <numeric>

namespace berth::sim::philly {
namespace {

std::vector<jobs::Pod> pods_of(Seconds arrives, std::int32_t cards) {
  std::vector<jobs::Pod> result;
  for (; cards > 0; cards -= kCardsPerNode) {
    result.push_back({.arrives = arrives, .cards = std::min(cards, kCardsPerNode)});
  }
  return result;
}

std::int32_t nodes_for(std::int32_t cards) { return (cards + kCardsPerNode - 1) / kCardsPerNode; }

// A part of the study that can run by itself: a way, or one virtual cluster of the partition.
struct Part {
  jobs::Setup setup;
  std::vector<std::uint32_t> members;  // positions in Study::jobs
};

std::vector<Part> parts_of(const Study& study, Way way) {
  std::vector<Part> parts;
  jobs::Setup setup{.nodes = study.nodes(), .cards_per_node = kCardsPerNode};
  setup.measured_until = study.last_submission;
  if (way == Way::kPartition) {
    for (std::uint32_t i = 0; i < study.clusters.size(); ++i) {
      const VirtualCluster& cluster = study.clusters[i];
      setup.nodes = cluster.nodes;
      setup.queues = {{.name = cluster.name, .guarantee = std::int64_t{cluster.nodes} * kCardsPerNode}};
      Part part{setup, {}};
      for (std::uint32_t job = 0; job < study.jobs.size(); ++job) {
        if (study.jobs[job].queue == i && cluster.nodes > 0) part.members.push_back(job);
      }
      if (!part.members.empty()) parts.push_back(std::move(part));
    }
    return parts;
  }
  if (way == Way::kPods) {
    setup.asking = jobs::Asking::kPods;
  } else {
    for (const VirtualCluster& cluster : study.clusters) {
      setup.queues.push_back({.name = cluster.name, .guarantee = std::int64_t{cluster.nodes} * kCardsPerNode});
    }
  }
  Part part{std::move(setup), std::vector<std::uint32_t>(study.jobs.size())};
  std::iota(part.members.begin(), part.members.end(), 0U);
  parts.push_back(std::move(part));
  return parts;
}

jobs::Result run_part(const Study& study, const Part& part, const std::function<void(std::size_t)>& progress) {
  std::vector<jobs::Job> members;
  members.reserve(part.members.size());
  for (const std::uint32_t job : part.members) {
    members.push_back(study.jobs[job]);
    // A part that is one virtual cluster has one queue.
    if (part.setup.queues.size() == 1) members.back().queue = 0;
  }
  return jobs::replay(part.setup, members, progress);
}

Waits waits_of(std::vector<Seconds> waits, std::int64_t never_ran) {
  Waits result{.ran = static_cast<std::int64_t>(waits.size()), .never_ran = never_ran};
  if (waits.empty()) return result;
  std::ranges::sort(waits);
  // The least wait that so many percent of the jobs do not exceed.
  const auto percentile = [&](std::size_t percent) { return waits[(waits.size() * percent + 99) / 100 - 1]; };
  result.mean = static_cast<double>(std::accumulate(waits.begin(), waits.end(), std::int64_t{0})) /
                static_cast<double>(waits.size());
  result.p50 = percentile(50);
  result.p95 = percentile(95);
  result.most = waits.back();
  return result;
}

WayResult summarize(const Study& study, Way way, const std::vector<jobs::Outcome>& outcomes) {
  WayResult result{.way = way, .per_cluster = {}, .all = {}};
  std::vector<std::vector<Seconds>> waits(study.clusters.size());
  std::vector<std::int64_t> never(study.clusters.size(), 0);
  std::vector<Seconds> all;
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    const jobs::Job& job = study.jobs[i];
    result.evictions += outcomes[i].evictions;
    result.lost += outcomes[i].lost;
    result.idle += outcomes[i].idle;
    if (!outcomes[i].started) {
      ++never[job.queue];
      continue;
    }
    waits[job.queue].push_back(*outcomes[i].started - job.submitted());
    all.push_back(waits[job.queue].back());
  }
  for (std::size_t i = 0; i < waits.size(); ++i) {
    result.per_cluster.push_back(waits_of(std::move(waits[i]), never[i]));
  }
  result.all = waits_of(std::move(all), std::accumulate(never.begin(), never.end(), std::int64_t{0}));
  return result;
}

Promise check_promise(const Study& study, const std::vector<jobs::Outcome>& private_runs,
                      const std::vector<jobs::Outcome>& shared_runs) {
  Promise promise;
  for (std::size_t i = 0; i < study.jobs.size(); ++i) {
    if (!shared_runs[i].within_guarantee || !private_runs[i].started) continue;
    ++promise.jobs;
    const Seconds longer = *shared_runs[i].started - *private_runs[i].started;
    promise.most = std::max(promise.most, longer);
    if (longer <= 0) continue;
    ++promise.longer;
    Promise::Late late{.job = static_cast<std::uint32_t>(i),
                       .alone = *private_runs[i].started,
                       .started = *shared_runs[i].started,
                       .evictions = shared_runs[i].evictions};
    for (std::size_t k = 0; k < i; ++k) {
      if (study.jobs[k].queue != study.jobs[i].queue) continue;
      const auto holds = [&](const jobs::Outcome& run) { return !run.ended || *run.ended > late.alone; };
      if (holds(shared_runs[k])) late.older += study.jobs[k].cards();
      if (holds(private_runs[k])) late.older_alone += study.jobs[k].cards();
    }
    late.fitted_guarantee =
        late.older + study.jobs[i].cards() <= std::int64_t{study.clusters[study.jobs[i].queue].nodes} * kCardsPerNode;
    promise.late.push_back(late);
  }
  return promise;
}

}  // namespace

std::string_view name_of(Way way) {
  switch (way) {
    case Way::kPods:
      return "pods";
    case Way::kPartition:
      return "partition";
    case Way::kBorrow:
      return "borrow";
  }
  return "";
}

std::int32_t Study::nodes() const {
  return std::accumulate(clusters.begin(), clusters.end(), 0,
                         [](std::int32_t sum, const VirtualCluster& cluster) { return sum + cluster.nodes; });
}

Result<Study> make_study(const std::vector<TraceJob>& jobs, const std::vector<TraceCluster>& clusters,
                         std::int32_t percent) {
  if (jobs.empty()) return fail(ErrorCode::kInvalid, "The trace has no job; give the list of jobs.");
  std::map<std::string, VirtualCluster> known;
  for (const TraceJob& job : jobs) {
    VirtualCluster& cluster = known[job.cluster];
    cluster.name = job.cluster;
    ++cluster.jobs;
    cluster.largest_job = std::max(cluster.largest_job, job.gpus);
  }
  for (const TraceCluster& given : clusters) {
    const auto found = known.find(given.name);
    if (found == known.end() || given.nodes == 0) continue;
    const std::int64_t scaled = (std::int64_t{given.nodes} * percent + 99) / 100;
    found->second.nodes = std::max(static_cast<std::int32_t>(scaled), nodes_for(found->second.largest_job));
  }
  Study study{.percent = percent, .clusters = {}, .jobs = {}};
  std::map<std::string, std::uint32_t> positions;
  for (auto& [name, cluster] : known) {
    positions.emplace(name, static_cast<std::uint32_t>(study.clusters.size()));
    study.clusters.push_back(std::move(cluster));
  }
  if (study.nodes() == 0) {
    return fail(ErrorCode::kInvalid,
                "No virtual cluster with jobs has nodes; the two lists do not belong to one trace.");
  }
  for (const VirtualCluster& cluster : study.clusters) {
    if (nodes_for(cluster.largest_job) <= study.nodes()) continue;
    return fail(ErrorCode::kInvalid, "A job of virtual cluster \"" + cluster.name + "\" asks for " +
                                         std::to_string(cluster.largest_job) + " GPUs, more than all nodes have (" +
                                         std::to_string(study.nodes() * kCardsPerNode) + "); raise --scale.");
  }
  const Seconds first = std::ranges::min(jobs, {}, &TraceJob::submitted).submitted;
  for (const TraceJob& job : jobs) {
    study.jobs.push_back({.queue = positions.at(job.cluster),
                          .runs_for = job.runs_for,
                          .pods = pods_of(job.submitted - first, job.gpus)});
    study.last_submission = std::max(study.last_submission, job.submitted - first);
  }
  std::ranges::stable_sort(study.jobs, {}, [](const jobs::Job& job) { return job.pods.front().arrives; });
  return study;
}

Results run_all(const Study& study, unsigned threads, const std::function<void(std::size_t)>& progress) {
  struct Task {
    std::size_t way = 0;
    Part part;
    jobs::Result result;
  };
  // The long ones first.
  std::vector<Task> tasks;
  for (const Way way : {Way::kBorrow, Way::kPods, Way::kPartition}) {
    for (Part& part : parts_of(study, way)) tasks.push_back({static_cast<std::size_t>(way), std::move(part), {}});
  }
  DoneCounter done(progress);
  run_parallel(tasks.size(), threads, [&](std::size_t i) {
    tasks[i].result = run_part(study, tasks[i].part, [&](std::size_t) { done.add_one(); });
  });
  std::array<std::vector<jobs::Outcome>, kWays.size()> outcomes;
  std::array<std::int64_t, kWays.size()> worked{};
  std::array<Seconds, kWays.size()> ended{};
  for (std::vector<jobs::Outcome>& each : outcomes) each.resize(study.jobs.size());
  for (const Task& task : tasks) {
    for (std::size_t i = 0; i < task.part.members.size(); ++i) {
      outcomes[task.way][task.part.members[i]] = task.result.jobs[i];
    }
    worked[task.way] += task.result.worked;
    ended[task.way] = std::max(ended[task.way], task.result.ended);
  }
  Results results;
  const double offered = static_cast<double>(std::int64_t{study.nodes()} * kCardsPerNode) *
                         static_cast<double>(std::max<Seconds>(study.last_submission, 1));
  for (std::size_t way = 0; way < kWays.size(); ++way) {
    results.ways[way] = summarize(study, kWays[way], outcomes[way]);
    results.ways[way].utilisation = static_cast<double>(worked[way]) / offered;
    results.ways[way].ended = ended[way];
  }
  results.promise = check_promise(study, outcomes[static_cast<std::size_t>(Way::kPartition)],
                                  outcomes[static_cast<std::size_t>(Way::kBorrow)]);
  return results;
}

}  // namespace berth::sim::philly
