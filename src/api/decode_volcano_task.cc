// The tasks of Volcano's Job and their policies, with the rules of its admission webhooks.
#include <algorithm>
#include <limits>
#include <string>
#include <vector>

#include "api/decode_volcano_job.h"
#include "api/duration.h"
#include "api/resource_names.h"

namespace berth::api::volcano {

namespace {

void read_timeout(DecodeContext& context, const Value& value, LifecyclePolicy& out) {
  if (!value.is_string()) return context.wrong_kind(value, "a duration such as \"10m\"");
  out.timeout_seconds = parse_duration_seconds(value.text());
  if (!out.timeout_seconds)
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

}  // namespace

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

}  // namespace berth::api::volcano
