#include "controllers/job_progress.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "base/whole_number.h"
#include "controllers/pod_failure.h"

namespace berth::controllers {
namespace {

using Action = api::PodFailureRule::Action;
using End = JobProgress::End;

std::optional<std::int64_t> number_at(const api::Pod& pod, std::string_view key) {
  return whole_number<std::int64_t>(annotation(pod.metadata, key), 0, std::numeric_limits<std::int32_t>::max());
}

bool has_condition(const api::Job& job, std::string_view type) {
  return std::ranges::any_of(job.status.conditions, [type](const api::Condition& condition) {
    return condition.type == type && condition.status == "True";
  });
}

bool is_indexed(const api::JobSpec& spec) { return spec.indexed && spec.completions.has_value(); }

IndexSet indexes_in(Workshop& workshop, const std::string& text, std::string_view field, const Place& place) {
  if (auto parsed = IndexSet::parse(text)) return *std::move(parsed);
  workshop.remark("status." + std::string(field) + " \"" + text +
                      "\" is not a list of indexes like \"0,2-4\", so it counts as empty.",
                  place);
  return {};
}

// A pod that is being deleted counts as failed where it need not end before another takes its place.
bool has_failed(const api::JobSpec& spec, const api::Pod& pod) {
  if (pod.status.phase == api::PodPhase::kFailed) return true;
  return !spec.replace_failed_only && pod.metadata.deletion_timestamp && !is_finished(pod);
}

// Counts the pods that are there.
class Count {
 public:
  Count(const api::Job& job, JobProgress& progress) : spec_(job.spec), progress_(progress) {}

  void add(const api::Pod& pod) {
    std::int64_t index = completion_index(pod);
    if (is_indexed(spec_) && (index < 0 || index >= *spec_.completions)) return;  // its controller takes it away
    if (!is_indexed(spec_)) index = -1;
    if (is_active(pod)) {
      ++progress_.active;
      if (index >= 0) active_.push_back(index);
      restarts_of(pod);
    } else if (pod.status.phase == api::PodPhase::kSucceeded) {
      ++succeeded;
      if (index >= 0) succeeded_.push_back(index);
    } else if (!is_finished(pod)) {
      ++progress_.terminating;
      if (index >= 0) leaving_.push_back(index);
      restarts_of(pod);
    }
    if (has_failed(spec_, pod)) add_failed(pod, index);
  }

  // Two active pods of one index count once: the younger goes.
  void finish() {
    const IndexSet active = IndexSet::of(std::move(active_));
    if (is_indexed(spec_)) progress_.active = active.count_below(*spec_.completions);
    progress_.succeeded_indexes.insert(IndexSet::of(std::move(succeeded_)));
    progress_.failed_indexes.insert(IndexSet::of(std::move(failed_)));
    progress_.taken = progress_.succeeded_indexes;
    progress_.taken.insert(progress_.failed_indexes);
    progress_.taken.insert(active);
    if (spec_.replace_failed_only) progress_.taken.insert(IndexSet::of(std::move(leaving_)));
  }

  std::int64_t succeeded = 0;
  std::int64_t failed = 0;
  std::int64_t restarts = 0;
  const api::Pod* fails_job = nullptr;

 private:
  void restarts_of(const api::Pod& pod) {
    for (const auto* list : {&pod.status.init_container_statuses, &pod.status.container_statuses})
      for (const api::ContainerStatus& container : *list) restarts += container.restart_count;
  }

  void add_failed(const api::Pod& pod, std::int64_t index) {
    const Action action = failure_action(spec_, pod);
    if (action == Action::kFailJob && fails_job == nullptr) fails_job = &pod;
    if (action != Action::kIgnore) ++failed;
    if (index < 0 || !spec_.backoff_limit_per_index) return;
    JobProgress::Failures now{number_at(pod, kIndexFailures).value_or(0),
                              number_at(pod, kIndexIgnoredFailures).value_or(0)};
    if (action == Action::kFailIndex || (action != Action::kIgnore && now.counted >= *spec_.backoff_limit_per_index))
      failed_.push_back(index);
    ++(action == Action::kIgnore ? now.ignored : now.counted);
    JobProgress::Failures& most = progress_.failures_of[index];
    if (now.counted + now.ignored > most.counted + most.ignored) most = now;
  }

