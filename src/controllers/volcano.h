// What Volcano's controllers make: the pods and the PodGroup of a Job, and the state machine between; the Jobs of a
// JobFlow and a CronJob; PodGroups for pods that have none. For reconcile.cc.
// Source: Volcano's pkg/controllers of 2026-08 (behaviour, not code).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/objects.h"
#include "api/volcano_keys.h"
#include "controllers/workshop.h"

namespace berth::controllers {

inline constexpr std::string_view kVolcanoBatch = "batch.volcano.sh/v1alpha1";

// --- Names ----------------------------------------------------------------------------------------------------------

// "JOB-TASK-INDEX".
[[nodiscard]] std::string volcano_pod_name(const api::volcano::Job& job, const api::volcano::Task& task,
                                           std::int64_t index);
// "JOB-UID", or the job's name where it has no uid.
[[nodiscard]] std::string volcano_group_name(const api::volcano::Job& job);

// --- Making ---------------------------------------------------------------------------------------------------------

[[nodiscard]] api::Pod make_volcano_pod(Workshop& workshop, const api::volcano::Job& job,
                                        const api::volcano::Task& task, std::int64_t index);
[[nodiscard]] api::volcano::PodGroup make_volcano_group(const api::volcano::Job& job);
// What the job's pods ask for at the minimum: of the tasks of higher priority first.
[[nodiscard]] api::ResourceList minimum_resources(const api::volcano::JobSpec& spec);
// The sum of a pod's requests as the scheduler counts them.
[[nodiscard]] api::ResourceList pod_requests(const api::PodSpec& spec);

// All containers ready, as far as the pod says so.
[[nodiscard]] bool containers_ready(const api::Pod& pod);

// --- Policies -------------------------------------------------------------------------------------------------------

// Something that happened to a job, one of its tasks or one of its pods.
struct JobHappening {
  api::volcano::JobEvent event = api::volcano::JobEvent::kAny;
  std::string task;  // none: of the job
  const api::Pod* pod = nullptr;
  std::optional<std::int32_t> exit_code;
  api::Time since = 0;  // when it began
};

// The action that a policy has for it: the task's policies before the job's, of these the first that answers the event
// and whose timeout is over. None: nobody answers.
[[nodiscard]] std::optional<api::volcano::JobAction> action_for(const api::volcano::JobSpec& spec,
                                                                const JobHappening& happening, api::Time now);

// --- Controllers ----------------------------------------------------------------------------------------------------

void reconcile_volcano_job(Workshop& workshop, const api::Read<api::volcano::Job>& read);
void reconcile_volcano_cron_job(Workshop& workshop, const api::Read<api::volcano::CronJob>& read);
void reconcile_job_flow(Workshop& workshop, const api::Read<api::volcano::JobFlow>& read);
// Opens and closes queues as commands say, and finishes closing those that are empty.
void reconcile_queues(Workshop& workshop);
// PodGroups for pods that Volcano schedules and that name none: one per controller, or per pod without one.
void reconcile_pod_groups(Workshop& workshop);

}  // namespace berth::controllers
