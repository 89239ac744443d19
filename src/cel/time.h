// Timestamps and durations: reading, writing, arithmetic within CEL's ranges, and calendar fields.
//
// Timestamps lie in years 1 to 9999; durations in the int64 count of nanoseconds (about 292 years either way), as
// upstream's do. Everything outside is nothing here and a range error in an expression.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "cel/value.h"

namespace berth::cel {

inline constexpr std::int64_t kNanosPerSecond = 1'000'000'000;
inline constexpr std::int64_t kSecondsPerDay = 86'400;

struct WrittenTime {
  Instant moment;
  std::int16_t zone = 0;  // minutes east of UTC
};
// RFC 3339: "2009-02-13T23:31:30.5Z", "...+01:00".
[[nodiscard]] std::optional<WrittenTime> parse_timestamp(std::string_view text);
// With as many fraction digits as the moment needs, in that zone.
[[nodiscard]] std::string format_timestamp(Instant moment, std::int16_t zone = 0);
// Numbers with units h, m, s, ms, us (µs), ns: "1h30m", "-1.5s", "0".
[[nodiscard]] std::optional<Instant> parse_duration(std::string_view text);
// In seconds: "7200s", "-0.5s".
[[nodiscard]] std::string format_duration(Instant length);

[[nodiscard]] bool is_valid_timestamp(Instant moment);
[[nodiscard]] std::optional<Instant> duration_of_nanos(__int128 nanos);
[[nodiscard]] __int128 nanos_of(Instant length);
// Sum as durations or, if one is a timestamp, as timestamps: the caller checks the range.
[[nodiscard]] Instant add(Instant a, Instant b);
[[nodiscard]] Instant subtract(Instant a, Instant b);

struct CivilTime {
  std::int64_t year = 1970;
  int month = 1;  // 1..12
  int day = 1;    // 1..31
  int hour = 0;
  int minute = 0;
  int second = 0;
  int weekday = 4;      // 0 is Sunday
  int day_of_year = 0;  // from 0
};
// Of the Gregorian calendar extended both ways.
[[nodiscard]] CivilTime civil_time(std::int64_t seconds);
// Days since 1970-01-01.
[[nodiscard]] std::int64_t days_from_civil(std::int64_t year, int month, int day);

}  // namespace berth::cel
