#include "api/revocable_zones.h"

#include <gtest/gtest.h>

#include "api/scheduler_config.h"

namespace berth::api::volcano {
namespace {

constexpr Time kMidnight = 1'800'000'000 - 8 * 3600;
constexpr Time at(int hours, int minutes = 0) { return kMidnight + hours * 3600 + minutes * 60; }

RevocableZones zones(const std::string& actions = "allocate, shuffle") {
  const auto configuration = parse_scheduler_configuration(
      "actions: \"" + actions +
          "\"\ntiers: [{plugins: [{name: tdm, arguments: {tdm.revocable-zone.day: '10:00-21:00', "
          "tdm.revocable-zone.night: '22:00-06:30', tdm.revocable-zone.always: '1:00-01:00', tdm.evict.period: "
          "90s}}]}]\n",
      "v.conf");
  EXPECT_TRUE(configuration.has_value());
  return RevocableZones::of(*configuration->volcano);
}

TEST(RevocableZones, AreOpenFromTheFirstMinuteToBeforeTheLast) {
  const RevocableZones read = zones();
  EXPECT_FALSE(read.is_open("day", at(10) - 1));
  EXPECT_TRUE(read.is_open("day", at(10)));
  EXPECT_TRUE(read.is_open("day", at(21) - 1));
  EXPECT_FALSE(read.is_open("day", at(21)));
  EXPECT_FALSE(read.is_open("unknown", at(12)));
}

TEST(RevocableZones, GoOverMidnight) {
  const RevocableZones read = zones();
  EXPECT_TRUE(read.is_open("night", at(22)));
  EXPECT_TRUE(read.is_open("night", at(3)));
  EXPECT_TRUE(read.is_open("night", at(27)));
  EXPECT_FALSE(read.is_open("night", at(6, 30)));
  EXPECT_TRUE(read.is_open("always", at(1)));
  EXPECT_TRUE(read.is_open("always", at(0, 59)));
}

TEST(RevocableZones, SayWhenTheyClosedAndWhenOneChangesNext) {
  const RevocableZones read = zones();
  EXPECT_EQ(read.closed_since("day", at(23)), at(21));
  EXPECT_EQ(read.closed_since("day", at(9)), at(-3));
  EXPECT_FALSE(read.closed_since("day", at(12)).has_value());
  EXPECT_EQ(read.next_change(at(10)), at(21));
  EXPECT_EQ(read.next_change(at(21)), at(22));
  EXPECT_EQ(read.next_change(at(5)), at(6, 30));
  EXPECT_EQ(read.evict_period(), 90);
}

TEST(RevocableZones, DrainWithTheActionShuffleAlone) {
  EXPECT_TRUE(zones().drains());
  EXPECT_FALSE(zones("allocate, preempt").drains());
  EXPECT_TRUE(RevocableZones().empty());
}

}  // namespace
}  // namespace berth::api::volcano
