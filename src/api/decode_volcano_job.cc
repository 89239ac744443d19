// Volcano's Job, with the defaults and the rules of its admission webhooks; CronJob and JobTemplate around it.
#include <algorithm>
#include <array>
#include <initializer_list>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "api/cron_job_fields.h"
#include "api/decode_volcano_job.h"
#include "api/duration.h"

namespace berth::api::volcano {

namespace {

void read_estimate(DecodeContext& context, const Value& value, JobSpec& out) {
  if (!value.is_string()) return context.wrong_kind(value, "a duration such as \"10m\"");
  out.running_estimate_seconds = parse_duration_seconds(value.text());
  if (!out.running_estimate_seconds)
    context.error(value, quoted(value.text()) + " is no duration; write one such as 90s or 1h30m.");
}

void read_plugins(DecodeContext& context, const Value& value, JobSpec& out) {
  if (!value.is_object()) return context.wrong_kind(value, "an object");
  static constexpr std::array<std::string_view, 9> kKnown = {"env", "ssh",      "svc", "pytorch", "tensorflow",
                                                             "mpi", "hcclrank", "ray", "gang"};
  for (const text::Member& member : value.members()) {
    const DecodeContext::Scope scope(context, member.name(), DecodeContext::Scope::kMapKey);
    std::vector<std::string>& arguments = out.plugins[std::string(member.name())];
    if (!member.value.is_null()) read(context, member.value, arguments);
    if (std::ranges::find(kKnown, member.name()) == kKnown.end())
      context.error(
          member.key,
          quoted(member.name()) + " is no job plugin; write env, ssh, svc, pytorch, tensorflow, mpi, ray or hcclrank.");
  }
}

void check_dependencies(DecodeContext& context, const Value& value, const JobSpec& spec) {
  static const std::vector<std::string> kNone;
  std::vector<Waiter> waiters;
  for (const Task& task : spec.tasks)
    waiters.push_back({&task.name, task.depends_on ? &task.depends_on->names : &kNone});
  check_waiters(context, value, waiters, "task");
}

void settle_job(DecodeContext& context, const Value& value, JobSpec& out) {
  static constexpr std::int64_t kMostPods = std::numeric_limits<std::int32_t>::max();
  if (out.tasks.empty()) return context.error(value, "The job has no tasks; add at least one.");
  std::int64_t replicas = 0;
  std::int64_t least = 0;
  for (const Task& task : out.tasks) {
    replicas += task.replicas;
    least += task.min_available;
  }
  if (replicas > kMostPods) return context.error(value, "The job has more than two billion pods; lower the replicas.");
  check_least(context, value, out.min_available, 0, "minAvailable");
  if (out.min_available == 0) out.min_available = static_cast<std::int32_t>(least);
  if (out.min_available > replicas)
    context.error(value, "minAvailable is " + std::to_string(out.min_available) + ", more than the " +
                             std::to_string(replicas) + " pods of all tasks; lower it.");
  if (out.max_retry == 0) out.max_retry = 3;
  check_least(context, value, out.max_retry, 0, "maxRetry");
  check_least(context, value, out.ttl_seconds_after_finished.value_or(0), 0, "ttlSecondsAfterFinished");
  check_least(context, value, out.min_success.value_or(1), 1, "minSuccess");
  check_policies(context, value, out.policies, "policies");
  check_dependencies(context, value, out);
  complete_plugins(out.plugins);
  if (out.queue.empty()) out.queue = "default";
  if (out.scheduler_name.empty()) out.scheduler_name = "volcano";
}

void read_phase(DecodeContext& context, const Value& value, JobStatus& out) {
  if (!value.text().empty() || !value.is_string()) api::read(context, value, out.phase);
}

void read_state(DecodeContext& context, const Value& value, JobStatus& out) {
  static const FieldTable<JobStatus> kFields({{"phase", read_phase},
                                              {"reason", member<&JobStatus::reason>},
                                              {"message", member<&JobStatus::message>},
                                              {"lastTransitionTime", time_member<&JobStatus::last_transition_time>}},
                                             {});
  kFields.read(context, value, out);
}

void read_task_counts(DecodeContext& context, const Value& value, JobStatus& out) {
  using Counts = std::map<PodPhase, std::int32_t>;
  static const auto read_counts = [](DecodeContext& inside, const Value& phases, Counts& counts) {
    if (!phases.is_object()) return inside.wrong_kind(phases, "an object");
    for (const text::Member& member : phases.members()) {
      const DecodeContext::Scope scope(inside, member.name(), DecodeContext::Scope::kMapKey);
      std::int32_t count = 0;
      api::read(inside, member.value, count);
      if (const auto phase = enum_value<PodPhase>(member.name())) counts[*phase] = count;
    }
  };
  static const FieldTable<Counts> kCounts({{"phase", read_counts}}, {});
  if (!value.is_object()) return context.wrong_kind(value, "an object");
  for (const text::Member& member : value.members()) {
    const DecodeContext::Scope scope(context, member.name(), DecodeContext::Scope::kMapKey);
    kCounts.read(context, member.value, out.task_status_count[std::string(member.name())]);
  }
}

void read_job_status(DecodeContext& context, const Value& value, Job& out) {
  static const FieldTable<JobStatus> kFields({{"state", read_state},
                                              {"minAvailable", member<&JobStatus::min_available>},
                                              {"taskStatusCount", read_task_counts},
                                              {"pending", member<&JobStatus::pending>},
                                              {"running", member<&JobStatus::running>},
                                              {"succeeded", member<&JobStatus::succeeded>},
                                              {"failed", member<&JobStatus::failed>},
                                              {"terminating", member<&JobStatus::terminating>},
                                              {"unknown", member<&JobStatus::unknown>},
                                              {"version", member<&JobStatus::version>},
                                              {"retryCount", member<&JobStatus::retry_count>}},
                                             {"runningDuration", "controlledResources", "conditions"});
  kFields.read(context, value, out.status);
}

const FieldTable<CronJob>& job_template_fields() {
  static const FieldTable<CronJob> kFields(
      {{"metadata", member<&CronJob::job_metadata>}, {"spec", member<&CronJob::job>}}, {});
  return kFields;
}

const FieldTable<CronJob>& cron_job_status_fields() {
  static const FieldTable<CronJob> kFields({{"lastScheduleTime", time_member<&CronJob::last_schedule_time>}},
                                           {"active", "lastSuccessfulTime"});
  return kFields;
}

}  // namespace

ObjectMeta labels_of(const ObjectMeta& metadata) {
  ObjectMeta kept;
  kept.labels = metadata.labels;
  kept.annotations = metadata.annotations;
  return kept;
}

void complete_plugins(std::map<std::string, std::vector<std::string>>& plugins) {
  const bool framework = std::ranges::any_of(std::initializer_list<std::string>{"tensorflow", "mpi", "pytorch", "ray"},
                                             [&plugins](const std::string& name) { return plugins.contains(name); });
  if (framework) plugins.try_emplace("svc");
  if (plugins.contains("mpi")) plugins.try_emplace("ssh");
}

void read(DecodeContext& context, const Value& value, JobVolume& out) {
  static const auto read_claim = [](DecodeContext& inside, const Value& spec, JobVolume& volume) {
    read_spec(inside, spec, volume.volume_claim.emplace());
  };
  static const FieldTable<JobVolume> kFields({{"mountPath", member<&JobVolume::mount_path>},
                                              {"volumeClaimName", member<&JobVolume::volume_claim_name>},
                                              {"volumeClaim", read_claim}},
                                             {});
  kFields.read(context, value, out);
  if (out.mount_path.empty()) context.error(value, "mountPath is missing; say where the pods see the volume.");
  if (out.volume_claim_name.empty() && !out.volume_claim)
    context.error(value, "The volume has neither volumeClaimName nor volumeClaim; add one.");
}

const FieldTable<JobSpec>& job_fields() {
  static const FieldTable<JobSpec> kFields({{"schedulerName", member<&JobSpec::scheduler_name>},
                                            {"minAvailable", member<&JobSpec::min_available>},
                                            {"volumes", member<&JobSpec::volumes>},
                                            {"policies", member<&JobSpec::policies>},
                                            {"plugins", read_plugins},
                                            {"runningEstimate", read_estimate},
                                            {"queue", member<&JobSpec::queue>},
                                            {"maxRetry", member<&JobSpec::max_retry>},
                                            {"ttlSecondsAfterFinished", member<&JobSpec::ttl_seconds_after_finished>},
                                            {"priorityClassName", member<&JobSpec::priority_class_name>},
                                            {"minSuccess", member<&JobSpec::min_success>},
                                            {"networkTopology", member<&JobSpec::network_topology>}},
                                           {"tasks"});
  return kFields;
}

void read(DecodeContext& context, const Value& value, JobSpec& out) {
  const std::int32_t before = context.errors();
  if (const Value* tasks = value.find("tasks"); tasks != nullptr && !tasks->is_null()) {
    const DecodeContext::Scope scope(context, "tasks");
    read_tasks(context, *tasks, out);
  }
  job_fields().read(context, value, out);
  if (context.errors() == before) settle_job(context, value, out);
}

void read(DecodeContext& context, const Value& value, Job& out) {
  static const FieldTable<Job> kFields(
      {{"metadata", member<&Job::metadata>}, {"spec", member<&Job::spec>}, {"status", read_job_status}},
      {"apiVersion", "kind"});
  kFields.read(context, value, out);
  if (!is_given(value, "spec")) context.error(value, "The job has no spec; add one with its tasks.");
}

void read(DecodeContext& context, const Value& value, CronJob& out) {
  static const FieldTable<CronJob> kFields(
      {{"metadata", member<&CronJob::metadata>},
       {"spec", inner<CronJob, cron_job_spec_fields<CronJob, job_template_fields>>},
       {"status", inner<CronJob, cron_job_status_fields>}},
      {"apiVersion", "kind"});
  kFields.read(context, value, out);
  out.job_metadata = labels_of(out.job_metadata);
  if (out.schedule.empty()) context.error(value, "spec.schedule is missing; write one such as \"0 3 * * *\".");
  if (context.errors() == 0 && out.job.tasks.empty())
    context.error(value, "spec.jobTemplate.spec is missing; describe the job there.");
}

void read(DecodeContext& context, const Value& value, JobTemplate& out) {
  static const FieldTable<JobTemplate> kFields(
      {{"metadata", member<&JobTemplate::metadata>}, {"spec", member<&JobTemplate::spec>}},
      {"apiVersion", "kind", "status"});
  kFields.read(context, value, out);
  if (!is_given(value, "spec")) context.error(value, "The template has no spec; add one with its tasks.");
}

}  // namespace berth::api::volcano
