#include "cel/time.h"

#include <cstdlib>
#include <limits>

#include <fmt/format.h>

#include "base/digits.h"

namespace berth::cel {

namespace {

constexpr std::int64_t kFirstSecond = -62'135'596'800;  // 0001-01-01T00:00:00Z
constexpr std::int64_t kLastSecond = 253'402'300'799;   // 9999-12-31T23:59:59Z

bool is_leap(std::int64_t year) { return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0); }

int days_in_month(std::int64_t year, int month) {
  static constexpr int kDays[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  return month == 2 && is_leap(year) ? 29 : kDays[month - 1];
}

// Reads fixed-width fields of a timestamp.
class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}
  bool digits(std::size_t count, int& out) {
    if (text_.size() < count) return false;
    out = 0;
    for (std::size_t i = 0; i < count; ++i) {
      if (text_[i] < '0' || text_[i] > '9') return false;
      out = out * 10 + (text_[i] - '0');
    }
    text_.remove_prefix(count);
    return true;
  }
  bool character(char c) {
    if (!text_.starts_with(c)) return false;
    text_.remove_prefix(1);
    return true;
  }
  // The digits after the point as nanoseconds; those beyond the ninth are dropped.
  bool fraction(std::int32_t& nanos) {
    std::int32_t unit = 100'000'000;
    std::size_t read = 0;
    for (; read < text_.size() && text_[read] >= '0' && text_[read] <= '9'; ++read) {
      nanos += (text_[read] - '0') * unit;
      unit /= 10;
    }
    text_.remove_prefix(read);
    return read > 0;
  }
  [[nodiscard]] bool at_end() const { return text_.empty(); }

 private:
  std::string_view text_;
};

std::string trimmed_fraction(std::int32_t nanos) {
  if (nanos == 0) return {};
  std::string out = fmt::format(".{:09}", nanos);
  out.resize(out.find_last_not_of('0') + 1);
  return out;
}

// Nanoseconds of one unit; 0 for an unknown one. Takes the unit from the text.
std::int64_t take_unit(std::string_view& text) {
  struct DurationUnit {
    std::string_view name;
    std::int64_t nanos;
  };
  static constexpr DurationUnit kUnits[] = {
      {"ns", 1},         {"us", 1'000},          {"\u00b5s", 1'000},          {"\u03bcs", 1'000},
      {"ms", 1'000'000}, {"s", kNanosPerSecond}, {"m", 60 * kNanosPerSecond}, {"h", 3600 * kNanosPerSecond}};
  for (const DurationUnit& unit : kUnits) {
    if (text.starts_with(unit.name)) {
      text.remove_prefix(unit.name.size());
      return unit.nanos;
    }
  }
  return 0;
}

}  // namespace

bool is_valid_timestamp(Instant moment) { return moment.seconds >= kFirstSecond && moment.seconds <= kLastSecond; }

std::optional<WrittenTime> parse_timestamp(std::string_view text) {
  Reader in(text);
  int year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0;
  if (!in.digits(4, year) || !in.character('-') || !in.digits(2, month) || !in.character('-') || !in.digits(2, day) ||
      !in.character('T') || (!in.digits(2, hour) && !in.digits(1, hour)) || !in.character(':') ||
      !in.digits(2, minute) || !in.character(':') || !in.digits(2, second)) {
    return std::nullopt;
  }
  if (month < 1 || month > 12 || day < 1 || day > days_in_month(year, month) || hour > 23 || minute > 59 ||
      second > 59) {
    return std::nullopt;
  }
  Instant out;
  if ((in.character('.') || in.character(',')) && !in.fraction(out.nanos)) return std::nullopt;
  int zone = 0;
  if (!in.character('Z')) {
    const bool west = in.character('-');
    int hours = 0, minutes = 0;
    if (!west && !in.character('+')) return std::nullopt;
    if (!in.digits(2, hours) || !in.character(':') || !in.digits(2, minutes) || hours > 24 || minutes > 60) {
      return std::nullopt;
    }
    zone = (west ? -1 : 1) * (hours * 60 + minutes);
  }
  if (!in.at_end()) return std::nullopt;
  out.seconds = days_from_civil(year, month, day) * kSecondsPerDay + hour * 3600 + minute * 60 + second - zone * 60;
  if (!is_valid_timestamp(out)) return std::nullopt;
  return WrittenTime{.moment = out, .zone = static_cast<std::int16_t>(zone)};
}

std::string format_timestamp(Instant moment, std::int16_t zone) {
  const CivilTime t = civil_time(moment.seconds + zone * 60);
  const int minutes = std::abs(zone);
  const std::string where =
      zone == 0 ? "Z" : fmt::format("{}{:02}:{:02}", zone < 0 ? '-' : '+', minutes / 60, minutes % 60);
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}{}{}", t.year, t.month, t.day, t.hour, t.minute, t.second,
                     trimmed_fraction(moment.nanos), where);
}

