// Files of time zones: no crash, whatever the bytes; the offsets of what is accepted are such as clocks have, at every
// moment, and a schedule ends in it.
#include <cstdint>
#include <string_view>

#include "cel/time_zone.h"
#include "controllers/cron_schedule.h"
#include "support/require.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto zone = berth::cel::TimeZone::parse(text);
  if (!zone) return 0;
  constexpr std::int64_t kDay = 86'400;
  constexpr std::int64_t kFirst = -62'135'596'800;  // year 1, the first that CEL has
  constexpr std::int64_t kLast = 253'402'300'799;   // the end of year 9999
  for (std::int64_t time = kFirst; time < kLast; time += 9'973 * kDay + 3'607) {
    const std::int64_t offset = zone->offset_at(time);
    require(offset >= -26 * 3600 && offset <= 26 * 3600);
  }
  require(zone->offset_at(kLast) >= -26 * 3600);
  static const auto kSchedule = berth::controllers::CronSchedule::parse("30 2 * * *");
  for (const std::int64_t after : {0L, 1'700'000'000L, 4'102'444'800L}) {
    const auto next = kSchedule->next(after, &*zone);
    require(!next || (*next > after && *next % 60 == 0));
  }
  return 0;
}
