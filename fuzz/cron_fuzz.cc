// Schedules of CronJobs: no crash; a refusal is a sentence; the next time is a whole minute behind the one asked about,
// and the same for every moment in between; the most recent one is a time of the schedule. In UTC and in a zone with
// summer time. Of a distance ("@every 5m") it is a whole number of distances behind the one asked about.
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "cel/time_zone.h"
#include "controllers/cron_schedule.h"
#include "support/require.h"

namespace {

// A TZif file without transitions but for the rule in its footer.
berth::cel::TimeZone zone_of(std::string_view rule) {
  std::string header = "TZif2" + std::string(39, '\0');
  header[39] = 1;  // one type
  header[43] = 1;  // of one character
  const std::string body(7, '\0');
  const auto zone = berth::cel::TimeZone::parse(header + body + header + body + "\n" + std::string(rule) + "\n");
  require(zone.has_value());
  return *zone;
}

void check(const berth::controllers::CronSchedule& schedule, std::int64_t after, const berth::cel::TimeZone* zone) {
  const auto next = schedule.next(after, zone);
  if (!next) return;
  require(*next > after && *next % 60 == 0);
  require(schedule.next(*next - 1, zone) == next);
  require(schedule.next(after + (*next - after) / 2, zone) == next);
  for (const std::int64_t now : {*next - 1, *next, *next + 86'400, *next + 40 * 86'400}) {
    const auto recent = schedule.most_recent(after, now, zone);
    if (now < *next) require(!recent);
    if (!recent) continue;
    require(*recent > after && *recent <= now && schedule.next(*recent - 1, zone) == recent);
  }
}

void check_distance(const berth::controllers::CronSchedule& schedule, std::int64_t after) {
  const auto next = schedule.next(after);
  if (!next) return;
  require(*next > after);
  const std::int64_t distance = *next - after;
  for (const std::int64_t now : {after, *next - 1, *next, *next + 86'400}) {
    const auto recent = schedule.most_recent(after, now);
    require(recent.has_value() == (now >= *next));
    if (recent) require(*recent <= now && now - *recent < distance && (*recent - after) % distance == 0);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  static_cast<void>(berth::controllers::is_time_zone_name(text));
  const auto schedule = berth::controllers::CronSchedule::parse(text);
  if (!schedule) {
    require(!schedule.error().message.empty());
    return 0;
  }
  static const berth::cel::TimeZone kBerlin = zone_of("CET-1CEST,M3.5.0,M10.5.0/3");
  // The first second there is; one before each change of clocks of a year; a leap day; the last century's end.
  for (const std::int64_t after : {0L, 1'774'738'800L, 1'792'879'200L, 1'835'395'199L, 4'102'444'800L}) {
    if (text.starts_with("@every")) {
      check_distance(*schedule, after);
      continue;
    }
    check(*schedule, after, nullptr);
    check(*schedule, after, &kBerlin);
  }
  return 0;
}