std::optional<Instant> parse_duration(std::string_view text) {
  bool negative = false;
  if (text.starts_with('-') || text.starts_with('+')) {
    negative = text.front() == '-';
    text.remove_prefix(1);
  }
  if (text == "0") return Instant{};
  if (text.empty()) return std::nullopt;
  __int128 total = 0;
  constexpr __int128 kLimit = static_cast<__int128>(std::numeric_limits<std::int64_t>::max()) + 1;
  while (!text.empty()) {
    __int128 whole = 0;
    __int128 fraction = 0;
    __int128 scale = 1;
    std::size_t digits = 0;
    bool after_point = false;
    for (; !text.empty(); text.remove_prefix(1)) {
      const char c = text.front();
      if (c == '.' && !after_point) {
        after_point = true;
      } else if (is_digit(c)) {
        ++digits;
        if (!after_point) {
          whole = whole * 10 + (c - '0');
          if (whole > kLimit) return std::nullopt;
        } else if (scale < kNanosPerSecond * kNanosPerSecond) {
          fraction = fraction * 10 + (c - '0');
          scale *= 10;
        }
      } else {
        break;
      }
    }
    if (digits == 0) return std::nullopt;
    const std::int64_t unit = take_unit(text);
    if (unit == 0) return std::nullopt;
    total += whole * unit + fraction * unit / scale;
    if (total > kLimit) return std::nullopt;
  }
  return duration_of_nanos(negative ? -total : total);
}

std::string format_duration(Instant length) {
  __int128 nanos = nanos_of(length);
  const bool negative = nanos < 0;
  if (negative) nanos = -nanos;
  return fmt::format("{}{}{}s", negative ? "-" : "", static_cast<std::int64_t>(nanos / kNanosPerSecond),
                     trimmed_fraction(static_cast<std::int32_t>(nanos % kNanosPerSecond)));
}

std::optional<Instant> duration_of_nanos(__int128 nanos) {
  if (nanos > std::numeric_limits<std::int64_t>::max() || nanos < std::numeric_limits<std::int64_t>::min()) {
    return std::nullopt;
  }
  auto seconds = static_cast<std::int64_t>(nanos / kNanosPerSecond);
  auto rest = static_cast<std::int32_t>(nanos % kNanosPerSecond);
  if (rest < 0) {
    rest += static_cast<std::int32_t>(kNanosPerSecond);
    --seconds;
  }
  return Instant{seconds, rest};
}

__int128 nanos_of(Instant length) { return static_cast<__int128>(length.seconds) * kNanosPerSecond + length.nanos; }

Instant add(Instant a, Instant b) {
  Instant sum{a.seconds + b.seconds, a.nanos + b.nanos};
  if (sum.nanos >= kNanosPerSecond) {
    sum.nanos -= static_cast<std::int32_t>(kNanosPerSecond);
    ++sum.seconds;
  }
  return sum;
}

Instant subtract(Instant a, Instant b) {
  Instant difference{a.seconds - b.seconds, a.nanos - b.nanos};
  if (difference.nanos < 0) {
    difference.nanos += static_cast<std::int32_t>(kNanosPerSecond);
    --difference.seconds;
  }
  return difference;
}

std::int64_t days_from_civil(std::int64_t year, int month, int day) {
  // Years start in March, so that the leap day is the last day of a year; 400 years are an era of 146,097 days.
  year -= month <= 2 ? 1 : 0;
  const std::int64_t era = (year >= 0 ? year : year - 399) / 400;
  const std::int64_t year_of_era = year - era * 400;
  const std::int64_t day_of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
  const std::int64_t day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
  return era * 146'097 + day_of_era - 719'468;
}

CivilTime civil_time(std::int64_t seconds) {
  std::int64_t days = seconds / kSecondsPerDay;
  auto rest = static_cast<int>(seconds % kSecondsPerDay);
  if (rest < 0) {
    rest += static_cast<int>(kSecondsPerDay);
    --days;
  }
  CivilTime out;
  out.hour = rest / 3600;
  out.minute = rest / 60 % 60;
  out.second = rest % 60;
  out.weekday = static_cast<int>(((days + 4) % 7 + 7) % 7);
  const std::int64_t shifted = days + 719'468;
  const std::int64_t era = (shifted >= 0 ? shifted : shifted - 146'096) / 146'097;
  const std::int64_t day_of_era = shifted - era * 146'097;
  const std::int64_t year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36'524 - day_of_era / 146'096) / 365;
  const std::int64_t day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
  const std::int64_t month = (5 * day_of_year + 2) / 153;
  out.day = static_cast<int>(day_of_year - (153 * month + 2) / 5 + 1);
  out.month = static_cast<int>(month < 10 ? month + 3 : month - 9);
  out.year = year_of_era + era * 400 + (out.month <= 2 ? 1 : 0);
  out.day_of_year = static_cast<int>(days - days_from_civil(out.year, 1, 1));
  return out;
}

}  // namespace berth::cel
