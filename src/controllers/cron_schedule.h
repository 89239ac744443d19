// CronSchedule: the schedule of a CronJob, "*/5 2-4 1,15 * MON-FRI" or "@daily", as the CronJob controller reads it:
// minute, hour, day of month, month, day of week; lists, ranges and steps; names of months and days. A day matches if
// both day fields do, or either of them where both are restricted. "@every 1h30m" is that long after the time before.
// Source: the crontab format of robfig/cron v3, which Kubernetes uses.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "api/meta.h"
#include "base/result.h"

namespace berth::cel {
class TimeZone;
}

namespace berth::controllers {

class CronSchedule {
 public:
  // Errors: kInvalid with a sentence that names the field; kUnsupported for TZ= inside the schedule.
  [[nodiscard]] static Result<CronSchedule> parse(std::string_view text);

  // The first whole minute after `after` whose clock time in the zone matches (UTC where there is none); none if no day
  // within five years does (February 30th). Clock times that a change of clocks skips do not come that day; those that
  // it repeats come twice.
  [[nodiscard]] std::optional<api::Time> next(api::Time after, const cel::TimeZone* zone = nullptr) const;
  // The last matching minute after `after` and not after `now`, as the CronJob controller finds it: it takes the
  // distance of the first two for that of all, goes as many of them as fit in, and looks from the last but one on. So
  // on the days after the end of a week's schedule it finds none.
  [[nodiscard]] std::optional<api::Time> most_recent(api::Time after, api::Time now,
                                                     const cel::TimeZone* zone = nullptr) const;

 private:
  [[nodiscard]] bool day_matches(std::int64_t days_since_1970) const;

  std::array<std::uint64_t, 5> fields_{};  // a bit per allowed value: minutes, hours, days, months, weekdays
  std::int64_t every_seconds_ = 0;         // above 0: there are no fixed times, only a distance
  bool any_day_ = false;                   // the day of month is *
  bool any_weekday_ = false;
};

// True for names of the form that the time zone database uses ("Europe/Berlin", "Etc/GMT+5", "UTC"), whether there is
// such a zone or not.
[[nodiscard]] bool is_time_zone_name(std::string_view name);

}  // namespace berth::controllers
