// The objects that make pods, and PodDisruptionBudget.
#include <limits>

#include "api/decode_fields.h"
#include "api/decode_objects.h"
#include "api/decode_scheduling.h"

namespace berth::api {
namespace {

std::string_view api_version_of(const Value& value) {
  const Value* version = value.find("apiVersion");
  return version == nullptr ? std::string_view() : version->text();
}

void check_count(DecodeContext& context, const Value& value, std::int32_t count, const std::string& field) {
  if (count < 0) context.error(value, field + " is " + std::to_string(count) + "; write 0 or more.");
}

// The selector must select the template's pods, or the controller would make pods without end. The early API versions
// took the template's labels where no selector was given.
void check_selector(DecodeContext& context, const Value& value, LabelSelector& selector, const PodTemplate& pods) {
  const bool empty = selector.match_labels.empty() && selector.match_expressions.empty();
  const bool early = api_version_of(value).ends_with("beta1");
  if (empty && early) {
    selector.match_labels = pods.metadata.labels;
  } else if (empty) {
    context.error(value, "spec.selector is missing or empty; add matchLabels that the template's labels carry.");
  } else if (!matches(selector, pods.metadata.labels)) {
    context.error(value,
                  "spec.selector does not select the pods of spec.template; make the template's labels match it.");
  }
}

const FieldTable<Deployment>& deployment_fields() {
  static const FieldTable<Deployment> kFields(
      {{"replicas", member<&Deployment::replicas>},
       {"selector", member<&Deployment::selector>},
       {"template", member<&Deployment::pod_template>},
       {"paused", member<&Deployment::paused>}},
      {"strategy", "minReadySeconds", "revisionHistoryLimit", "progressDeadlineSeconds", "rollbackTo"});
  return kFields;
}

const FieldTable<ReplicaSet>& replica_set_fields() {
  static const FieldTable<ReplicaSet> kFields({{"replicas", member<&ReplicaSet::replicas>},
                                               {"selector", member<&ReplicaSet::selector>},
                                               {"template", member<&ReplicaSet::pod_template>}},
                                              {"minReadySeconds"});
  return kFields;
}

const FieldTable<ReplicationController>& replication_controller_fields() {
  static const FieldTable<ReplicationController> kFields({{"replicas", member<&ReplicationController::replicas>},
                                                          {"selector", member<&ReplicationController::selector>},
                                                          {"template", member<&ReplicationController::pod_template>}},
                                                         {"minReadySeconds", "templateRef"});
  return kFields;
}

const FieldTable<StatefulSet>& ordinals_fields() {
  static const FieldTable<StatefulSet> kFields({{"start", member<&StatefulSet::first_ordinal>}}, {});
  return kFields;
}

void read_management(DecodeContext& context, const Value& value, StatefulSet& out) {
  if (value.is_string() && (value.text() == "Parallel" || value.text() == "OrderedReady")) {
    out.parallel = value.text() == "Parallel";
  } else {
    context.error(value, "podManagementPolicy is not one of its values; write OrderedReady or Parallel.");
  }
}

const FieldTable<StatefulSet>& stateful_set_fields() {
  static const FieldTable<StatefulSet> kFields({{"replicas", member<&StatefulSet::replicas>},
                                                {"ordinals", inner<StatefulSet, ordinals_fields>},
                                                {"selector", member<&StatefulSet::selector>},
                                                {"template", member<&StatefulSet::pod_template>},
                                                {"volumeClaimTemplates", member<&StatefulSet::volume_claim_templates>},
                                                {"podManagementPolicy", read_management}},
                                               {"serviceName", "updateStrategy", "revisionHistoryLimit",
                                                "minReadySeconds", "persistentVolumeClaimRetentionPolicy"});
  return kFields;
}

const FieldTable<DaemonSet>& daemon_set_fields() {
  static const FieldTable<DaemonSet> kFields(
      {{"selector", member<&DaemonSet::selector>}, {"template", member<&DaemonSet::pod_template>}},
      {"updateStrategy", "minReadySeconds", "revisionHistoryLimit", "templateGeneration"});
  return kFields;
}

void read_completion_mode(DecodeContext& context, const Value& value, JobSpec& out) {
  if (value.is_string() && (value.text() == "Indexed" || value.text() == "NonIndexed")) {
    out.indexed = value.text() == "Indexed";
  } else {
    context.error(value, "completionMode is not one of its values; write NonIndexed or Indexed.");
  }
}

void read_job_spec_fields(DecodeContext& context, const Value& value, JobSpec& out) {
  static const FieldTable<JobSpec> kFields(
      {{"parallelism", member<&JobSpec::parallelism>},
       {"completions", member<&JobSpec::completions>},
       {"completionMode", read_completion_mode},
       {"suspend", member<&JobSpec::suspend>},
       {"backoffLimit", member<&JobSpec::backoff_limit>},
       {"activeDeadlineSeconds", member<&JobSpec::active_deadline_seconds>},
       {"scheduling", member<&JobSpec::scheduling>},
       {"template", member<&JobSpec::pod_template>}},
      {"podFailurePolicy", "successPolicy", "backoffLimitPerIndex", "maxFailedIndexes", "failedPodsLimit", "selector",
       "manualSelector", "ttlSecondsAfterFinished", "podReplacementPolicy", "managedBy"});
  kFields.read(context, value, out);
}

// The pods of a job must end. The API wants that said; where nothing is said, Never is meant.
void settle_restart_policy(DecodeContext& context, const Value& value, PodSpec& pods) {
  if (pods.restart_policy != RestartPolicy::kAlways) return;
  pods.restart_policy = RestartPolicy::kNever;
  const Value* at = &value;
  for (const std::string_view name : {"template", "spec", "restartPolicy"})
    if (at = at->find(name); at == nullptr) return;
  context.error(*at, "The pods of a job must end, so their restartPolicy must be OnFailure or Never; correct it.");
}

// With the API server's defaults.
void read_job_spec(DecodeContext& context, const Value& value, JobSpec& out) {
  read_job_spec_fields(context, value, out);
  if (!value.is_object()) return;
  if (!out.completions && !out.parallelism) out.completions = 1;
  if (!out.parallelism) out.parallelism = 1;
  if (!is_given(value, "backoffLimit") && is_given(value, "backoffLimitPerIndex"))
    out.backoff_limit = std::numeric_limits<std::int32_t>::max();
  check_count(context, value, *out.parallelism, "parallelism");
  check_count(context, value, out.completions.value_or(0), "completions");
  check_count(context, value, out.backoff_limit, "backoffLimit");
  if (out.indexed && !out.completions)
    context.error(value, "An Indexed job needs completions; say how many indexes it has.");
  settle_restart_policy(context, value, out.pod_template.spec);
}

const FieldTable<JobStatus>& job_status_fields() {
  static const FieldTable<JobStatus> kFields(
      {{"active", member<&JobStatus::active>},
       {"succeeded", member<&JobStatus::succeeded>},
       {"failed", member<&JobStatus::failed>},
       {"completedIndexes", member<&JobStatus::completed_indexes>},
       {"conditions", member<&JobStatus::conditions>}},
      {"startTime", "completionTime", "terminating", "failedIndexes", "uncountedTerminatedPods", "ready"});
  return kFields;
}

const FieldTable<CronJob>& job_template_fields() {
  static const FieldTable<CronJob> kFields({{"metadata", member<&CronJob::job_metadata>},
                                            {"spec", [](DecodeContext& inside, const Value& spec,
                                                        CronJob& cron) { read_job_spec(inside, spec, cron.job); }}},
                                           {});
  return kFields;
}

const FieldTable<CronJob>& cron_job_spec_fields() {
  static const FieldTable<CronJob> kFields(
      {{"schedule", member<&CronJob::schedule>},
       {"timeZone", member<&CronJob::time_zone>},
       {"suspend", member<&CronJob::suspend>},
       {"jobTemplate", inner<CronJob, job_template_fields>}},
      {"startingDeadlineSeconds", "concurrencyPolicy", "successfulJobsHistoryLimit", "failedJobsHistoryLimit"});
  return kFields;
}

const FieldTable<CronJob>& cron_job_status_fields() {
  static const FieldTable<CronJob> kFields({{"lastScheduleTime", time_member<&CronJob::last_schedule_time>}},
                                           {"active", "lastSuccessfulTime"});
  return kFields;
}

// "3", "30%" or 3.
void read_int_or_percent(DecodeContext& context, const Value& value, std::optional<IntOrPercent>& out) {
  IntOrPercent parsed;
  if (value.is_number()) {
    read(context, value, parsed.value);
  } else if (value.is_string() && value.text().ends_with('%')) {
    parsed.percent = true;
    const Value number = Value::number(value.text().substr(0, value.size() - 1), value.origin());
    const auto percent = number.as_int64();
    if (!percent || *percent < 0 || *percent > 1'000'000)
      return context.error(value,
                           "\"" + std::string(value.text().substr(0, 32)) + "\" is no percentage; write it like 30%.");
    parsed.value = static_cast<std::int32_t>(*percent);
  } else {
    return context.wrong_kind(value, "an integer or a percentage like \"30%\"");
  }
  check_count(context, value, parsed.value, "The number of pods");
  out = parsed;
}

template <std::optional<IntOrPercent> PodDisruptionBudget::* kMember>
void read_limit(DecodeContext& context, const Value& value, PodDisruptionBudget& out) {
  read_int_or_percent(context, value, out.*kMember);
  const std::optional<IntOrPercent>& limit = out.*kMember;
  if (limit && limit->percent && limit->value > 100)
    context.error(value,
                  "A budget of " + std::to_string(limit->value) + "% of the pods cannot be; write at most 100%.");
}

const FieldTable<PodDisruptionBudget>& budget_spec_fields() {
  static const FieldTable<PodDisruptionBudget> kFields(
      {{"selector", member<&PodDisruptionBudget::selector>},
       {"minAvailable", read_limit<&PodDisruptionBudget::min_available>},
       {"maxUnavailable", read_limit<&PodDisruptionBudget::max_unavailable>}},
      {"unhealthyPodEvictionPolicy"});
  return kFields;
}

const FieldTable<PodDisruptionBudget>& budget_status_fields() {
  static const FieldTable<PodDisruptionBudget> kFields(
      {{"disruptionsAllowed", member<&PodDisruptionBudget::disruptions_allowed>}},
      {"observedGeneration", "disruptedPods", "currentHealthy", "desiredHealthy", "expectedPods", "conditions"});
  return kFields;
}

// The frame that all workloads share. False where there is no spec to go on with.
template <class T, const FieldTable<T>& (*kSpec)()>
bool read_workload(DecodeContext& context, const Value& value, T& out) {
  static const FieldTable<T> kFields({{"metadata", member<&T::metadata>}, {"spec", inner<T, kSpec>}},
                                     {"apiVersion", "kind", "status"});
  const std::int32_t before = context.errors();
  kFields.read(context, value, out);
  const Value* spec = value.find("spec");
  if (spec == nullptr || !spec->is_object()) {
    if (context.errors() == before) context.error(value, "The object has no spec; add one.");
    return false;
  }
  const Value* pods = spec->find("template");
  if (pods != nullptr && pods->is_object()) return context.errors() == before;
  if (context.errors() == before) context.error(*spec, "spec.template is missing; describe the pods there.");
  return false;
}

}  // namespace

void read(DecodeContext& context, const Value& value, Deployment& out) {
  if (!read_workload<Deployment, deployment_fields>(context, value, out)) return;
  check_count(context, value, out.replicas, "spec.replicas");
  check_selector(context, value, out.selector, out.pod_template);
}

void read(DecodeContext& context, const Value& value, ReplicaSet& out) {
  if (!read_workload<ReplicaSet, replica_set_fields>(context, value, out)) return;
  check_count(context, value, out.replicas, "spec.replicas");
  check_selector(context, value, out.selector, out.pod_template);
}

void read(DecodeContext& context, const Value& value, ReplicationController& out) {
  if (!read_workload<ReplicationController, replication_controller_fields>(context, value, out)) return;
  check_count(context, value, out.replicas, "spec.replicas");
  if (out.selector.empty()) out.selector = out.pod_template.metadata.labels;
}

void read(DecodeContext& context, const Value& value, StatefulSet& out) {
  if (!read_workload<StatefulSet, stateful_set_fields>(context, value, out)) return;
  check_count(context, value, out.replicas, "spec.replicas");
  check_count(context, value, out.first_ordinal, "spec.ordinals.start");
  check_selector(context, value, out.selector, out.pod_template);
}

void read(DecodeContext& context, const Value& value, DaemonSet& out) {
  if (!read_workload<DaemonSet, daemon_set_fields>(context, value, out)) return;
  check_selector(context, value, out.selector, out.pod_template);
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
  static const FieldTable<CronJob> kFields({{"metadata", member<&CronJob::metadata>},
                                            {"spec", inner<CronJob, cron_job_spec_fields>},
                                            {"status", inner<CronJob, cron_job_status_fields>}},
                                           {"apiVersion", "kind"});
  kFields.read(context, value, out);
  if (out.schedule.empty()) context.error(value, "spec.schedule is missing; write one such as \"0 3 * * *\".");
}

void read(DecodeContext& context, const Value& value, PodDisruptionBudget& out) {
  static const FieldTable<PodDisruptionBudget> kFields({{"metadata", member<&PodDisruptionBudget::metadata>},
                                                        {"spec", inner<PodDisruptionBudget, budget_spec_fields>},
                                                        {"status", inner<PodDisruptionBudget, budget_status_fields>}},
                                                       {"apiVersion", "kind"});
  kFields.read(context, value, out);
  if (out.min_available && out.max_unavailable)
    context.error(value, "minAvailable and maxUnavailable exclude each other; remove one.");
  // In v1beta1 an empty selector selected nothing.
  if (api_version_of(value) == "policy/v1beta1" && out.selector == LabelSelector{}) out.selector.reset();
}

}  // namespace berth::api
