// What a flow changes in the template of its job.
#include <algorithm>
#include <numeric>
#include <string_view>
#include <utility>

#include "api/volcano.h"

namespace berth::api::volcano {
namespace {

bool names(const std::vector<std::string>& given, std::string_view field) {
  return std::ranges::find(given, field) != given.end();
}

void change(Task& task, const TaskPatch& patch) {
  const bool all_needed = task.min_available == task.replicas;
  if (names(patch.given, "replicas")) task.replicas = patch.task.replicas;
  if (names(patch.given, "template")) task.pod_template = patch.task.pod_template;
  if (names(patch.given, "policies")) task.policies = patch.task.policies;
  if (names(patch.given, "topologyPolicy")) task.topology_policy = patch.task.topology_policy;
  if (names(patch.given, "maxRetry")) task.max_retry = patch.task.max_retry;
  if (names(patch.given, "dependsOn")) task.depends_on = patch.task.depends_on;
  if (names(patch.given, "partitionPolicy")) task.partition_policy = patch.task.partition_policy;
  // A task that needs all of its pods goes on to need all of them.
  if (names(patch.given, "minAvailable")) {
    task.min_available = patch.task.min_available;
  } else {
    task.min_available = all_needed ? task.replicas : std::min(task.min_available, task.replicas);
  }
}

std::int64_t sum_of(const std::vector<Task>& tasks, std::int32_t Task::* amount) {
  return std::accumulate(tasks.begin(), tasks.end(), std::int64_t{0},
                         [amount](std::int64_t sum, const Task& task) { return sum + task.*amount; });
}

}  // namespace

JobSpec patched(JobSpec spec, const JobPatch& patch) {
  const bool needs_all_minimums = spec.min_available == sum_of(spec.tasks, &Task::min_available);
  for (const TaskPatch& each : patch.tasks) {
    const auto found = std::ranges::find(spec.tasks, each.task.name, &Task::name);
    if (found != spec.tasks.end()) {
      change(*found, each);
    } else {
      Task added = each.task;
      if (!names(each.given, "minAvailable")) added.min_available = added.replicas;
      spec.tasks.push_back(std::move(added));
    }
  }
  const auto take = [&](std::string_view field, auto JobSpec::* member) {
    if (names(patch.given, field)) spec.*member = patch.spec.*member;
  };
  take("schedulerName", &JobSpec::scheduler_name);
  take("volumes", &JobSpec::volumes);
  take("policies", &JobSpec::policies);
  take("plugins", &JobSpec::plugins);
  take("runningEstimate", &JobSpec::running_estimate_seconds);
  take("queue", &JobSpec::queue);
  take("maxRetry", &JobSpec::max_retry);
  take("ttlSecondsAfterFinished", &JobSpec::ttl_seconds_after_finished);
  take("priorityClassName", &JobSpec::priority_class_name);
  take("minSuccess", &JobSpec::min_success);
  take("networkTopology", &JobSpec::network_topology);
  const std::int64_t least = sum_of(spec.tasks, &Task::min_available);
  const std::int64_t replicas = sum_of(spec.tasks, &Task::replicas);
  std::int64_t wanted = needs_all_minimums ? least : spec.min_available;
  if (names(patch.given, "minAvailable")) wanted = patch.spec.min_available > 0 ? patch.spec.min_available : least;
  spec.min_available = static_cast<std::int32_t>(std::min(wanted, replicas));
  return spec;
}

}  // namespace berth::api::volcano
