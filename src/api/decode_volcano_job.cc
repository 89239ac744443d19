// Volcano's Job, with the defaults and the rules of its admission webhooks; CronJob, JobTemplate and JobFlow around it.
#include <algorithm>
#include <initializer_list>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

#include "api/cron_job_fields.h"
#include "api/decode_volcano.h"
#include "api/duration.h"
#include "api/resource_names.h"

namespace berth::api::volcano {
namespace {

std::string quoted(std::string_view text) { return "\"" + std::string(text.substr(0, 100)) + "\""; }

void read_timeout(DecodeContext& context, const Value& value, LifecyclePolicy& out) {
  if (!value.is_string()) return context.wrong_kind(value, "a duration such as \"10m\"");
  out.timeout_seconds = parse_duration_seconds(value.text());
  if (!out.timeout_seconds)
    context.error(value, quoted(value.text()) + " is no duration; write one such as 90s or 1h30m.");
}

void read_estimate(DecodeContext& context, const Value& value, JobSpec& out) {
  if (!value.is_string()) return context.wrong_kind(value, "a duration such as \"10m\"");
  out.running_estimate_seconds = parse_duration_seconds(value.text());
  if (!out.running_estimate_seconds)
    context.error(value, quoted(value.text()) + " is no duration; write one such as 90s or 1h30m.");
}

void read_event(DecodeContext& context, const Value& value, LifecyclePolicy& out) {
  // What the controller says to itself is no event for users.
  for (const std::string_view own : {"OutOfSync", "CommandIssued", "JobUpdated", "PodRunning"})
    if (value.is_string() && value.text() == own)
      return context.error(
          value, quoted(own) + " is an event of the controller's own; write " + enum_choices<JobEvent>() + ".");
  api::read(context, value, out.events.emplace_back());
}

void read_events(DecodeContext& context, const Value& value, LifecyclePolicy& out) {
  if (!value.is_array()) return context.wrong_kind(value, "an array");
  for (std::size_t i = 0; i < value.size(); ++i) {
    const DecodeContext::Scope scope(context, i);
    read_event(context, value.items()[i], out);
  }
}

// Who answers an event must be clear: each event and exit code once, and "*" alone.
void check_policies(DecodeContext& context, const Value& value, const std::vector<LifecyclePolicy>& policies,
                    std::string_view field) {
  std::vector<JobEvent> events;
  std::vector<std::int32_t> codes;
  for (const LifecyclePolicy& policy : policies) {
    events.insert(events.end(), policy.events.begin(), policy.events.end());
    if (policy.exit_code) codes.push_back(*policy.exit_code);
  }
  const bool any = std::ranges::find(events, JobEvent::kAny) != events.end();
  if (any && events.size() > 1)
    context.error(value, std::string(field) + ": with \"*\" there can be no other event; remove one of the policies.");
  std::ranges::sort(events);
  std::ranges::sort(codes);
  if (const auto twice = std::ranges::adjacent_find(events); twice != events.end() && !any)
    context.error(value,
                  std::string(field) + ": event " + std::string(enum_name(*twice)) + " has two policies; keep one.");
  if (const auto twice = std::ranges::adjacent_find(codes); twice != codes.end())
    context.error(value, std::string(field) + ": exit code " + std::to_string(*twice) + " has two policies; keep one.");
}

void read_names(DecodeContext& context, const Value& value, TaskDependency& out) { read(context, value, out.names); }

// Templates have labels and annotations; what else metadata may hold is the made object's own.
ObjectMeta labels_of(const ObjectMeta& metadata) {
  ObjectMeta kept;
  kept.labels = metadata.labels;
  kept.annotations = metadata.annotations;
  return kept;
}

void read_template(DecodeContext& context, const Value& value, Task& out) {
  api::read(context, value, out.pod_template);
  out.pod_template.metadata = labels_of(out.pod_template.metadata);
  const Value* spec = value.find("spec");
  // Without a name the job's scheduler takes the pods.
  if (spec == nullptr || !is_given(*spec, "schedulerName")) out.pod_template.spec.scheduler_name.clear();
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

// What the framework plugins pull in.
void complete_plugins(std::map<std::string, std::vector<std::string>>& plugins) {
  const bool framework = std::ranges::any_of(std::initializer_list<std::string>{"tensorflow", "mpi", "pytorch", "ray"},
                                             [&plugins](const std::string& name) { return plugins.contains(name); });
  if (framework) plugins.try_emplace("svc");
  if (plugins.contains("mpi")) plugins.try_emplace("ssh");
}

void check_partitions(DecodeContext& context, const Value& value, const Task& task) {
  const PartitionPolicy& policy = *task.partition_policy;
  const std::int64_t pods = std::int64_t{policy.total_partitions} * policy.partition_size;
  const std::int64_t least = std::int64_t{policy.min_partitions} * policy.partition_size;
  if (pods != task.replicas)
    context.error(value, "replicas is " + std::to_string(task.replicas) + ", but partitionPolicy makes " +
                             std::to_string(pods) + " pods (totalPartitions times partitionSize); make them equal.");
  if (policy.min_partitions > policy.total_partitions)
    context.error(value, "partitionPolicy.minPartitions is more than totalPartitions; lower it.");
  if (policy.min_partitions > 0 && least != task.min_available)
    context.error(value, "minAvailable is " + std::to_string(task.min_available) + ", but partitionPolicy needs " +
                             std::to_string(least) + " (minPartitions times partitionSize); make them equal.");
}

void settle_task(DecodeContext& context, const Value& value, std::size_t index, Task& out) {
  if (out.name.empty()) out.name = "default" + std::to_string(index);
  if (auto fault = dns_label_fault(out.name)) context.error(value, "name: " + *fault);
  check_least(context, value, out.replicas, 0, "replicas");
  check_least(context, value, out.max_retry, -1, "maxRetry");
  if (!is_given(value, "minAvailable")) {
    const bool parts = out.partition_policy && out.partition_policy->min_partitions > 0;
    const std::int64_t least =
        parts ? std::int64_t{out.partition_policy->min_partitions} * out.partition_policy->partition_size
              : out.replicas;
    out.min_available =
        static_cast<std::int32_t>(std::min<std::int64_t>(least, std::numeric_limits<std::int32_t>::max()));
  }
  check_least(context, value, out.min_available, 0, "minAvailable");
  if (out.min_available > out.replicas)
    context.error(value, "minAvailable is " + std::to_string(out.min_available) + ", more than the " +
                             std::to_string(out.replicas) + " replicas; lower it.");
  if (out.partition_policy) check_partitions(context, value, out);
  check_policies(context, value, out.policies, "policies");
  if (!is_given(value, "template")) context.error(value, "template is missing; describe the task's pods there.");
}

void read_tasks(DecodeContext& context, const Value& value, JobSpec& out) {
  if (!value.is_array()) return context.wrong_kind(value, "an array");
  for (std::size_t i = 0; i < value.size(); ++i) {
    const DecodeContext::Scope scope(context, i);
    const std::int32_t before = context.errors();
    Task& task = out.tasks.emplace_back();
    read(context, value.items()[i], task);
    if (context.errors() == before) settle_task(context, value.items()[i], i, task);
  }
}

// Tasks of a job, flows of a JobFlow: what has a name and waits for others.
struct Waiter {
  const std::string* name;
  const std::vector<std::string>* waits_for;
};

// A waiter on a circle, if there is one: those that wait for nobody leave until nobody can. O(waiters + names).
std::optional<std::size_t> on_circle(const std::vector<std::vector<std::size_t>>& waits_for) {
  std::vector<std::vector<std::size_t>> waited_by(waits_for.size());
  std::vector<std::size_t> open(waits_for.size());
  std::vector<std::size_t> free;
  for (std::size_t i = 0; i < waits_for.size(); ++i) {
    for (const std::size_t other : waits_for[i]) waited_by[other].push_back(i);
    open[i] = waits_for[i].size();
    if (open[i] == 0) free.push_back(i);
  }
  for (std::size_t next = 0; next < free.size(); ++next)
    for (const std::size_t behind : waited_by[free[next]])
      if (--open[behind] == 0) free.push_back(behind);
  const auto stuck = std::ranges::find_if(open, [](std::size_t count) { return count > 0; });
  if (stuck == open.end()) return std::nullopt;
  // Whoever is left waits for somebody who is left; following them ends on the circle.
  auto at = static_cast<std::size_t>(stuck - open.begin());
  for (std::size_t step = 0; step < open.size(); ++step)
    at = *std::ranges::find_if(waits_for[at], [&open](std::size_t other) { return open[other] > 0; });
  return at;
}

void check_waiters(DecodeContext& context, const Value& value, const std::vector<Waiter>& waiters,
                   const std::string& what) {
  boost::unordered_flat_map<std::string_view, std::size_t> by_name;
  for (std::size_t i = 0; i < waiters.size(); ++i)
    if (!by_name.try_emplace(*waiters[i].name, i).second)
      context.error(value, "Two " + what + "s are named " + *waiters[i].name + "; give each its own name.");
  std::vector<std::vector<std::size_t>> waits_for(waiters.size());
  for (std::size_t i = 0; i < waiters.size(); ++i) {
    for (const std::string& name : *waiters[i].waits_for) {
      const auto found = by_name.find(name);
      if (found != by_name.end()) {
        waits_for[i].push_back(found->second);
      } else {
        context.error(value, "The " + what + " " + *waiters[i].name + " depends on " + quoted(name) + ", which is no " +
                                 what + " of it; correct the name or remove it.");
      }
    }
  }
  if (const auto at = on_circle(waits_for))
    context.error(value, "The dependsOn of the " + what + "s form a circle through " + *waiters[*at].name +
                             "; remove one of them.");
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

std::vector<std::string> fields_given(const Value& object) {
  std::vector<std::string> result;
  for (const text::Member& member : object.members())
    if (!member.value.is_null()) result.emplace_back(member.name());
  return result;
}

const FieldTable<JobSpec>& job_fields();

void read_task_patches(DecodeContext& context, const Value& value, JobPatch& out) {
  if (!value.is_array()) return context.wrong_kind(value, "an array");
  for (std::size_t i = 0; i < value.size(); ++i) {
    const DecodeContext::Scope scope(context, i);
    const Value& item = value.items()[i];
    TaskPatch& patch = out.tasks.emplace_back();
    read(context, item, patch.task);
    patch.given = fields_given(item);
    if (patch.task.name.empty()) context.error(item, "name is missing; write that of the task to change or to add.");
    check_least(context, item, patch.task.replicas, 0, "replicas");
    check_least(context, item, patch.task.min_available, 0, "minAvailable");
  }
}

void read_job_patch(DecodeContext& context, const Value& value, JobPatch& out) {
  if (!value.is_object()) return context.wrong_kind(value, "an object");
  job_fields().read(context, value, out.spec);
  out.given = fields_given(value);
  check_least(context, value, out.spec.min_available, 0, "minAvailable");
  check_policies(context, value, out.spec.policies, "policies");
  complete_plugins(out.spec.plugins);
  const Value* tasks = value.find("tasks");
  if (tasks == nullptr || tasks->is_null()) return;
  const DecodeContext::Scope scope(context, "tasks");
  read_task_patches(context, *tasks, out);
}

void read_patch(DecodeContext& context, const Value& value, Flow& out) {
  static const auto read_spec = [](DecodeContext& inside, const Value& spec, Flow& flow) {
    read_job_patch(inside, spec, flow.patch.emplace());
  };
  static const FieldTable<Flow> kFields({{"spec", read_spec}}, {});
  kFields.read(context, value, out);
}

// A probe by HTTP or TCP finds the pods ready, which their own readiness says as well.
void read_asking_probes(DecodeContext& context, const Value& value, Flow& out) {
  static const FieldTable<FlowProbe> kFields({{"taskName", member<&FlowProbe::task>}}, {"path", "port", "httpHeader"});
  if (!value.is_array()) return context.wrong_kind(value, "an array");
  for (std::size_t i = 0; i < value.size(); ++i) {
    const DecodeContext::Scope scope(context, i);
    FlowProbe& probe = out.probes.emplace_back();
    probe.ready = true;
    kFields.read(context, value.items()[i], probe);
  }
}

void read_status_probes(DecodeContext& context, const Value& value, Flow& out) {
  static const FieldTable<FlowProbe> kFields(
      {{"taskName", member<&FlowProbe::task>}, {"phase", member<&FlowProbe::phase>}}, {});
  if (!value.is_array()) return context.wrong_kind(value, "an array");
  for (std::size_t i = 0; i < value.size(); ++i) {
    const DecodeContext::Scope scope(context, i);
    kFields.read(context, value.items()[i], out.probes.emplace_back());
  }
}

const FieldTable<Flow>& probe_fields() {
  static const FieldTable<Flow> kFields({{"httpGetList", read_asking_probes},
                                         {"tcpSocketList", read_asking_probes},
                                         {"taskStatusList", read_status_probes}},
                                        {});
  return kFields;
}

void read_depends_on(DecodeContext& context, const Value& value, Flow& out) {
  static const FieldTable<Flow> kFields({{"targets", member<&Flow::depends_on>}, {"probe", inner<Flow, probe_fields>}},
                                        {});
  kFields.read(context, value, out);
  // As they are written; all of them have to answer, so their order says nothing.
  std::ranges::stable_partition(out.probes, &FlowProbe::ready);
}

void read_flow_phase(DecodeContext& context, const Value& value, JobFlow& out) {
  if (!value.text().empty() || !value.is_string()) api::read(context, value, out.phase);
}

const FieldTable<JobFlow>& flow_state_fields() {
  static const FieldTable<JobFlow> kFields({{"phase", read_flow_phase}}, {});
  return kFields;
}

const FieldTable<JobFlow>& flow_status_fields() {
  static const FieldTable<JobFlow> kFields({{"state", inner<JobFlow, flow_state_fields>}},
                                           {"pendingJobs", "runningJobs", "failedJobs", "completedJobs",
                                            "terminatedJobs", "unKnowJobs", "jobStatusList", "conditions"});
  return kFields;
}

const FieldTable<JobFlow>& flow_spec_fields() {
  static const FieldTable<JobFlow> kFields(
      {{"flows", member<&JobFlow::flows>}, {"jobRetainPolicy", member<&JobFlow::job_retain_policy>}}, {});
  return kFields;
}

void check_flows(DecodeContext& context, const Value& value, const JobFlow& out) {
  std::vector<Waiter> waiters;
  for (const Flow& flow : out.flows) waiters.push_back({&flow.name, &flow.depends_on});
  check_waiters(context, value, waiters, "flow");
}

}  // namespace

void read(DecodeContext& context, const Value& value, LifecyclePolicy& out) {
  static const FieldTable<LifecyclePolicy> kFields({{"action", member<&LifecyclePolicy::action>},
                                                    {"event", read_event},
                                                    {"events", read_events},
                                                    {"exitCode", member<&LifecyclePolicy::exit_code>},
                                                    {"timeout", read_timeout}},
                                                   {});
  kFields.read(context, value, out);
  if (!is_given(value, "action"))
    context.error(value, "The policy has no action; write " + enum_choices<JobAction>() + ".");
  if (is_given(value, "event") && is_given(value, "events"))
    context.error(value, "event and events exclude each other; write all of them in events.");
  if (out.exit_code == 0) context.error(value, "exitCode 0 is success, to which no policy answers; write another.");
  if (out.exit_code && !out.events.empty())
    context.error(value, "A policy has events or an exitCode, not both; make two of it.");
  if (!out.exit_code && !is_given(value, "event") && !is_given(value, "events"))
    context.error(value, "The policy answers nothing; add an event or an exitCode.");
}

void read(DecodeContext& context, const Value& value, TaskDependency& out) {
  static const FieldTable<TaskDependency> kFields(
      {{"name", read_names}, {"iteration", member<&TaskDependency::iteration>}}, {});
  kFields.read(context, value, out);
}

void read(DecodeContext& context, const Value& value, PartitionPolicy& out) {
  static const FieldTable<PartitionPolicy> kFields({{"totalPartitions", member<&PartitionPolicy::total_partitions>},
                                                    {"partitionSize", member<&PartitionPolicy::partition_size>},
                                                    {"minPartitions", member<&PartitionPolicy::min_partitions>},
                                                    {"networkTopology", member<&PartitionPolicy::network_topology>}},
                                                   {});
  kFields.read(context, value, out);
  check_least(context, value, out.total_partitions, 1, "totalPartitions");
  check_least(context, value, out.partition_size, 1, "partitionSize");
  check_least(context, value, out.min_partitions, 0, "minPartitions");
}

void read(DecodeContext& context, const Value& value, Task& out) {
  static const FieldTable<Task> kFields({{"name", member<&Task::name>},
                                         {"replicas", member<&Task::replicas>},
                                         {"minAvailable", member<&Task::min_available>},
                                         {"template", read_template},
                                         {"policies", member<&Task::policies>},
                                         {"topologyPolicy", member<&Task::topology_policy>},
                                         {"maxRetry", member<&Task::max_retry>},
                                         {"dependsOn", member<&Task::depends_on>},
                                         {"partitionPolicy", member<&Task::partition_policy>}},
                                        {});
  kFields.read(context, value, out);
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

namespace {

// All but the tasks.
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

}  // namespace

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

void read(DecodeContext& context, const Value& value, Flow& out) {
  static const FieldTable<Flow> kFields(
      {{"name", member<&Flow::name>}, {"dependsOn", read_depends_on}, {"patch", read_patch}}, {});
  kFields.read(context, value, out);
  if (out.name.empty()) context.error(value, "name is missing; write that of a JobTemplate.");
}

void read(DecodeContext& context, const Value& value, JobFlow& out) {
  static const FieldTable<JobFlow> kFields({{"metadata", member<&JobFlow::metadata>},
                                            {"spec", inner<JobFlow, flow_spec_fields>},
                                            {"status", inner<JobFlow, flow_status_fields>}},
                                           {"apiVersion", "kind"});
  kFields.read(context, value, out);
  if (context.errors() == 0) check_flows(context, value, out);
}

}  // namespace berth::api::volcano
