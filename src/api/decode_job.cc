// Job and CronJob, whose pods end.
#include <algorithm>
#include <limits>
#include <string>
#include <utility>

#include "api/cron_job_fields.h"
#include "api/decode_fields.h"
#include "api/decode_objects.h"
#include "api/decode_scheduling.h"
#include "api/decode_workloads.h"

namespace berth::api {
namespace {

void read_completion_mode(DecodeContext& context, const Value& value, JobSpec& out) {
  if (value.is_string() && (value.text() == "Indexed" || value.text() == "NonIndexed")) {
    out.indexed = value.text() == "Indexed";
  } else {
    context.error(value, "completionMode is not one of its values; write NonIndexed or Indexed.");
  }
}

void read_replacement_policy(DecodeContext& context, const Value& value, JobSpec& out) {
  if (value.is_string() && (value.text() == "Failed" || value.text() == "TerminatingOrFailed")) {
    out.replace_failed_only = value.text() == "Failed";
  } else {
    context.error(value, "podReplacementPolicy is not one of its values; write TerminatingOrFailed or Failed.");
  }
}

void read_exit_code_operator(DecodeContext& context, const Value& value, PodFailureExitCodes& out) {
  if (value.is_string() && (value.text() == "In" || value.text() == "NotIn")) {
    out.in = value.text() == "In";
  } else {
    context.error(value, "The operator of onExitCodes is not one of its values; write In or NotIn.");
  }
}

const FieldTable<JobSpec>& pod_failure_policy_fields() {
  static const FieldTable<JobSpec> kFields(
      {{"rules", [](DecodeContext& context, const Value& rules,
                    JobSpec& out) { read(context, rules, *out.pod_failure_policy); }}},
      {});
  return kFields;
}

// A policy without rules still changes what replaces a pod.
void read_pod_failure_policy(DecodeContext& context, const Value& value, JobSpec& out) {
  out.pod_failure_policy.emplace();
  pod_failure_policy_fields().read(context, value, out);
}

const FieldTable<JobSpec>& success_policy_fields() {
  static const FieldTable<JobSpec> kFields({{"rules", member<&JobSpec::success_policy>}}, {});
  return kFields;
}

void read_job_spec_fields(DecodeContext& context, const Value& value, JobSpec& out) {
  static const FieldTable<JobSpec> kFields(
      {{"parallelism", member<&JobSpec::parallelism>},
       {"completions", member<&JobSpec::completions>},
       {"completionMode", read_completion_mode},
       {"suspend", member<&JobSpec::suspend>},
       {"backoffLimit", member<&JobSpec::backoff_limit>},
       {"backoffLimitPerIndex", member<&JobSpec::backoff_limit_per_index>},
       {"maxFailedIndexes", member<&JobSpec::max_failed_indexes>},
       {"podFailurePolicy", read_pod_failure_policy},
       {"successPolicy", inner<JobSpec, success_policy_fields>},
       {"podReplacementPolicy", read_replacement_policy},
       {"managedBy", member<&JobSpec::managed_by>},
       {"activeDeadlineSeconds", member<&JobSpec::active_deadline_seconds>},
       {"scheduling", member<&JobSpec::scheduling>},
       {"template", member<&JobSpec::pod_template>}},
      {"failedPodsLimit", "selector", "manualSelector", "ttlSecondsAfterFinished"});
  kFields.read(context, value, out);
}

// The pods of a job must end. Where nothing is said, the API server reads Always and refuses the job, too.
void check_restart_policy(DecodeContext& context, const Value& value, const PodSpec& pods) {
  if (pods.restart_policy != RestartPolicy::kAlways) return;
  const Value* pod_template = value.find("template");
  const Value* spec = pod_template == nullptr ? nullptr : pod_template->find("spec");
  if (spec == nullptr || !spec->is_object()) return;  // which is told elsewhere
  const Value* written = spec->find("restartPolicy");
  const DecodeContext::Scope outer(context, "template");
  const DecodeContext::Scope inside(context, "spec");
  const DecodeContext::Scope field(context, "restartPolicy");
  context.error(written == nullptr ? *spec : *written,
                std::string("The pods of a job must end, so their restartPolicy must be OnFailure or Never; ") +
                    (written == nullptr ? "write one." : "correct it."));
}

// With the API server's defaults.
void read_job_spec(DecodeContext& context, const Value& value, JobSpec& out) {
  const std::int32_t before = context.errors();
  read_job_spec_fields(context, value, out);
  if (!value.is_object()) return;
  if (!out.completions && !out.parallelism) out.completions = 1;
  if (!out.parallelism) out.parallelism = 1;
  if (!is_given(value, "backoffLimit") && is_given(value, "backoffLimitPerIndex"))
    out.backoff_limit = std::numeric_limits<std::int32_t>::max();
  check_count(context, value, *out.parallelism, "parallelism");
  check_count(context, value, out.completions.value_or(0), "completions");
  check_count(context, value, out.backoff_limit, "backoffLimit");
  check_count(context, value, out.backoff_limit_per_index.value_or(0), "backoffLimitPerIndex");
  check_count(context, value, out.max_failed_indexes.value_or(0), "maxFailedIndexes");
  // Whoever judges failures has to see them first.
  if (out.pod_failure_policy && !is_given(value, "podReplacementPolicy")) out.replace_failed_only = true;
  for (const auto& [given, name] : {std::pair(out.backoff_limit_per_index.has_value(), "backoffLimitPerIndex"),
                                    std::pair(!out.success_policy.empty(), "successPolicy")})
    if (given && !out.indexed)
      context.error(value, std::string(name) + " is for Indexed jobs; write completionMode: Indexed, or remove it.");
  if (out.max_failed_indexes && !out.backoff_limit_per_index)
    context.error(value, "maxFailedIndexes needs backoffLimitPerIndex; write both or none.");
  if (out.indexed && !out.completions)
    context.error(value, "An Indexed job needs completions; say how many indexes it has.");
  if (context.errors() == before) check_restart_policy(context, value, out.pod_template.spec);
}

template <std::int32_t JobStatus::* kCount>
void read_number_of_uids(DecodeContext& context, const Value& value, JobStatus& out) {
  if (!value.is_array()) return context.wrong_kind(value, "an array");
  out.*kCount =
      static_cast<std::int32_t>(std::min<std::size_t>(value.size(), std::numeric_limits<std::int32_t>::max()));
}

const FieldTable<JobStatus>& uncounted_fields() {
  static const FieldTable<JobStatus> kFields({{"succeeded", read_number_of_uids<&JobStatus::uncounted_succeeded>},
                                              {"failed", read_number_of_uids<&JobStatus::uncounted_failed>}},
                                             {});
  return kFields;
}

const FieldTable<JobStatus>& job_status_fields() {
  static const FieldTable<JobStatus> kFields({{"active", member<&JobStatus::active>},
                                              {"succeeded", member<&JobStatus::succeeded>},
                                              {"failed", member<&JobStatus::failed>},
                                              {"completedIndexes", member<&JobStatus::completed_indexes>},
                                              {"failedIndexes", member<&JobStatus::failed_indexes>},
                                              {"uncountedTerminatedPods", inner<JobStatus, uncounted_fields>},
                                              {"startTime", time_member<&JobStatus::start_time>},
                                              {"conditions", member<&JobStatus::conditions>}},
                                             {"completionTime", "terminating", "ready"});
  return kFields;
}

const FieldTable<CronJob>& job_template_fields() {
  static const FieldTable<CronJob> kFields({{"metadata", member<&CronJob::job_metadata>},
                                            {"spec", [](DecodeContext& inside, const Value& spec,
                                                        CronJob& cron) { read_job_spec(inside, spec, cron.job); }}},
                                           {});
  return kFields;
}

// References to objects; their names.
void read_active_jobs(DecodeContext& context, const Value& value, CronJob& out) {
  static const FieldTable<std::string> kFields(
      {{"name", [](DecodeContext& inside, const Value& name, std::string& job) { read(inside, name, job); }}},
      {"apiVersion", "kind", "namespace", "uid", "resourceVersion", "fieldPath"});
  if (!value.is_array()) return context.wrong_kind(value, "an array");
  for (std::size_t i = 0; i < value.size(); ++i) {
    const DecodeContext::Scope scope(context, i);
    kFields.read(context, value.items()[i], out.active.emplace_back());
  }
}

const FieldTable<CronJob>& cron_job_status_fields() {
  static const FieldTable<CronJob> kFields(
      {{"lastScheduleTime", time_member<&CronJob::last_schedule_time>}, {"active", read_active_jobs}},
      {"lastSuccessfulTime"});
  return kFields;
}

}  // namespace

void read(DecodeContext& context, const Value& value, PodFailureExitCodes& out) {
  using Codes = PodFailureExitCodes;
  static const FieldTable<Codes> kFields({{"containerName", member<&Codes::container_name>},
                                          {"operator", read_exit_code_operator},
                                          {"values", member<&Codes::values>}},
                                         {});
  kFields.read(context, value, out);
}

void read(DecodeContext& context, const Value& value, PodFailureCondition& out) {
  using Pattern = PodFailureCondition;
  static const FieldTable<Pattern> kFields({{"type", member<&Pattern::type>}, {"status", member<&Pattern::status>}},
                                           {});
  kFields.read(context, value, out);
}

void read(DecodeContext& context, const Value& value, PodFailureRule& out) {
  static const FieldTable<PodFailureRule> kFields({{"action", member<&PodFailureRule::action>},
                                                   {"onExitCodes", member<&PodFailureRule::on_exit_codes>},
                                                   {"onPodConditions", member<&PodFailureRule::on_pod_conditions>}},
                                                  {});
  kFields.read(context, value, out);
}

void read(DecodeContext& context, const Value& value, SuccessRule& out) {
  static const FieldTable<SuccessRule> kFields({{"succeededIndexes", member<&SuccessRule::succeeded_indexes>},
                                                {"succeededCount", member<&SuccessRule::succeeded_count>}},
                                               {});
  kFields.read(context, value, out);
}

void read(DecodeContext& context, const Value& value, Job& out) {
  static const FieldTable<Job> kFields(
      {{"metadata", member<&Job::metadata>},
       {"spec", [](DecodeContext& inside, const Value& spec, Job& job) { read_job_spec(inside, spec, job.spec); }},
       {"status", [](DecodeContext& inside, const Value& status,
                     Job& job) { job_status_fields().read(inside, status, job.status); }}},
      {"apiVersion", "kind"});
  kFields.read(context, value, out);
  const Value* spec = value.find("spec");
  if (spec == nullptr || !is_given(*spec, "template"))
    context.error(value, "spec.template is missing; describe the pods there.");
  if (out.metadata.labels.empty()) out.metadata.labels = out.spec.pod_template.metadata.labels;
}

void read(DecodeContext& context, const Value& value, CronJob& out) {
  static const FieldTable<CronJob> kFields(
      {{"metadata", member<&CronJob::metadata>},
       {"spec", inner<CronJob, cron_job_spec_fields<CronJob, job_template_fields>>},
       {"status", inner<CronJob, cron_job_status_fields>}},
      {"apiVersion", "kind"});
  kFields.read(context, value, out);
  if (out.starting_deadline_seconds && *out.starting_deadline_seconds < 0)
    context.error(value, "startingDeadlineSeconds is negative; write 0 or more.");
  if (out.schedule.empty()) context.error(value, "spec.schedule is missing; write one such as \"0 3 * * *\".");
}

}  // namespace berth::api
