#include <algorithm>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "api/full_name.h"
#include "base/sort_unique.h"
#include "cel/time_zone.h"
#include "controllers/cron_schedule.h"
#include "controllers/job_progress.h"
#include "controllers/workshop.h"

namespace berth::controllers {
namespace {

void refuse(Workshop& workshop, Error error, const Place& place, std::string field) {
  error.place = place;
  error.place.field = std::move(field);
  workshop.error(std::move(error));
}

api::Job job_of(const api::CronJob& from, api::Time scheduled, api::Time now) {
  api::Job job;
  job.metadata.labels = from.job_metadata.labels;
  job.metadata.annotations = from.job_metadata.annotations;
  job.metadata.name = from.metadata.name + "-" + std::to_string(scheduled / 60);
  job.metadata.namespace_ = from.metadata.namespace_;
  job.metadata.creation_timestamp = now;
  job.metadata.owner_references = {{"batch/v1", "CronJob", from.metadata.name, from.metadata.uid, true}};
  job.spec = from.job;
  return job;
}

// The zone of the schedule; null for UTC. None: it cannot be had, which has been told.
std::optional<const cel::TimeZone*> zone_of(Workshop& workshop, const std::string& name, const Place& place) {
  if (name.empty()) return nullptr;
  Error error{ErrorCode::kInvalid, "\"" + name + "\" is no time zone; write one like Europe/Berlin.", {}};
  if (is_time_zone_name(name)) {
    const cel::TimeZoneProvider* zones = workshop.options().time_zones;
    if (const cel::TimeZone* zone = zones == nullptr ? nullptr : zones->find(name)) return zone;
    error.message =
        "The time zone \"" + name + "\" is not in this machine's time zone database; correct it, or install tzdata.";
  }
  refuse(workshop, std::move(error), place, "spec.timeZone");
  return std::nullopt;
}

// The Jobs of the CronJob that have not ended. One that its status names is believed to run unless it is known to be
// over; it may be missing only where no Job is among the objects at all.
struct ActiveJobs {
  std::vector<const api::Read<api::Job>*> known;
  std::vector<std::string> names;
};

ActiveJobs active_jobs(Workshop& workshop, const api::CronJob& cron, const Owner& owner) {
  ActiveJobs active;
  std::vector<const api::Read<api::Job>*> jobs = workshop.jobs_of(owner);
  for (const std::string& name : cron.active)
    if (const auto* named = workshop.job(cron.metadata.namespace_, name)) jobs.push_back(named);
  sort_unique(jobs);  // in the order of the objects, each once
  for (const auto* read : jobs) {
    if (has_ended(read->object, progress_of(workshop, *read))) continue;
    active.known.push_back(read);
    active.names.push_back(read->object.metadata.name);
  }
  if (workshop.objects().jobs.empty()) active.names = cron.active;
  return active;
}

// The Job goes, and its pods with it.
void remove(Workshop& workshop, const api::Job& job) {
  Expansion& result = workshop.result();
  result.removed_jobs.push_back(api::full_name(job.metadata));
  for (const api::Pod* pod : workshop.owned({"batch/v1", "Job", &job.metadata}))
    result.removed_pods.push_back(api::full_name(pod->metadata));
}

// False: Jobs that have not ended keep the next one from being made.
bool make_way(Workshop& workshop, const api::CronJob& cron, const Owner& owner, const Place& place) {
  if (cron.concurrency_policy == api::ConcurrencyPolicy::kAllow) return true;
  const ActiveJobs active = active_jobs(workshop, cron, owner);
  if (active.names.empty()) return true;
  const std::string who = "CronJob " + cron.metadata.name;
  const std::string others =
      active.names.front() +
      (active.names.size() == 1 ? "" : " and " + std::to_string(active.names.size() - 1) + " more");
  if (cron.concurrency_policy == api::ConcurrencyPolicy::kForbid) {
    workshop.remark(who + " makes no Job, as " + others + " has not ended and its concurrencyPolicy is Forbid.", place);
    return false;
  }
  for (const auto* read : active.known) remove(workshop, read->object);
  workshop.remark(who + " replaces " + others + ", which has not ended: its concurrencyPolicy is Replace.", place);
  return true;
}

}  // namespace

// A CronJob from a manifest makes the Job of its next time, which is what a dry run of it wants to see. One that is in
// the cluster already makes what is due now; its later Jobs are not load yet.
std::optional<api::Time> due_time(Workshop& workshop, const CronInput& cron, const Place& place) {
  const api::ObjectMeta& metadata = *cron.owner.metadata;
  if (metadata.deletion_timestamp) return std::nullopt;
  auto schedule = CronSchedule::parse(cron.schedule);
  if (!schedule) {
    refuse(workshop, std::move(schedule).error(), place, "spec.schedule");
    return std::nullopt;
  }
  const auto zone = zone_of(workshop, cron.time_zone, place);
  if (!zone) return std::nullopt;
  if (cron.suspend) {
    workshop.remark("CronJob " + metadata.name + " is suspended and makes no Job.", place);
    return std::nullopt;
  }
  const api::Time now = workshop.options().now;
  const auto next = schedule->next(now, *zone);
  if (!next) {
    Error error{ErrorCode::kInvalid, "The schedule \"" + cron.schedule + "\" names no day that ever comes.", {}};
    refuse(workshop, std::move(error), place, "spec.schedule");
    return std::nullopt;
  }
  if (metadata.uid.empty()) return next;
  workshop.look_again(*next);
  api::Time since = cron.last_schedule_time.value_or(metadata.creation_timestamp.value_or(now));
  if (cron.starting_deadline_seconds) since = std::max(since, now - *cron.starting_deadline_seconds);
  return schedule->most_recent(since, now, *zone);
}

void reconcile_cron_job(Workshop& workshop, const api::Read<api::CronJob>& read) {
  const api::CronJob& from = read.object;
  const Owner owner{"batch/v1", "CronJob", &from.metadata};
  const auto due = due_time(
      workshop,
      {owner, from.schedule, from.time_zone, from.suspend, from.last_schedule_time, from.starting_deadline_seconds},
      read.place);
  if (!due) return;
  api::Job job = job_of(from, *due, workshop.options().now);
  const bool there = workshop.job(job.metadata.namespace_, job.metadata.name) != nullptr;
  if (there || std::ranges::find(from.active, job.metadata.name) != from.active.end()) return;
  if (make_way(workshop, from, owner, read.place)) workshop.result().jobs.push_back({std::move(job), read.place});
}

}  // namespace berth::controllers
