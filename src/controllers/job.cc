#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/mutant.h"
#include "controllers/job_progress.h"
#include "controllers/template_size.h"
#include "controllers/workshop.h"

namespace berth::controllers {
namespace {

constexpr std::string_view kJobController = "kubernetes.io/job-controller";

std::int64_t missing_pods(const api::JobSpec& spec, const JobProgress& progress) {
  const std::int64_t parallelism = std::max(spec.parallelism.value_or(1), 0);
  std::int64_t wanted = parallelism;
  if (spec.completions) {
    wanted = std::clamp<std::int64_t>(*spec.completions - progress.succeeded, 0,
                                      mutant("Controller.JobParallelism") ? *spec.completions : parallelism);
  } else if (progress.succeeded > 0) {
    return 0;  // a work queue is done when one pod succeeded; the others finish by themselves
  }
  // Who waits for failures lets a pod that is being deleted end before another takes its place.
  const std::int64_t leaving =
      spec.replace_failed_only && !mutant("Controller.PodReplacementPolicy") ? progress.terminating : 0;
  return std::max<std::int64_t>(wanted - progress.active - leaving, 0);
}

api::Pod make_pod(Workshop& workshop, const Owner& owner, const api::Job& job, const JobProgress& progress,
                  std::int64_t index) {
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
    labels.insert_or_assign(std::string(kCompletionIndex), std::to_string(index));
    auto& annotations = pod.metadata.annotations;
    annotations.insert_or_assign(std::string(kCompletionIndex), std::to_string(index));
    if (job.spec.backoff_limit_per_index) {
      const auto found = progress.failures_of.find(index);
      const auto failures = found == progress.failures_of.end() ? JobProgress::Failures() : found->second;
      annotations.insert_or_assign(std::string(kIndexFailures), std::to_string(failures.counted));
      if (failures.ignored > 0)
        annotations.insert_or_assign(std::string(kIndexIgnoredFailures), std::to_string(failures.ignored));
    }
  }
  pod.metadata.name = workshop.fresh_name(pod.metadata.namespace_, base);
  return pod;
}

}  // namespace

void reconcile_job(Workshop& workshop, const api::Read<api::Job>& read) {
  const api::Job& job = read.object;
  const Owner owner{"batch/v1", "Job", &job.metadata};
  if (job.metadata.deletion_timestamp) return;
  if (!job.spec.managed_by.empty() && job.spec.managed_by != kJobController) {
    workshop.remark("Job " + job.metadata.name + " is managed by " + job.spec.managed_by +
                        " (spec.managedBy), so the Job controller makes no pods for it.",
                    read.place);
    return;
  }
  const JobProgress progress = progress_of(workshop, read);
  if (progress.end != JobProgress::End::kNone) {
    if (!progress.why.empty())
      workshop.remark("Job " + job.metadata.name + " " + progress.why + ", and makes no more pods.", read.place);
    return;
  }
  if (job.spec.suspend && !mutant("Controller.JobSuspend")) {
    workshop.remark("Job " + job.metadata.name + " is suspended (spec.suspend) and makes no pods.", read.place);
    return;
  }
  const std::int64_t missing = missing_pods(job.spec, progress);
  if (missing == 0 || !workshop.admit(missing, bytes_of_a_pod(job.spec.pod_template), owner, read.place)) return;
  const bool indexed = job.spec.indexed && job.spec.completions.has_value();
  const std::string group = group_of_job(workshop, owner, read);
  std::int64_t index = -1;
  for (std::int64_t i = 0; i < missing; ++i) {
    if (indexed) {
      index = progress.taken.next_missing(index + 1);
      if (index >= *job.spec.completions) return;
    }
    api::Pod pod = make_pod(workshop, owner, job, progress, index);
    if (!group.empty()) pod.spec.scheduling_group = api::PodSchedulingGroup{.pod_group_name = group};
    workshop.make(std::move(pod), read.place);
  }
}

}  // namespace berth::controllers
