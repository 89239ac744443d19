#include <string>

#include <gtest/gtest.h>

#include "controllers/test_objects.h"

namespace berth::controllers {
namespace {

struct CronJobs : testing::Test, TestObjects {};

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

}  // namespace
}  // namespace berth::controllers
