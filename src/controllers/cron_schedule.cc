#include "controllers/cron_schedule.h"

#include <algorithm>
#include <chrono>
#include <string>
#include <vector>

#include "base/lower_case.h"
#include "base/mutant.h"
#include "base/whole_number.h"
#include "cel/time.h"
#include "cel/time_zone.h"

namespace berth::controllers {
namespace {

struct Field {
  std::string_view name;
  std::int32_t low = 0;
  std::int32_t high = 0;
  std::string_view names;  // three letters each, from `low` on
};

constexpr std::array<Field, 5> kFields = {{
    {"minute", 0, 59, ""},
    {"hour", 0, 23, ""},
    {"day of month", 1, 31, ""},
    {"month", 1, 12, "janfebmaraprmayjunjulaugsepoctnovdec"},
    {"day of week", 0, 6, "sunmontuewedthufrisat"},
}};

struct Macro {
  std::string_view name;
  std::string_view schedule;
};

constexpr std::array kMacros = std::to_array<Macro>({{"@yearly", "0 0 1 1 *"},
                                                     {"@annually", "0 0 1 1 *"},
                                                     {"@monthly", "0 0 1 * *"},
                                                     {"@weekly", "0 0 * * 0"},
                                                     {"@daily", "0 0 * * *"},
                                                     {"@midnight", "0 0 * * *"},
                                                     {"@hourly", "0 * * * *"}});

std::unexpected<Error> bad(const Field& field, std::string_view text) {
  return fail(ErrorCode::kInvalid, "The " + std::string(field.name) + " \"" + std::string(text) +
                                       "\" of the schedule is not a list of numbers, ranges or steps from " +
                                       std::to_string(field.low) + " to " + std::to_string(field.high) + ".");
}

std::optional<std::int32_t> number(const Field& field, std::string_view text) {
  if (const auto value = whole_number<std::int32_t>(text)) return value;
  constexpr std::size_t kNameLength = 3;
  const std::string name = lowered(text);
  if (name.size() != kNameLength) return std::nullopt;
  const std::size_t found = field.names.find(name);
  if (found == std::string_view::npos || found % kNameLength != 0) return std::nullopt;
  return field.low + static_cast<std::int32_t>(found / kNameLength);
}

// Set where a field leaves its value open, as "*" and "*/1" do and "*/2" does not.
constexpr std::uint64_t kOpen = std::uint64_t{1} << 63U;

// "*", "7", "1-5", each with "/step"; "7/2" runs from 7 to the end.
Result<std::uint64_t> range_bits(const Field& field, std::string_view text) {
  const std::size_t slash = text.find('/');
  const std::string_view range = text.substr(0, slash);
  std::int32_t first = field.low;
  std::int32_t last = field.high;
  if (range != "*" && range != "?") {
    const std::size_t dash = range.find('-');
    const auto from = number(field, range.substr(0, dash));
    if (!from) return bad(field, text);
    first = *from;
    if (dash != std::string_view::npos) {
      const auto to = number(field, range.substr(dash + 1));
      if (!to) return bad(field, text);
      last = *to;
    } else if (slash == std::string_view::npos) {
      last = first;
    }
  }
  std::int32_t step = 1;
  if (slash != std::string_view::npos) {
    const auto every = number({"step", 1, field.high, ""}, text.substr(slash + 1));
    if (!every || *every < 1) return bad(field, text);
    step = *every;
  }
  if (first < field.low || last > field.high || first > last) return bad(field, text);
  std::uint64_t bits = (range == "*" || range == "?") && (step == 1 || mutant("Rule.SteppedDay")) ? kOpen : 0;
  for (std::int64_t value = first; value <= last; value += step)
    bits |= std::uint64_t{1} << static_cast<unsigned>(value);
  return bits;
}

Result<std::uint64_t> field_bits(const Field& field, std::string_view text) {
  std::uint64_t bits = 0;
  while (true) {
    const std::size_t comma = text.find(',');
    if (comma != 0 && !text.empty()) {  // "1,,2" is "1,2"
      BERTH_TRY(const std::uint64_t more, range_bits(field, text.substr(0, comma)));
      bits |= more;
    }
    if (comma == std::string_view::npos) return bits;
    text.remove_prefix(comma + 1);
  }
}

std::vector<std::string_view> words(std::string_view text) {
  std::vector<std::string_view> result;
  while (true) {
    const std::size_t start = text.find_first_not_of(" \t");
    if (start == std::string_view::npos) return result;
    text.remove_prefix(start);
    const std::size_t end = std::min(text.find_first_of(" \t"), text.size());
    result.push_back(text.substr(0, end));
    text.remove_prefix(end);
  }
}

bool has_bit(std::uint64_t bits, std::int64_t position) {
  return ((bits >> static_cast<unsigned>(position)) & 1U) != 0;
}

}  // namespace

Result<CronSchedule> CronSchedule::parse(std::string_view text) {
  if (text.starts_with("TZ=") || text.starts_with("CRON_TZ=")) {
    return fail(ErrorCode::kUnsupported,
                "A time zone inside the schedule is refused by Kubernetes. Use spec.timeZone.");
  }
  if (constexpr std::string_view kEvery = "@every "; text.starts_with(kEvery)) {
    const auto length = cel::parse_duration(text.substr(kEvery.size()));
    if (!length) {
      return fail(ErrorCode::kInvalid,
                  "The schedule \"" + std::string(text) + "\" names no duration; write one such as 1h30m.");
    }
    CronSchedule schedule;
    schedule.every_seconds_ = std::max<std::int64_t>(length->seconds, 1);
    return schedule;
  }
  const auto macro = std::ranges::find(kMacros, text, &Macro::name);
  const auto parts = words(macro == kMacros.end() ? text : macro->schedule);
  if (parts.size() != kFields.size()) {
    return fail(ErrorCode::kInvalid, "The schedule \"" + std::string(text) + "\" has " + std::to_string(parts.size()) +
                                         " fields; write minute, hour, day of month, month and day of week.");
  }
  CronSchedule schedule;
  for (std::size_t i = 0; i < kFields.size(); ++i) {
    BERTH_TRY(schedule.fields_[i], field_bits(kFields[i], parts[i]));
  }
  schedule.any_day_ = (schedule.fields_[2] & kOpen) != 0;
  schedule.any_weekday_ = (schedule.fields_[4] & kOpen) != 0;
  return schedule;
}

bool CronSchedule::day_matches(std::int64_t days_since_1970) const {
  using std::chrono::days;
  const std::chrono::sys_days day{days{days_since_1970}};
  const std::chrono::year_month_day date{day};
  if (!has_bit(fields_[3], static_cast<std::int64_t>(static_cast<unsigned>(date.month())))) return false;
  const bool day_of_month = has_bit(fields_[2], static_cast<std::int64_t>(static_cast<unsigned>(date.day())));
  const bool weekday = has_bit(fields_[4], static_cast<std::int64_t>(std::chrono::weekday(day).c_encoding()));
  return any_day_ || any_weekday_ ? day_of_month && weekday : day_of_month || weekday;
}

std::optional<api::Time> CronSchedule::next(api::Time after, const cel::TimeZone* zone) const {
  constexpr std::int64_t kMinute = 60;
  constexpr std::int64_t kQuarter = 900;  // clocks differ from UTC by whole quarters of an hour
  constexpr std::int64_t kDay = 86'400;
  constexpr std::int64_t kShift = 3 * 3600;          // more than clocks are changed by
  constexpr std::int64_t kHorizon = 5 * 366 * kDay;  // robfig's cron looks no further
  constexpr std::int64_t kLast = 10'000'000 * kDay;
  if (after < 0 || after > kLast) return std::nullopt;
  if (every_seconds_ > 0 && !mutant("Rule.EverySoLong")) return after + every_seconds_;
  api::Time time = (after / kMinute + 1) * kMinute;
  const api::Time end = time + kHorizon;
  while (time <= end) {
    const std::int64_t local = time + (zone == nullptr ? 0 : zone->offset_at(time));
    const std::int64_t second = (local % kDay + kDay) % kDay;
    const std::int64_t day = (local - second) / kDay;
    if (!day_matches(day)) {
      // Near midnight in small steps, as clocks may be changed before it.
      const std::int64_t rest = kDay - second - (zone == nullptr ? 0 : kShift);
      time = rest > kQuarter ? (time + rest) / kQuarter * kQuarter : (time / kQuarter + 1) * kQuarter;
    } else if (!has_bit(fields_[1], second / 3600)) {
      time = (time / kQuarter + 1) * kQuarter;
    } else if (!has_bit(fields_[0], second / kMinute % 60)) {
      time += kMinute;
    } else {
      return time;
    }
  }
  return std::nullopt;
}

std::optional<api::Time> CronSchedule::most_recent(api::Time after, api::Time now, const cel::TimeZone* zone) const {
  const auto first = next(after, zone);
  if (!first || *first > now) return std::nullopt;
  const auto second = next(*first, zone);
  if (!second || *second > now) return first;
  const std::int64_t distance = *second - *first;
  std::optional<api::Time> found;
  for (auto time = next(*first + (now - *first) / distance * distance - distance, zone); time && *time <= now;
       time = next(*time, zone))
    found = time;
  return found;
}

bool is_time_zone_name(std::string_view name) {
  if (name.empty() || lowered(name) == "local" || name.starts_with('/') || name.ends_with('/')) return false;
  return std::ranges::all_of(name, [](char letter) {
    return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') || (letter >= '0' && letter <= '9') ||
           letter == '/' || letter == '_' || letter == '-' || letter == '+';
  });
}

}  // namespace berth::controllers
