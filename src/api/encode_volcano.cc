// Volcano's objects back to the API's form.
#include <algorithm>
#include <iterator>
#include <string>

#include "api/encode.h"
#include "api/encode_parts.h"
#include "api/volcano_names.h"

namespace berth::api::volcano {
namespace {

using encoding::array_member;
using encoding::begin;
using encoding::enum_member;
using encoding::map_member;
using encoding::object_member;
using encoding::resources_member;
using encoding::text_member;
using encoding::texts_member;
using encoding::time_member;
using text::Writer;

constexpr std::string_view kScheduling = "scheduling.volcano.sh/v1beta1";
constexpr std::string_view kBatch = "batch.volcano.sh/v1alpha1";
constexpr std::string_view kFlow = "flow.volcano.sh/v1alpha1";

void count_member(Writer& out, std::string_view name, std::int32_t count) {
  if (count != 0) out.member(name, count);
}

void seconds_member(Writer& out, std::string_view name, const std::optional<std::int64_t>& seconds) {
  if (seconds) out.member(name, std::to_string(*seconds) + "s");
}

void topology_member(Writer& out, const std::optional<NetworkTopology>& topology) {
  if (!topology) return;
  object_member(out, "networkTopology", [&] {
    enum_member(out, "mode", topology->mode);
    if (topology->highest_tier_allowed) out.member("highestTierAllowed", *topology->highest_tier_allowed);
    text_member(out, "highestTierName", topology->highest_tier_name);
  });
}

void write_sub_group(Writer& out, const SubGroupPolicy& policy) {
  out.begin_object();
  text_member(out, "name", policy.name);
  topology_member(out, policy.network_topology);
  out.member("subGroupSize", policy.sub_group_size);
  count_member(out, "minSubGroups", policy.min_sub_groups);
  if (policy.label_selector) {
    out.key("labelSelector");
    encoding::write_selector(out, *policy.label_selector);
  }
  texts_member(out, "matchLabelKeys", policy.match_label_keys);
  out.end_object();
}

void node_groups_member(Writer& out, std::string_view name, const NodeGroupAffinity& affinity) {
  if (affinity == NodeGroupAffinity{}) return;
  object_member(out, name, [&] {
    texts_member(out, "requiredDuringSchedulingIgnoredDuringExecution", affinity.required);
    texts_member(out, "preferredDuringSchedulingIgnoredDuringExecution", affinity.preferred);
  });
}

void write_policy(Writer& out, const LifecyclePolicy& policy) {
  out.begin_object();
  enum_member(out, "action", policy.action);
  if (policy.exit_code) {
    out.member("exitCode", *policy.exit_code);
  } else {
    out.key("events");
    out.begin_array();
    for (const JobEvent event : policy.events) out.string(enum_name(event));
    out.end_array();
  }
  seconds_member(out, "timeout", policy.timeout_seconds);
  out.end_object();
}

// Which fields to write: those that a patch names, or all.
class Chosen {
 public:
  Chosen() = default;
  explicit Chosen(const std::vector<std::string>& given) : given_(&given) {}
  [[nodiscard]] bool has(std::string_view field) const {
    return given_ == nullptr || std::ranges::find(*given_, field) != given_->end();
  }

