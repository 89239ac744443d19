#include "controllers/cron_schedule.h"

#include <gtest/gtest.h>

#include "cel/time_zone.h"
#include "controllers/index_set.h"

namespace berth::controllers {
namespace {

// 2026-03-01 is a Sunday.
constexpr api::Time kMarch2026 = 1'772'323'200;
constexpr api::Time kDay = 86'400;

api::Time next(std::string_view schedule, api::Time after = kMarch2026) {
  const auto parsed = CronSchedule::parse(schedule);
  EXPECT_TRUE(parsed) << schedule << (parsed ? "" : parsed.error().message);
  if (!parsed) return -1;
  return parsed->next(after).value_or(-1) - kMarch2026;
}

TEST(CronSchedule, NextTimes) {
  EXPECT_EQ(next("* * * * *"), 60);
  EXPECT_EQ(next("*/5 * * * *"), 300);
  EXPECT_EQ(next("30 2-4 * * *"), 2 * 3600 + 1800);
  EXPECT_EQ(next("0 0 * * *"), kDay);  // midnight itself is not after midnight
  EXPECT_EQ(next("0 12 * * MON"), kDay + 12 * 3600);
  EXPECT_EQ(next("0 0 1 jan *"), 306 * kDay);
  EXPECT_EQ(next("@weekly"), 7 * kDay);
  EXPECT_EQ(next("15 10/6 * * *"), 10 * 3600 + 900);
  EXPECT_EQ(next("0 0 29 2 *"), 730 * kDay);
  EXPECT_EQ(next("0 0 30 2 *"), -1 - kMarch2026);
}

// The sum of start and step left 32 bits.
TEST(CronSchedule, AStepLongerThanItsFieldTakesTheStartAlone) {
  EXPECT_EQ(next("5/2147483647 * * * *"), 300);
  EXPECT_EQ(next("0 3-5/2147483647 * * *"), 3 * 3600);
}

TEST(CronSchedule, EitherDayFieldMatchesIfBothAreRestricted) {
  EXPECT_EQ(next("0 0 13 * FRI"), 5 * kDay);  // Friday the 6th comes before the 13th
  EXPECT_EQ(next("0 0 13 * *"), 12 * kDay);
  EXPECT_EQ(next("0 0 */2 * FRI"), 2 * kDay);  // a step restricts: the 3rd is odd
  EXPECT_EQ(next("0 0 */1 * FRI"), 5 * kDay);
  EXPECT_EQ(next("0 0 13,* * FRI"), 5 * kDay);
}

TEST(CronSchedule, ClockTimesOfAZone) {
  const cel::SystemTimeZones zones;
  const auto in = [&zones](std::string_view schedule, const char* zone, api::Time after) {
    return CronSchedule::parse(schedule)->next(after, zones.find(zone)).value_or(-1) - after;
  };
  constexpr api::Time kHour = 3600;
  EXPECT_EQ(in("0 1 * * *", "Asia/Tokyo", kMarch2026), 16 * kHour);
  EXPECT_EQ(in("0 0 * * *", "Asia/Kolkata", kMarch2026), 18 * kHour + 1800);
  EXPECT_EQ(in("0 0 1 1 *", "America/New_York", kMarch2026), 306 * kDay + 5 * kHour);
  // 2026-03-29 in Berlin: 02:30 does not come, and 03:00 is at 01:00Z.
  const api::Time spring = kMarch2026 + 28 * kDay;
  EXPECT_EQ(in("30 2 * * *", "Europe/Berlin", spring), kDay + 1800);
  EXPECT_EQ(in("0 3 * * *", "Europe/Berlin", spring), kHour);
  EXPECT_EQ(in("0 0 * * *", "Europe/Berlin", spring), 22 * kHour);
  // 2026-10-25 in Berlin: 02:30 comes twice.
  const api::Time autumn = kMarch2026 + 238 * kDay;
  EXPECT_EQ(in("30 2 * * *", "Europe/Berlin", autumn), 1800);
  EXPECT_EQ(in("30 2 * * *", "Europe/Berlin", autumn + 1800), kHour);
  // 2026-09-06 in Santiago has no midnight: its clocks go from 24:00 to 01:00.
  const api::Time santiago = kMarch2026 + 189 * kDay;
  EXPECT_EQ(in("30 1 * * *", "America/Santiago", santiago), 4 * kHour + 1800);
}

TEST(CronSchedule, EveryIsADistance) {
  EXPECT_EQ(next("@every 1h30m"), 90 * 60);
  EXPECT_EQ(next("@every 10ms"), 1);
  EXPECT_EQ(CronSchedule::parse("@every 7m")->most_recent(100, 100 + 20 * 60), 100 + 14 * 60);
  EXPECT_EQ(CronSchedule::parse("@every 7m")->most_recent(100, 400), std::nullopt);
}

TEST(CronSchedule, CommasWithNothingBetweenThemSayNothing) {
  constexpr api::Time kMidnight = 1'767'225'600;
  for (const char* text : {"1,,2 * * * *", ",1,2, * * * *"}) {
    const auto schedule = CronSchedule::parse(text);
    ASSERT_TRUE(schedule) << text;
    EXPECT_EQ(schedule->next(kMidnight), kMidnight + 60) << text;
    EXPECT_EQ(schedule->next(kMidnight + 60), kMidnight + 120) << text;
    EXPECT_EQ(schedule->next(kMidnight + 120), kMidnight + 3660) << text;
  }
}

TEST(CronSchedule, RefusesWhatIsNone) {
  for (const char* text : {"", "* * * *", "* * * * * *", "60 * * * *", "* 24 * * *", "* * 0 * *", "* * * 13 *",
                           "* * * * 7", "5-1 * * * *", "*/0 * * * *", "a * * * *", "1- * * * *", "* * * foo *",
                           "@sometimes", "@every", "@every soon", "TZ=UTC * * * * *", "-1 * * * *"}) {
    EXPECT_FALSE(CronSchedule::parse(text)) << text;
  }
}

TEST(CronSchedule, TimeZoneNames) {
  for (const char* name : {"UTC", "Europe/Berlin", "America/Argentina/Buenos_Aires", "Etc/GMT+5"}) {
    EXPECT_TRUE(is_time_zone_name(name)) << name;
  }
  for (const char* name : {"", "Local", "../zone", "/etc", "Europe/", "Europe Berlin"}) {
    EXPECT_FALSE(is_time_zone_name(name)) << name;
  }
}

TEST(IndexSet, RangesAndWhatIsMissing) {
  auto set = IndexSet::parse("0,2-4,9-2000000000");
  ASSERT_TRUE(set);
  EXPECT_TRUE(set->contains(3));
  EXPECT_FALSE(set->contains(1));
  EXPECT_EQ(set->next_missing(0), 1);
  EXPECT_EQ(set->next_missing(2), 5);
  EXPECT_EQ(set->next_missing(10), 2'000'000'001);
  set->insert(1);
  EXPECT_EQ(set->next_missing(0), 5);
  EXPECT_EQ(set->count_below(10), 6);
  EXPECT_EQ(IndexSet::parse("")->next_missing(0), 0);
}

TEST(IndexSet, UnionsAndWhatIsCommon) {
  auto set = *IndexSet::parse("0,2-4");
  set.insert(*IndexSet::parse("1,3-7,10"));
  EXPECT_EQ(set.next_missing(0), 8);
  EXPECT_EQ(set.count_below(100), 9);
  EXPECT_EQ(set.count_common(*IndexSet::parse("3,6-20"), 100), 4);
  EXPECT_EQ(set.count_common(*IndexSet::parse("3,6-20"), 7), 2);
  EXPECT_EQ(IndexSet::of({3, 1, 1}).count_below(4), 2);
}

TEST(IndexSet, RefusesWhatIsNoIndexList) {
  for (const char* text : {",", "1,", "3-1", "a", "1-", "-1", "2,1", "1-3,2", "1 ,2"}) {
    EXPECT_FALSE(IndexSet::parse(text)) << text;
  }
}

}  // namespace
}  // namespace berth::controllers
