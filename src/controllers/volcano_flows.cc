// What makes Volcano Jobs: CronJobs and JobFlows. And commands to queues.
#include <algorithm>
#include <string>
#include <utility>

#include "api/full_name.h"
#include "controllers/volcano.h"

namespace berth::controllers {
namespace {

using api::volcano::Command;
using api::volcano::Flow;
using api::volcano::Job;
using api::volcano::JobFlow;
using api::volcano::JobFlowPhase;
using api::volcano::JobPhase;
using api::volcano::Queue;
using api::volcano::QueueState;

const Job* find_job(const Workshop& workshop, std::string_view space, std::string_view name) {
  for (const auto& read : workshop.objects().volcano_jobs)
    if (read.object.metadata.namespace_ == space && read.object.metadata.name == name) return &read.object;
  return nullptr;
}

const api::volcano::JobTemplate* find_template(const Workshop& workshop, std::string_view space,
                                               std::string_view name) {
  for (const auto& read : workshop.objects().job_templates)
    if (read.object.metadata.namespace_ == space && read.object.metadata.name == name) return &read.object;
  return nullptr;
}

std::string job_name(const JobFlow& job_flow, std::string_view flow) {
  return job_flow.metadata.name + "-" + std::string(flow);
}

// Do enough pods of the task answer the probe?
bool answers(const Workshop& workshop, const Job& job, const api::volcano::Task& task,
             const api::volcano::FlowProbe& probe) {
  const Owner owner{kVolcanoBatch, "Job", &job.metadata};
  const auto pods = workshop.owned(owner);
  const auto there = std::ranges::count_if(pods, [&](const api::Pod* pod) {
    if (annotation(pod->metadata, api::volcano::keys::kTaskSpec) != task.name) return false;
    const api::PodPhase phase = pod->status.phase;
    // Who has ended well was running, and was ready.
    if (phase == api::PodPhase::kSucceeded && (probe.ready || probe.phase == api::PodPhase::kRunning)) return true;
    return probe.ready ? phase == api::PodPhase::kRunning && containers_ready(*pod) : phase == probe.phase;
  });
  return there >= std::max(task.min_available, 1);
}

// Has the target come so far that the flow may start?
bool is_far_enough(const Workshop& workshop, const Flow& flow, const Job& job) {
  if (job.status.phase == JobPhase::kCompleted) return true;
  return !flow.probes.empty() && std::ranges::all_of(flow.probes, [&](const api::volcano::FlowProbe& probe) {
    return std::ranges::all_of(job.spec.tasks, [&](const api::volcano::Task& task) {
      return (!probe.task.empty() && probe.task != task.name) || answers(workshop, job, task, probe);
    });
  });
}

Job job_from(const JobFlow& job_flow, const Flow& flow, const api::volcano::JobTemplate& from, api::Time now) {
  Job job;
  job.metadata.name = job_name(job_flow, from.metadata.name);
  job.metadata.namespace_ = job_flow.metadata.namespace_;
  job.metadata.creation_timestamp = now;
  job.metadata.labels = from.metadata.labels;
  job.metadata.annotations = from.metadata.annotations;
  const std::string space = job_flow.metadata.namespace_;
  for (api::StringMap* map : {&job.metadata.labels, &job.metadata.annotations}) {
    map->insert_or_assign("volcano.sh/created-by-jobtemplate", space + "." + from.metadata.name);
    map->insert_or_assign("volcano.sh/created-by-jobflow", space + "." + job_flow.metadata.name);
  }
  job.metadata.owner_references = {
      {"flow.volcano.sh/v1alpha1", "JobFlow", job_flow.metadata.name, job_flow.metadata.uid, true}};
  job.spec = flow.patch ? api::volcano::patched(from.spec, *flow.patch) : from.spec;
  return job;
}

// Of all jobs of the flow.
JobFlowPhase phase_of(const Workshop& workshop, const JobFlow& job_flow) {
  bool all_completed = true;
  bool any = false;
  for (const Flow& flow : job_flow.flows) {
    const Job* job = find_job(workshop, job_flow.metadata.namespace_, job_name(job_flow, flow.name));
    const JobPhase phase = job == nullptr ? JobPhase::kPending : job->status.phase.value_or(JobPhase::kPending);
    if (phase == JobPhase::kFailed || phase == JobPhase::kTerminated || phase == JobPhase::kAborted)
      return JobFlowPhase::kFailed;
    all_completed = all_completed && phase == JobPhase::kCompleted;
    any = any || phase != JobPhase::kPending;
  }
  if (all_completed) return JobFlowPhase::kSucceed;
  return any ? JobFlowPhase::kRunning : JobFlowPhase::kPending;
}

}  // namespace

void reconcile_job_flow(Workshop& workshop, const api::Read<JobFlow>& read) {
  const JobFlow& job_flow = read.object;
  if (job_flow.metadata.deletion_timestamp) return;
  // It is over, and the jobs that it deleted are not made again.
  if (job_flow.phase == JobFlowPhase::kSucceed) return;
  const JobFlowPhase phase = phase_of(workshop, job_flow);
  if (job_flow.phase != phase) {
    JobFlow changed = job_flow;
    changed.phase = phase;
    workshop.result().job_flows.push_back({std::move(changed), read.place});
  }
  const std::string& space = job_flow.metadata.namespace_;
  if (phase == JobFlowPhase::kSucceed && job_flow.job_retain_policy == api::volcano::JobRetainPolicy::kDelete) {
    for (const Flow& flow : job_flow.flows) {
      const Job* job = find_job(workshop, space, job_name(job_flow, flow.name));
      if (job == nullptr) continue;
      workshop.result().removed_volcano_jobs.push_back(api::full_name(space, job->metadata.name));
      for (const api::Pod* pod : workshop.owned(Owner{kVolcanoBatch, "Job", &job->metadata}))
        workshop.result().removed_pods.push_back(api::full_name(space, pod->metadata.name));
    }
    return;
  }
  for (const Flow& flow : job_flow.flows) {
    if (find_job(workshop, space, job_name(job_flow, flow.name)) != nullptr) continue;
    const bool waits = !std::ranges::all_of(flow.depends_on, [&](const std::string& target) {
      const Job* job = find_job(workshop, space, job_name(job_flow, target));
      return job != nullptr && is_far_enough(workshop, flow, *job);
    });
    if (waits) continue;
    const api::volcano::JobTemplate* from = find_template(workshop, space, flow.name);
    if (from == nullptr) {
      workshop.remark("JobFlow " + job_flow.metadata.name + " waits for the JobTemplate " + flow.name +
                          ", which is not there; add it.",
                      read.place);
      continue;
    }
    workshop.result().volcano_jobs.push_back({job_from(job_flow, flow, *from, workshop.options().now), read.place});
  }
}

void reconcile_volcano_cron_job(Workshop& workshop, const api::Read<api::volcano::CronJob>& read) {
  const api::volcano::CronJob& from = read.object;
  const Owner owner{kVolcanoBatch, "CronJob", &from.metadata};
  const auto due = due_time(
      workshop,
      {owner, from.schedule, from.time_zone, from.suspend, from.last_schedule_time, from.starting_deadline_seconds},
      read.place);
  if (!due) return;
  const std::string name = from.metadata.name + "-" + std::to_string(*due / 60);
  if (find_job(workshop, from.metadata.namespace_, name) != nullptr) return;
  Job job;
  job.metadata.name = name;
  job.metadata.namespace_ = from.metadata.namespace_;
  job.metadata.labels = from.job_metadata.labels;
  job.metadata.annotations = from.job_metadata.annotations;
  job.metadata.creation_timestamp = workshop.options().now;
  job.metadata.owner_references = {
      {std::string(kVolcanoBatch), "CronJob", from.metadata.name, from.metadata.uid, true}};
  job.spec = from.job;
  workshop.result().volcano_jobs.push_back({std::move(job), read.place});
}

void reconcile_queues(Workshop& workshop) {
  for (const auto& read : workshop.objects().volcano_queues) {
    Queue queue = read.object;
    const QueueState before = queue.status.state.value_or(QueueState::kOpen);
    QueueState state = before;
    for (const auto& order : workshop.objects().volcano_commands) {
      const Command& command = order.object;
      if (command.target.kind != "Queue" || command.target.name != queue.metadata.name) continue;
      workshop.result().removed_commands.push_back(api::full_name(command.metadata));
      if (command.action == Command::Action::kOpenQueue) state = QueueState::kOpen;
      if (command.action == Command::Action::kCloseQueue && state == QueueState::kOpen) state = QueueState::kClosing;
    }
    if (state == QueueState::kClosing || state == QueueState::kClosed) {
      const auto& groups = workshop.objects().volcano_pod_groups;
      const bool empty = std::ranges::none_of(groups, [&](const api::Read<api::volcano::PodGroup>& group) {
        return group.object.queue == queue.metadata.name;
      });
      state = empty ? QueueState::kClosed : QueueState::kClosing;
    }
    if (state == before) continue;
    queue.status.state = state;
    workshop.result().volcano_queues.push_back({std::move(queue), read.place});
  }
}

}  // namespace berth::controllers
