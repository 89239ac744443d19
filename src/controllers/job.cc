#include <algorithm>
#include <charconv>
#include <cstdint>
#include <string>
#include <vector>

#include "controllers/index_set.h"
#include "controllers/workshop.h"

namespace berth::controllers {
namespace {

constexpr std::string_view kIndexKey = "batch.kubernetes.io/job-completion-index";

bool is_done(const api::Job& job) {
  return std::ranges::any_of(job.status.conditions, [](const api::Condition& condition) {
    return (condition.type == "Complete" || condition.type == "Failed") && condition.status == "True";
  });
}

// -1: the pod has no index.
std::int64_t index_of(const api::Pod& pod) {
  const auto found = pod.metadata.annotations.find(kIndexKey);
  if (found == pod.metadata.annotations.end()) return -1;
  std::int64_t index = -1;
  const std::string& text = found->second;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), index);
  return error == std::errc() && end == text.data() + text.size() ? index : -1;
}

// What is known of the job's pods so far, from its status and from the pods that are there.
struct Progress {
  std::int64_t active = 0;
  std::int64_t succeeded = 0;
  std::int64_t failed = 0;
  IndexSet taken;  // indexes that are completed or have an active pod
};

Progress progress_of(Workshop& workshop, const Owner& owner, const api::Job& job, const Place& place) {
  Progress progress;
  IndexSet completed;
  if (auto parsed = IndexSet::parse(job.status.completed_indexes)) {
    completed = *std::move(parsed);
  } else {
    workshop.remark("status.completedIndexes \"" + job.status.completed_indexes +
                        "\" is not a list of indexes like \"0,2-4\", so none counts as completed.",
                    place);
  }
  std::vector<std::int64_t> active;
  std::vector<std::int64_t> succeeded;
  for (const api::Pod* pod : workshop.owned(owner)) {
    const std::int64_t index = index_of(*pod);
    if (is_active(*pod)) {
      ++progress.active;
      if (index >= 0) active.push_back(index);
    } else if (pod->status.phase == api::PodPhase::kSucceeded) {
      ++progress.succeeded;
      if (index >= 0) succeeded.push_back(index);
    } else if (pod->status.phase == api::PodPhase::kFailed) {
      ++progress.failed;
    }
  }
  std::ranges::sort(active);
  std::ranges::sort(succeeded);
  for (const std::int64_t index : succeeded) completed.insert(index);
  progress.taken = completed;
  for (const std::int64_t index : active) progress.taken.insert(index);
  progress.succeeded = std::max<std::int64_t>(progress.succeeded, job.status.succeeded);
  progress.failed = std::max<std::int64_t>(progress.failed, job.status.failed);
  if (job.spec.indexed && job.spec.completions) progress.succeeded = completed.count_below(*job.spec.completions);
  return progress;
}

std::int64_t missing_pods(const api::JobSpec& spec, const Progress& progress) {
  const std::int64_t parallelism = std::max(spec.parallelism.value_or(1), 0);
  std::int64_t wanted = parallelism;
  if (spec.completions) {
    wanted = std::clamp<std::int64_t>(*spec.completions - progress.succeeded, 0, parallelism);
  } else if (progress.succeeded > 0) {
    return 0;  // a work queue is done when one pod succeeded; the others finish by themselves
  }
  return std::max<std::int64_t>(wanted - progress.active, 0);
}

api::Pod make_pod(Workshop& workshop, const Owner& owner, const api::Job& job, std::int64_t index) {
  api::Pod pod = workshop.pod_from(job.spec.pod_template, owner);
  auto& labels = pod.metadata.labels;
  labels.insert_or_assign("batch.kubernetes.io/job-name", job.metadata.name);
  labels.insert_or_assign("job-name", job.metadata.name);
  if (!job.metadata.uid.empty()) {
    labels.insert_or_assign("batch.kubernetes.io/controller-uid", job.metadata.uid);
    labels.insert_or_assign("controller-uid", job.metadata.uid);
  }
  std::string base = job.metadata.name;
  if (index >= 0) {
    base += "-" + std::to_string(index);
    labels.insert_or_assign(std::string(kIndexKey), std::to_string(index));
    pod.metadata.annotations.insert_or_assign(std::string(kIndexKey), std::to_string(index));
  }
  pod.metadata.name = workshop.fresh_name(pod.metadata.namespace_, base);
  return pod;
}

}  // namespace

void reconcile_job(Workshop& workshop, const api::Read<api::Job>& read) {
  const api::Job& job = read.object;
  const Owner owner{"batch/v1", "Job", &job.metadata};
  if (job.metadata.deletion_timestamp || !workshop.first_of_name(owner, read.place)) return;
  if (job.spec.suspend || is_done(job)) return;
  Progress progress = progress_of(workshop, owner, job, read.place);
  if (progress.failed > job.spec.backoff_limit) {
    workshop.remark("Job " + job.metadata.name + " failed " + std::to_string(progress.failed) +
                        " times, more than its backoffLimit of " + std::to_string(job.spec.backoff_limit) +
                        ", and makes no more pods.",
                    read.place);
    return;
  }
  const std::int64_t missing = missing_pods(job.spec, progress);
  if (missing == 0 || !workshop.admit(missing, owner, read.place)) return;
  const bool indexed = job.spec.indexed && job.spec.completions.has_value();
  const std::string group = group_of_job(workshop, owner, read);
  std::int64_t index = -1;
  for (std::int64_t i = 0; i < missing; ++i) {
    if (indexed) {
      index = progress.taken.next_missing(index + 1);
      if (index >= *job.spec.completions) return;
    }
    api::Pod pod = make_pod(workshop, owner, job, index);
    if (!group.empty()) pod.spec.scheduling_group = api::PodSchedulingGroup{.pod_group_name = group};
    workshop.make(std::move(pod), read.place);
  }
}

}  // namespace berth::controllers
