// apps/v1 and batch/v1: the controllers' objects, as much as makes pods. policy/v1 PodDisruptionBudget and
// scheduling.k8s.io/v1 PriorityClass, which decide who may be evicted.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "api/core.h"
#include "api/scheduling.h"
#include "api/storage.h"

namespace berth::api {

// "3" or "30%".
struct IntOrPercent {
  std::int32_t value = 0;
  bool percent = false;
  bool operator==(const IntOrPercent&) const = default;
};

// Deployment, ReplicaSet and ReplicationController want a number of interchangeable pods.
struct Deployment {
  ObjectMeta metadata;
  std::int32_t replicas = 1;
  LabelSelector selector;
  PodTemplate pod_template;
  bool paused = false;
  bool recreate = false;                // strategy Recreate; else RollingUpdate
  IntOrPercent max_surge = {25, true};  // of RollingUpdate: pods above `replicas` during a roll-out, rounded up
  bool operator==(const Deployment&) const = default;
};

struct ReplicaSet {
  ObjectMeta metadata;
  std::int32_t replicas = 1;
  LabelSelector selector;
  PodTemplate pod_template;
  bool operator==(const ReplicaSet&) const = default;
};

struct ReplicationController {
  ObjectMeta metadata;
  std::int32_t replicas = 1;
  StringMap selector;
  PodTemplate pod_template;
  bool operator==(const ReplicationController&) const = default;
};

struct StatefulSet {
  ObjectMeta metadata;
  std::int32_t replicas = 1;
  std::int32_t first_ordinal = 0;  // spec.ordinals.start
  LabelSelector selector;
  PodTemplate pod_template;
  std::vector<PersistentVolumeClaim> volume_claim_templates;
  bool parallel = false;  // podManagementPolicy Parallel; else ordered
  bool operator==(const StatefulSet&) const = default;
};

struct DaemonSet {
  ObjectMeta metadata;
  LabelSelector selector;
  PodTemplate pod_template;
  bool operator==(const DaemonSet&) const = default;
};

struct JobStatus {
  std::int32_t active = 0;
  std::int32_t succeeded = 0;
  std::int32_t failed = 0;
  // Of uncountedTerminatedPods: ended, and not yet in the two counts above.
  std::int32_t uncounted_succeeded = 0;
  std::int32_t uncounted_failed = 0;
  std::string completed_indexes;  // "0,2-4"
  std::string failed_indexes;     // the same; of Jobs with a backoffLimitPerIndex
  std::optional<Time> start_time;
  std::vector<Condition> conditions;
  bool operator==(const JobStatus&) const = default;
};

// What a failed pod has to be like for a rule to match. Outside of the rule: within it, std::optional would ask for
// their default constructors before their initializers are read, which clang refuses.
struct PodFailureExitCodes {
  std::string container_name;  // empty: any
  bool in = true;              // operator In; else NotIn
  std::vector<std::int32_t> values;
  bool operator==(const PodFailureExitCodes&) const = default;
};
struct PodFailureCondition {
  std::string type;
  std::string status = "True";
  bool operator==(const PodFailureCondition&) const = default;
};

// What a failed pod means for its Job. The first rule that matches decides; without one the failure counts.
struct PodFailureRule {
  enum class Action : std::uint8_t { kFailJob, kFailIndex, kIgnore, kCount };
  Action action = Action::kCount;
  std::optional<PodFailureExitCodes> on_exit_codes;
  std::vector<PodFailureCondition> on_pod_conditions;
  bool operator==(const PodFailureRule&) const = default;
};

// An Indexed Job that one of these rules holds for has succeeded.
struct SuccessRule {
  std::optional<std::string> succeeded_indexes;  // of these all must succeed, or `succeeded_count` of them
  std::optional<std::int32_t> succeeded_count;
  bool operator==(const SuccessRule&) const = default;
};

struct JobSpec {
  std::optional<std::int32_t> parallelism;  // 1 where absent
  std::optional<std::int32_t> completions;  // none: a work queue, done when one pod succeeds
  bool indexed = false;                     // completionMode Indexed
  bool suspend = false;
  std::int32_t backoff_limit = 6;
  std::optional<std::int32_t> backoff_limit_per_index;
  std::optional<std::int32_t> max_failed_indexes;
  std::optional<std::vector<PodFailureRule>> pod_failure_policy;
  std::vector<SuccessRule> success_policy;
  bool replace_failed_only = false;  // podReplacementPolicy Failed: a terminating pod has to end first
  std::string managed_by;            // empty: the Job controller
  std::optional<std::int64_t> active_deadline_seconds;
  std::optional<JobScheduling> scheduling;
  PodTemplate pod_template;
  bool operator==(const JobSpec&) const = default;
};

struct Job {
  ObjectMeta metadata;
  JobSpec spec;
  JobStatus status;
  bool operator==(const Job&) const = default;
};

enum class ConcurrencyPolicy : std::uint8_t { kAllow, kForbid, kReplace };

struct CronJob {
  ObjectMeta metadata;
  std::string schedule;
  std::string time_zone;
  bool suspend = false;
  ConcurrencyPolicy concurrency_policy = ConcurrencyPolicy::kAllow;
  std::optional<std::int64_t> starting_deadline_seconds;
  std::vector<std::string> active;  // status: names of its Jobs that have not ended
  ObjectMeta job_metadata;          // spec.jobTemplate.metadata
  JobSpec job;
  std::optional<Time> last_schedule_time;
  bool operator==(const CronJob&) const = default;
};

struct PodDisruptionBudget {
  ObjectMeta metadata;
  std::optional<LabelSelector> selector;  // none selects no pod; empty selects all of the namespace
  std::optional<IntOrPercent> min_available;
  std::optional<IntOrPercent> max_unavailable;
  std::optional<std::int32_t> disruptions_allowed;  // status, where a controller has written it
  std::vector<std::string> disrupted_pods;          // status: names of pods whose eviction is counted already
  bool operator==(const PodDisruptionBudget&) const = default;
};

// v1: what the pods of a namespace may ask for in sum.
struct ResourceQuota {
  ObjectMeta metadata;
  ResourceList hard;       // "requests.cpu", "cpu", "requests.nvidia.com/gpu", "pods"
  bool has_scope = false;  // counts some of the pods only
  bool operator==(const ResourceQuota&) const = default;
};

struct PriorityClass {
  ObjectMeta metadata;
  std::int32_t value = 0;
  bool global_default = false;
  PreemptionPolicy preemption_policy = PreemptionPolicy::kPreemptLowerPriority;
  bool operator==(const PriorityClass&) const = default;
};

}  // namespace berth::api