  const api::JobSpec& spec_;
  JobProgress& progress_;
  std::vector<std::int64_t> active_;
  std::vector<std::int64_t> leaving_;
  std::vector<std::int64_t> succeeded_;
  std::vector<std::int64_t> failed_;
};

bool success_policy_holds(const api::JobSpec& spec, const IndexSet& succeeded) {
  const std::int64_t end = *spec.completions;
  const std::int64_t count = succeeded.count_below(end);
  return count > 0 && std::ranges::any_of(spec.success_policy, [&](const api::SuccessRule& rule) {
           if (!rule.succeeded_indexes) return rule.succeeded_count && count >= *rule.succeeded_count;
           const auto wanted = IndexSet::parse(*rule.succeeded_indexes);
           const std::int64_t all = wanted ? wanted->count_below(end) : 0;
           if (all == 0) return false;
           const std::int64_t there = wanted->count_common(succeeded, end);
           return there == all || (rule.succeeded_count && there >= *rule.succeeded_count);
         });
}

// In the order in which the controller asks.
void find_end(const api::Job& job, const Count& count, api::Time now, JobProgress& progress) {
  const api::JobSpec& spec = job.spec;
  const auto end = [&progress](End how, std::string why) {
    progress.end = how;
    progress.why = std::move(why);
  };
  if (has_condition(job, "Complete") || has_condition(job, "SuccessCriteriaMet")) return end(End::kSucceeded, "");
  if (has_condition(job, "Failed") || has_condition(job, "FailureTarget")) return end(End::kFailed, "");
  if (count.fails_job != nullptr)
    return end(End::kFailed,
               "has a rule in podFailurePolicy that fails it because of pod " + count.fails_job->metadata.name);
  const std::string limit = "its backoffLimit of " + std::to_string(spec.backoff_limit);
  if (progress.failed > spec.backoff_limit)
    return end(End::kFailed, "failed " + std::to_string(progress.failed) + " times, more than " + limit);
  if (spec.pod_template.spec.restart_policy == api::RestartPolicy::kOnFailure && count.restarts > 0 &&
      count.restarts >= spec.backoff_limit)
    return end(End::kFailed,
               "has containers that restarted " + std::to_string(count.restarts) + " times, which reaches " + limit);
  if (spec.active_deadline_seconds && job.status.start_time && !spec.suspend &&
      now - *job.status.start_time >= *spec.active_deadline_seconds)
    return end(End::kFailed, "has been active for longer than its activeDeadlineSeconds of " +
                                 std::to_string(*spec.active_deadline_seconds));
  if (!is_indexed(spec)) return;
  const std::int64_t failed = progress.failed_indexes.count_below(*spec.completions);
  if (spec.backoff_limit_per_index && failed > 0) {
    if (spec.max_failed_indexes && failed > *spec.max_failed_indexes)
      return end(End::kFailed, "has " + std::to_string(failed) + " failed indexes, more than its maxFailedIndexes of " +
                                   std::to_string(*spec.max_failed_indexes));
    if (failed + progress.succeeded >= *spec.completions)
      return end(End::kFailed, "has no index left that did not fail or succeed");
  }
  if (success_policy_holds(spec, progress.succeeded_indexes))
    end(End::kSucceeded, "has succeeded by a rule of its successPolicy");
}

}  // namespace

std::int64_t completion_index(const api::Pod& pod) { return number_at(pod, kCompletionIndex).value_or(-1); }

JobProgress progress_of(Workshop& workshop, const api::Read<api::Job>& read) {
  const api::Job& job = read.object;
  JobProgress progress;
  if (is_indexed(job.spec)) {
    progress.succeeded_indexes = indexes_in(workshop, job.status.completed_indexes, "completedIndexes", read.place);
    if (job.spec.backoff_limit_per_index)
      progress.failed_indexes = indexes_in(workshop, job.status.failed_indexes, "failedIndexes", read.place);
  }
  Count count(job, progress);
  for (const api::Pod* pod : workshop.owned({"batch/v1", "Job", &job.metadata})) count.add(*pod);
  count.finish();
  progress.succeeded = is_indexed(job.spec)
                           ? progress.succeeded_indexes.count_below(*job.spec.completions)
                           : std::max<std::int64_t>(
                                 count.succeeded, std::int64_t{job.status.succeeded} + job.status.uncounted_succeeded);
  progress.failed = std::max<std::int64_t>(count.failed, std::int64_t{job.status.failed} + job.status.uncounted_failed);
  find_end(job, count, workshop.options().now, progress);
  return progress;
}

bool has_ended(const api::Job& job, const JobProgress& progress) {
  if (progress.end != End::kNone) return true;
  if (progress.active > 0) return false;
  return job.spec.completions ? progress.succeeded >= *job.spec.completions : progress.succeeded > 0;
}

}  // namespace berth::controllers
