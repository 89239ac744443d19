#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "cel/time_zone.h"
#include "controllers/test_objects.h"

namespace berth::controllers {
namespace {

struct CronJobs : testing::Test, TestObjects {
  cel::SystemTimeZones zones;

  CronJobs() { options.time_zones = &zones; }
  api::CronJob& cron_job(const std::string& schedule, api::Time last) {
    api::CronJob from;
    from.metadata = named("nightly", "u1");
    from.schedule = schedule;
    from.job.pod_template = pod_template();
    from.last_schedule_time = last;
    return objects.cron_jobs.emplace_back(from, Place{}).object;
  }
  api::Job& its_job(const std::string& name) {
    api::Job job;
    job.metadata = named(name);
    job.metadata.owner_references = {{"batch/v1", "CronJob", "nightly", "u1", true}};
    job.spec.completions = 1;
    job.spec.pod_template = pod_template();
    return objects.jobs.emplace_back(job, Place{}).object;
  }
  // When the job that is made was due; 0: none is made.
  [[nodiscard]] api::Time due() const {
    const Expansion expansion = run();
    if (expansion.jobs.empty()) return 0;
    const std::string& name = expansion.jobs[0].object.metadata.name;
    return std::stoll(name.substr(name.rfind('-') + 1)) * 60;
  }
};

TEST_F(CronJobs, AManifestOfACronJobMakesItsNextJob) {
  api::CronJob from;
  from.metadata = named("nightly");
  from.schedule = "0 3 * * *";
  from.job.pod_template = pod_template();
  auto& given = objects.cron_jobs.emplace_back(from, Place{}).object;
  Expansion expansion = run();
  ASSERT_EQ(expansion.jobs.size(), 1U);
  EXPECT_EQ(expansion.jobs[0].object.metadata.name, "nightly-17460");  // 1970-01-13 03:00
  EXPECT_EQ(expansion.pods.size(), 1U);
  given.suspend = true;
  EXPECT_EQ(made(), 0U);
  EXPECT_EQ(run().remarks.size(), 1U);
  given.suspend = false;
  given.schedule = "61 * * * *";
  EXPECT_EQ(run().errors.at(0).place.field, "spec.schedule");
  given.schedule = "0 3 30 2 *";
  EXPECT_EQ(run().errors.size(), 1U);
  given.schedule = "0 3 * * *";
  given.time_zone = "../etc/passwd";
  EXPECT_EQ(run().errors.at(0).place.field, "spec.timeZone");
}

TEST_F(CronJobs, ACronJobOfTheClusterMakesWhatIsDue) {
  api::CronJob from;
  from.metadata = named("nightly", "u1");
  from.schedule = "@hourly";
  from.job.pod_template = pod_template();
  from.last_schedule_time = options.now - 60;
  auto& given = objects.cron_jobs.emplace_back(from, Place{}).object;
  EXPECT_EQ(made(), 0U);
  given.last_schedule_time = options.now - 2 * 3600;
  EXPECT_EQ(made(), 1U);
  add(run(), objects);
  EXPECT_EQ(made(), 0U);
}

constexpr api::Time kMarch2026 = 1'772'323'200;  // 2026-03-01T00:00:00Z, a Sunday
constexpr api::Time kHour = 3600;

TEST_F(CronJobs, ForbidMakesNoSecondJobBesideOneThatRuns) {
  auto& given = cron_job("@hourly", options.now - 2 * kHour);
  given.concurrency_policy = api::ConcurrencyPolicy::kForbid;
  auto& before = its_job("nightly-1");
  pod("runs", "Job", "nightly-1");
  EXPECT_EQ(due(), 0);
  EXPECT_EQ(made(), 0U);
  EXPECT_NE(remark().find("Forbid"), std::string::npos) << remark();
  given.concurrency_policy = api::ConcurrencyPolicy::kAllow;
  EXPECT_EQ(made(), 1U);
  given.concurrency_policy = api::ConcurrencyPolicy::kForbid;
  objects.pods[0].object.status.phase = api::PodPhase::kSucceeded;  // its status does not say so yet
  EXPECT_EQ(made(), 1U);
  objects.pods.clear();
  before.status.conditions = {{"Complete", "True", "", "", std::nullopt}};
  EXPECT_EQ(made(), 1U);
  objects.jobs.clear();
  given.active = {"nightly-1"};  // without Jobs in the input its status is believed
  EXPECT_EQ(made(), 0U);
}

TEST_F(CronJobs, ReplaceTakesTheRunningJobAway) {
  cron_job("@hourly", options.now - 2 * kHour).concurrency_policy = api::ConcurrencyPolicy::kReplace;
  its_job("nightly-1");
  pod("runs", "Job", "nightly-1");
  const Expansion expansion = run();
  EXPECT_EQ(expansion.removed_jobs, (std::vector<std::string>{"team/nightly-1"}));
  EXPECT_EQ(expansion.removed_pods, (std::vector<std::string>{"team/runs"}));
  EXPECT_EQ(expansion.pods.size(), 1U);
  add(run(), objects);
  EXPECT_EQ(objects.jobs.size(), 1U);
  EXPECT_EQ(objects.pods.size(), 1U);
}

TEST_F(CronJobs, OneInTokyoIsDueByTokyosClocks) {
  // The last run was at 01:00 in Tokyo, the next one is the day after; in UTC it would be due at 01:00Z.
  const api::Time last = kMarch2026 + 16 * kHour;
  auto& given = cron_job("0 1 * * *", last);
  given.time_zone = "Asia/Tokyo";
  options.now = kMarch2026 + 26 * kHour;
  EXPECT_EQ(due(), 0);
  options.now = last + 24 * kHour;
  EXPECT_EQ(due(), last + 24 * kHour);
  given.time_zone.clear();
  EXPECT_EQ(due(), kMarch2026 + 25 * kHour);
}

TEST_F(CronJobs, AnUnknownZoneIsAnErrorAtItsField) {
  auto& given = cron_job("0 1 * * *", options.now - 48 * kHour);
  given.time_zone = "Asia/Atlantis";
  const Expansion expansion = run();
  EXPECT_TRUE(expansion.jobs.empty());
  ASSERT_EQ(expansion.errors.size(), 1U);
  EXPECT_EQ(expansion.errors[0].place.field, "spec.timeZone");
  options.time_zones = nullptr;
  given.time_zone = "Asia/Tokyo";
  EXPECT_EQ(run().errors.size(), 1U);
}

TEST_F(CronJobs, OfSeveralMissedTimesTheLastIsMade) {
  options.now = kMarch2026 + 5 * kHour + 1800;
  cron_job("@hourly", kMarch2026);
  EXPECT_EQ(due(), kMarch2026 + 5 * kHour);
  EXPECT_EQ(run().jobs.size(), 1U);
}

TEST_F(CronJobs, WhatIsDueForTooLongIsNotMade) {
  options.now = kMarch2026 + 5 * kHour + 1800;
  auto& given = cron_job("@hourly", kMarch2026);
  given.starting_deadline_seconds = 1801;
  EXPECT_EQ(due(), kMarch2026 + 5 * kHour);
  given.starting_deadline_seconds = 1800;
  EXPECT_EQ(due(), 0);
}

TEST_F(CronJobs, AfterAWeeksScheduleNoneIsFoundAsUpstreamFindsNone) {
  // Friday 06:00 ran, Friday 10:00 and 14:00 were missed, and it is Sunday.
  cron_job("0 6-16/4 * * 1-5", kMarch2026 - 42 * kHour);
  options.now = kMarch2026 + 12 * kHour;
  EXPECT_EQ(due(), 0);
  options.now = kMarch2026 - 33 * kHour;  // Friday 15:00
  EXPECT_EQ(due(), kMarch2026 - 34 * kHour);
}

}  // namespace
}  // namespace berth::controllers
