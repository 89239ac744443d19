// Calendar fields of timestamps, in UTC or a named zone, and units of durations.
#include <fmt/format.h>

#include "cel/eval_context.h"
#include "cel/standard.h"
#include "cel/time.h"

namespace berth::cel {

namespace {

using ArgumentsRef = const Arguments&;

enum class TimeField : std::uint8_t {
  kYear,
  kMonth,
  kDayOfYear,
  kDate,
  kDayOfMonth,
  kDayOfWeek,
  kHours,
  kMinutes,
  kSeconds,
  kMilliseconds,
};

std::int64_t read(TimeField field, const CivilTime& time, std::int32_t nanos) {
  switch (field) {
    case TimeField::kYear:
      return time.year;
    case TimeField::kMonth:
      return time.month - 1;
    case TimeField::kDayOfYear:
      return time.day_of_year;
    case TimeField::kDate:
      return time.day;
    case TimeField::kDayOfMonth:
      return time.day - 1;
    case TimeField::kDayOfWeek:
      return time.weekday;
    case TimeField::kHours:
      return time.hour;
    case TimeField::kMinutes:
      return time.minute;
    case TimeField::kSeconds:
      return time.second;
    case TimeField::kMilliseconds:
      return nanos / 1'000'000;
  }
  return 0;
}

template <TimeField field>
Value of_timestamp(EvalContext& context, ArgumentsRef a) {
  const Instant moment = a[0].as_instant();
  std::int32_t offset = 0;
  if (a.size() > 1) {
    const auto found = zone_offset(a[1].as_text(), moment.seconds, context.time_zones());
    if (!found) return context.fail(fmt::format("unknown time zone {}", a[1].as_text()));
    offset = *found;
  }
  return Value::integer(read(field, civil_time(moment.seconds + offset), moment.nanos));
}

template <std::int64_t unit>
Value of_duration(EvalContext&, ArgumentsRef a) {
  return Value::integer(static_cast<std::int64_t>(nanos_of(a[0].as_instant()) / unit));
}
// The milliseconds within the second, as the specification has it.
Value milliseconds_of_duration(EvalContext&, ArgumentsRef a) {
  return Value::integer(static_cast<std::int64_t>(nanos_of(a[0].as_instant()) / 1'000'000 % 1'000));
}

template <TimeField field>
void add_field(EnvironmentBuilder& builder, std::string_view function, std::string_view id) {
  const TypeRef t = &types::kTimestamp, s = &types::kString, i = &types::kInt;
  builder.add_overloads(function, {member(fmt::format("timestamp_to_{}", id), {t}, i, of_timestamp<field>),
                                   member(fmt::format("timestamp_to_{}_with_tz", id), {t, s}, i, of_timestamp<field>)});
}

}  // namespace

void add_total_milliseconds(EnvironmentBuilder& builder) {
  builder.add_overload("getMilliseconds",
                       member("duration_to_milliseconds", {&types::kDuration}, &types::kInt, of_duration<1'000'000>));
}

void add_times(EnvironmentBuilder& builder) {
  add_field<TimeField::kYear>(builder, "getFullYear", "year");
  add_field<TimeField::kMonth>(builder, "getMonth", "month");
  add_field<TimeField::kDayOfYear>(builder, "getDayOfYear", "day_of_year");
  add_field<TimeField::kDate>(builder, "getDate", "day_of_month_1_based");
  add_field<TimeField::kDayOfMonth>(builder, "getDayOfMonth", "day_of_month");
  add_field<TimeField::kDayOfWeek>(builder, "getDayOfWeek", "day_of_week");
  add_field<TimeField::kHours>(builder, "getHours", "hours");
  add_field<TimeField::kMinutes>(builder, "getMinutes", "minutes");
  add_field<TimeField::kSeconds>(builder, "getSeconds", "seconds");
  add_field<TimeField::kMilliseconds>(builder, "getMilliseconds", "milliseconds");
  const TypeRef l = &types::kDuration, i = &types::kInt;
  builder.add_overload("getHours", member("duration_to_hours", {l}, i, of_duration<3600 * kNanosPerSecond>));
  builder.add_overload("getMinutes", member("duration_to_minutes", {l}, i, of_duration<60 * kNanosPerSecond>));
  builder.add_overload("getSeconds", member("duration_to_seconds", {l}, i, of_duration<kNanosPerSecond>));
  builder.add_overload("getMilliseconds", member("duration_to_milliseconds", {l}, i, milliseconds_of_duration));
}

}  // namespace berth::cel
