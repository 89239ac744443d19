#include "cel/time_zone.h"

#include <string>

#include <gtest/gtest.h>

namespace berth::cel {
namespace {

// A TZif file of one type with this offset and no transitions, and a rule in its footer.
std::string file_of(std::int32_t offset, std::string_view rule) {
  std::string header = "TZif2" + std::string(39, '\0');
  header[39] = 1;  // one type
  header[43] = 1;  // of one character
  std::string body(7, '\0');
  for (std::size_t i = 0; i < 4; ++i) body[i] = static_cast<char>(static_cast<std::uint32_t>(offset) >> (24 - 8 * i));
  return header + std::string(7, '\0') + header + body + "\n" + std::string(rule) + "\n";
}

TEST(TimeZone, ARuleHoldsWhereNoTransitionDoes) {
  const auto zone = TimeZone::parse(file_of(3600, "CET-1CEST,M3.5.0,M10.5.0/3"));
  ASSERT_TRUE(zone);
  EXPECT_EQ(zone->offset_at(1'774'745'999), 3600);  // 2026-03-29, a second before 02:00 in Berlin
  EXPECT_EQ(zone->offset_at(1'774'746'000), 7200);
}

// A damaged file took the schedule of a CronJob to days before 1970, and further.
TEST(TimeZone, OffsetsThatNoClockHasAreNoZone) {
  EXPECT_TRUE(TimeZone::parse(file_of(-12 * 3600, "")));
  EXPECT_FALSE(TimeZone::parse(file_of(-2'000'000'000, "")));
  EXPECT_FALSE(TimeZone::parse(file_of(27 * 3600, "")));
  const auto zone = TimeZone::parse(file_of(3600, "AAA-9999"));
  ASSERT_TRUE(zone);
  EXPECT_EQ(zone->offset_at(0), 3600) << "the rule is none, the file's own type holds";
}

// getHours('Europe') ended the program.
TEST(SystemTimeZones, ADirectoryIsNoZone) {
  const SystemTimeZones zones;
  EXPECT_EQ(zones.find("Europe"), nullptr);
  EXPECT_EQ(zone_offset("Europe", 0, &zones), std::nullopt);
}

// cel-go reads two numbers around a colon, whatever they are.
TEST(TimeZone, OffsetsAreHoursAndMinutes) {
  EXPECT_EQ(zone_offset("-09:30", 0, nullptr), -(9 * 60 + 30) * 60);
  EXPECT_EQ(zone_offset("1:2", 0, nullptr), 62 * 60);
  EXPECT_EQ(zone_offset("+25:00", 0, nullptr), 25 * 3600);
  EXPECT_EQ(zone_offset("-00:30", 0, nullptr), -30 * 60);
  for (const char* wrong : {"1:5:5", ":5", "+-1:05", "UTC+1", "Z", "999999999:0"})
    EXPECT_EQ(zone_offset(wrong, 0, nullptr), std::nullopt) << wrong;
}

TEST(TimeZone, LocalIsTheZoneOfApiServers) {
  for (const char* utc : {"", "UTC", "Local"}) EXPECT_EQ(zone_offset(utc, 0, nullptr), 0) << utc;
  EXPECT_EQ(zone_offset("local", 0, nullptr), std::nullopt);
}

}  // namespace
}  // namespace berth::cel
