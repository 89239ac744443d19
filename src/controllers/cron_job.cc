#include <algorithm>
#include <string>
#include <utility>

#include "controllers/cron_schedule.h"
#include "controllers/workshop.h"

namespace berth::controllers {
namespace {

void refuse(Workshop& workshop, Error error, const Place& place, std::string field) {
  error.place = place;
  error.place.field = std::move(field);
  workshop.result().errors.push_back(std::move(error));
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

}  // namespace

// A CronJob from a manifest makes the Job of its next time, which is what a dry run of it wants to see. One that is in
// the cluster already makes what is due now; its later Jobs are not load yet.
std::optional<api::Time> due_time(Workshop& workshop, const CronInput& cron, const Place& place) {
  const api::ObjectMeta& metadata = *cron.owner.metadata;
  if (metadata.deletion_timestamp || !workshop.first_of_name(cron.owner, place)) return std::nullopt;
  auto schedule = CronSchedule::parse(cron.schedule);
  if (!schedule) {
    refuse(workshop, std::move(schedule).error(), place, "spec.schedule");
    return std::nullopt;
  }
  if (!cron.time_zone.empty() && !is_time_zone_name(cron.time_zone)) {
    Error error{ErrorCode::kInvalid, "\"" + cron.time_zone + "\" is no time zone; write one like Europe/Berlin.", {}};
    refuse(workshop, std::move(error), place, "spec.timeZone");
    return std::nullopt;
  }
  if (cron.suspend) {
    workshop.remark("CronJob " + metadata.name + " is suspended and makes no Job.", place);
    return std::nullopt;
  }
  const bool in_cluster = !metadata.uid.empty();
  const api::Time now = workshop.options().now;
  const api::Time since =
      in_cluster ? cron.last_schedule_time.value_or(metadata.creation_timestamp.value_or(now)) : now;
  const auto next = schedule->next(since);
  if (!next) {
    Error error{ErrorCode::kInvalid, "The schedule \"" + cron.schedule + "\" names no day that ever comes.", {}};
    refuse(workshop, std::move(error), place, "spec.schedule");
    return std::nullopt;
  }
  if (in_cluster && *next > now) return std::nullopt;
  return next;
}

void reconcile_cron_job(Workshop& workshop, const api::Read<api::CronJob>& read) {
  const api::CronJob& from = read.object;
  const Owner owner{"batch/v1", "CronJob", &from.metadata};
  const auto due =
      due_time(workshop, {owner, from.schedule, from.time_zone, from.suspend, from.last_schedule_time}, read.place);
  if (!due) return;
  api::Job job = job_of(from, *due, workshop.options().now);
  const auto& jobs = workshop.objects().jobs;
  const bool there = std::ranges::any_of(jobs, [&job](const api::Read<api::Job>& other) {
    return other.object.metadata.name == job.metadata.name &&
           other.object.metadata.namespace_ == job.metadata.namespace_;
  });
  if (!there) workshop.result().jobs.push_back({std::move(job), read.place});
}

}  // namespace berth::controllers