 private:
  const std::vector<std::string>* given_ = nullptr;
};

void write_task_fields(Writer& out, const Task& task, const Chosen& chosen) {
  out.begin_object();
  out.member("name", task.name);
  if (chosen.has("replicas")) out.member("replicas", task.replicas);
  if (chosen.has("minAvailable")) out.member("minAvailable", task.min_available);
  if (chosen.has("template")) {
    out.key("template");
    encoding::write_pod_template(out, task.pod_template);
  }
  array_member(out, "policies", task.policies, write_policy);
  if (chosen.has("topologyPolicy")) enum_member(out, "topologyPolicy", task.topology_policy);
  if (chosen.has("maxRetry")) out.member("maxRetry", task.max_retry);
  if (task.depends_on) {
    object_member(out, "dependsOn", [&] {
      texts_member(out, "name", task.depends_on->names);
      enum_member(out, "iteration", task.depends_on->iteration);
    });
  }
  if (task.partition_policy) {
    object_member(out, "partitionPolicy", [&] {
      out.member("totalPartitions", task.partition_policy->total_partitions);
      out.member("partitionSize", task.partition_policy->partition_size);
      out.member("minPartitions", task.partition_policy->min_partitions);
      topology_member(out, task.partition_policy->network_topology);
    });
  }
  out.end_object();
}
void write_task(Writer& out, const Task& task) { write_task_fields(out, task, {}); }

void write_volume(Writer& out, const JobVolume& volume) {
  out.begin_object();
  out.member("mountPath", volume.mount_path);
  text_member(out, "volumeClaimName", volume.volume_claim_name);
  if (volume.volume_claim)
    object_member(out, "volumeClaim", [&] { encoding::claim_spec_members(out, *volume.volume_claim); });
  out.end_object();
}

void job_spec_members(Writer& out, const JobSpec& spec, const Chosen& chosen = {}) {
  if (chosen.has("schedulerName")) out.member("schedulerName", spec.scheduler_name);
  if (chosen.has("minAvailable")) out.member("minAvailable", spec.min_available);
  array_member(out, "volumes", spec.volumes, write_volume);
  array_member(out, "tasks", spec.tasks, write_task);
  array_member(out, "policies", spec.policies, write_policy);
  if (!spec.plugins.empty()) {
    object_member(out, "plugins", [&] {
      for (const auto& [name, arguments] : spec.plugins) {
        out.key(name);
        out.begin_array();
        for (const std::string& argument : arguments) out.string(argument);
        out.end_array();
      }
    });
  }
  seconds_member(out, "runningEstimate", spec.running_estimate_seconds);
  if (chosen.has("queue")) out.member("queue", spec.queue);
  if (chosen.has("maxRetry")) out.member("maxRetry", spec.max_retry);
  if (spec.ttl_seconds_after_finished) out.member("ttlSecondsAfterFinished", *spec.ttl_seconds_after_finished);
  text_member(out, "priorityClassName", spec.priority_class_name);
  if (spec.min_success) out.member("minSuccess", *spec.min_success);
  topology_member(out, spec.network_topology);
}

void write_task_patch(Writer& out, const TaskPatch& patch) { write_task_fields(out, patch.task, Chosen(patch.given)); }

// Probes by HTTP or TCP are kept as what they find.
void probe_member(Writer& out, const std::vector<FlowProbe>& probes) {
  if (probes.empty()) return;
  object_member(out, "probe", [&] {
    for (const bool ready : {true, false}) {
      std::vector<FlowProbe> kind;
      std::ranges::copy_if(probes, std::back_inserter(kind),
                           [&](const FlowProbe& each) { return each.ready == ready; });
      array_member(out, ready ? "tcpSocketList" : "taskStatusList", kind, [](Writer& writer, const FlowProbe& probe) {
        writer.begin_object();
        text_member(writer, "taskName", probe.task);
        if (!probe.ready) enum_member(writer, "phase", probe.phase);
        writer.end_object();
      });
    }
  });
}

void job_state_members(Writer& out, const JobStatus& status) {
  object_member(out, "state", [&] {
    if (status.phase) enum_member(out, "phase", *status.phase);
    text_member(out, "reason", status.reason);
    text_member(out, "message", status.message);
    time_member(out, "lastTransitionTime", status.last_transition_time);
  });
}

void task_counts_member(Writer& out, const JobStatus& status) {
  if (status.task_status_count.empty()) return;
  object_member(out, "taskStatusCount", [&] {
    for (const auto& [task, phases] : status.task_status_count) {
      object_member(out, task, [&] {
        object_member(out, "phase", [&] {
          for (const auto& [phase, count] : phases) out.member(enum_name(phase), count);
        });
      });
    }
  });
}

}  // namespace

void write(Writer& out, const PodGroup& group) {
  begin(out, kScheduling, "PodGroup", group.metadata);
  object_member(out, "spec", [&] {
    out.member("minMember", group.min_member);
    if (!group.min_task_member.empty()) {
      object_member(out, "minTaskMember", [&] {
        for (const auto& [role, least] : group.min_task_member) out.member(role, least);
      });
    }
    out.member("queue", group.queue);
    text_member(out, "priorityClassName", group.priority_class_name);
    if (group.min_resources) {
      object_member(out, "minResources", [&] {
        for (const auto& [resource, amount] : *group.min_resources) out.member(resource, amount.to_string());
      });
    }
    topology_member(out, group.network_topology);
    array_member(out, "subGroupPolicy", group.sub_group_policy, write_sub_group);
  });
  object_member(out, "status", [&] {
    if (group.status.phase) enum_member(out, "phase", *group.status.phase);
    array_member(out, "conditions", group.status.conditions, encoding::write_condition);
    count_member(out, "running", group.status.running);
    count_member(out, "succeeded", group.status.succeeded);
    count_member(out, "failed", group.status.failed);
  });
  out.end_object();
}

void write(Writer& out, const Queue& queue) {
  begin(out, kScheduling, "Queue", queue.metadata);
  object_member(out, "spec", [&] {
    out.member("weight", queue.weight);
    resources_member(out, "capability", queue.capability);
    resources_member(out, "deserved", queue.deserved);
    if (!queue.guarantee.empty())
      object_member(out, "guarantee", [&] { resources_member(out, "resource", queue.guarantee); });
    out.flag("reclaimable", queue.reclaimable);
    text_member(out, "parent", queue.parent);
    count_member(out, "priority", queue.priority);
    enum_member(out, "dequeueStrategy", queue.dequeue_strategy);
    if (queue.affinity != NodeGroupAffinity{} || queue.anti_affinity != NodeGroupAffinity{}) {
      object_member(out, "affinity", [&] {
        node_groups_member(out, "nodeGroupAffinity", queue.affinity);
        node_groups_member(out, "nodeGroupAntiAffinity", queue.anti_affinity);
      });
    }
  });
  object_member(out, "status", [&] {
    if (queue.status.state) enum_member(out, "state", *queue.status.state);
    count_member(out, "unknown", queue.status.unknown);
    count_member(out, "pending", queue.status.pending);
    count_member(out, "running", queue.status.running);
    count_member(out, "inqueue", queue.status.inqueue);
    count_member(out, "completed", queue.status.completed);
    resources_member(out, "allocated", queue.status.allocated);
  });
  out.end_object();
}

void write(Writer& out, const Job& job) {
  begin(out, kBatch, "Job", job.metadata);
  object_member(out, "spec", [&] { job_spec_members(out, job.spec); });
  object_member(out, "status", [&] {
    const JobStatus& status = job.status;
    job_state_members(out, status);
    count_member(out, "minAvailable", status.min_available);
    task_counts_member(out, status);
    count_member(out, "pending", status.pending);
    count_member(out, "running", status.running);
    count_member(out, "succeeded", status.succeeded);
    count_member(out, "failed", status.failed);
    count_member(out, "terminating", status.terminating);
    count_member(out, "unknown", status.unknown);
    count_member(out, "version", status.version);
    count_member(out, "retryCount", status.retry_count);
  });
  out.end_object();
}

void write(Writer& out, const CronJob& cron) {
  begin(out, kBatch, "CronJob", cron.metadata);
  object_member(out, "spec", [&] {
    out.member("schedule", cron.schedule);
    text_member(out, "timeZone", cron.time_zone);
    if (cron.suspend) out.flag("suspend", true);
    enum_member(out, "concurrencyPolicy", cron.concurrency_policy);
    if (cron.starting_deadline_seconds) out.member("startingDeadlineSeconds", *cron.starting_deadline_seconds);
    object_member(out, "jobTemplate", [&] {
      object_member(out, "metadata", [&] {
        map_member(out, "labels", cron.job_metadata.labels);
        map_member(out, "annotations", cron.job_metadata.annotations);
      });
      object_member(out, "spec", [&] { job_spec_members(out, cron.job); });
    });
  });
  object_member(out, "status", [&] { time_member(out, "lastScheduleTime", cron.last_schedule_time); });
  out.end_object();
}

void write(Writer& out, const Command& command) {
  begin(out, "bus.volcano.sh/v1alpha1", "Command", command.metadata);
  enum_member(out, "action", command.action);
  object_member(out, "target", [&] {
    text_member(out, "apiVersion", command.target.api_version);
    out.member("kind", command.target.kind);
    out.member("name", command.target.name);
    text_member(out, "uid", command.target.uid);
    if (command.target.controller) out.flag("controller", true);
  });
  out.end_object();
}

void write(Writer& out, const JobTemplate& from) {
  begin(out, kFlow, "JobTemplate", from.metadata);
  object_member(out, "spec", [&] { job_spec_members(out, from.spec); });
  out.end_object();
}

void write(Writer& out, const JobFlow& flow) {
  begin(out, kFlow, "JobFlow", flow.metadata);
  object_member(out, "spec", [&] {
    array_member(out, "flows", flow.flows, [](Writer& writer, const Flow& step) {
      writer.begin_object();
      writer.member("name", step.name);
      if (!step.depends_on.empty() || !step.probes.empty()) {
        object_member(writer, "dependsOn", [&] {
          texts_member(writer, "targets", step.depends_on);
          probe_member(writer, step.probes);
        });
      }
      if (step.patch) {
        object_member(writer, "patch", [&] {
          object_member(writer, "spec", [&] {
            job_spec_members(writer, step.patch->spec, Chosen(step.patch->given));
            array_member(writer, "tasks", step.patch->tasks, write_task_patch);
          });
        });
      }
      writer.end_object();
    });
    enum_member(out, "jobRetainPolicy", flow.job_retain_policy);
  });
  object_member(out, "status", [&] {
    if (flow.phase) object_member(out, "state", [&] { enum_member(out, "phase", *flow.phase); });
  });
  out.end_object();
}

void write(Writer& out, const HyperNode& node) {
  begin(out, "topology.volcano.sh/v1alpha1", "HyperNode", node.metadata);
  object_member(out, "spec", [&] {
    out.member("tier", node.tier);
    text_member(out, "tierName", node.tier_name);
    array_member(out, "members", node.members, [](Writer& writer, const HyperNodeMember& member) {
      writer.begin_object();
      enum_member(writer, "type", member.type);
      object_member(writer, "selector", [&] {
        if (!member.exact_name.empty())
          object_member(writer, "exactMatch", [&] { writer.member("name", member.exact_name); });
        if (!member.regex_pattern.empty())
          object_member(writer, "regexMatch", [&] { writer.member("pattern", member.regex_pattern); });
        if (member.label_match) {
          writer.key("labelMatch");
          encoding::write_selector(writer, *member.label_match);
        }
      });
      writer.end_object();
    });
  });
  out.end_object();
}

void write(Writer& out, const Numatopology& topology) {
  begin(out, "nodeinfo.volcano.sh/v1alpha1", "Numatopology", topology.metadata);
  object_member(out, "spec", [&] {
    map_member(out, "policies", topology.policies);
    map_member(out, "resReserved", topology.reserved);
    object_member(out, "numares", [&] {
      for (const auto& [name, resource] : topology.resources) {
        object_member(out, name, [&] {
          std::string cpus;
          for (const std::int32_t cpu : resource.allocatable) cpus += (cpus.empty() ? "" : ",") + std::to_string(cpu);
          text_member(out, "allocatable", cpus);
          out.member("capacity", resource.capacity);
        });
      }
    });
    object_member(out, "cpuDetail", [&] {
      for (const auto& [number, cpu] : topology.cpus) {
        object_member(out, std::to_string(number), [&] {
          out.member("numa", cpu.numa);
          out.member("socket", cpu.socket);
          out.member("core", cpu.core);
        });
      }
    });
  });
  out.end_object();
}

}  // namespace berth::api::volcano
