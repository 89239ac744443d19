#include "api/time.h"

#include <algorithm>
#include <array>

namespace berth::api {
namespace {

constexpr std::int64_t kDay = 86400;

// Days from 1970-01-01 in the proleptic Gregorian calendar (Hinnant, "chrono-Compatible Low-Level Date Algorithms").
constexpr std::int64_t days_from_civil(std::int64_t year, std::int64_t month, std::int64_t day) {
  year -= month <= 2 ? 1 : 0;
  const std::int64_t era = (year >= 0 ? year : year - 399) / 400;
  const std::int64_t year_of_era = year - era * 400;
  const std::int64_t day_of_year = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1;
  const std::int64_t day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
  return era * 146097 + day_of_era - 719468;
}

constexpr std::int64_t days_in_month(std::int64_t year, std::int64_t month) {
  constexpr std::array<std::int64_t, 12> kDays = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  const bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
  return kDays[static_cast<std::size_t>(month - 1)] + (month == 2 && leap ? 1 : 0);
}

// Reads digits and signs from the front of a text; fails for good at the first surprise.
class Front {
 public:
  explicit Front(std::string_view text) : rest_(text) {}

  std::int64_t digits(std::size_t count) {
    std::int64_t number = 0;
    for (std::size_t i = 0; i < count; ++i) {
      if (i >= rest_.size() || rest_[i] < '0' || rest_[i] > '9') {
        good_ = false;
        return 0;
      }
      number = number * 10 + (rest_[i] - '0');
    }
    rest_.remove_prefix(count);
    return number;
  }
  // One of the characters, or '\0'.
  char one_of(std::string_view choices) {
    if (rest_.empty() || choices.find(rest_.front()) == std::string_view::npos) return '\0';
    const char found = rest_.front();
    rest_.remove_prefix(1);
    return found;
  }
  void expect(std::string_view choices) { good_ = one_of(choices) != '\0' && good_; }
  [[nodiscard]] bool good() const { return good_; }
  [[nodiscard]] bool empty() const { return rest_.empty(); }

 private:
  std::string_view rest_;
  bool good_ = true;
};

}  // namespace

std::optional<Time> parse_time(std::string_view text) {
  Front front(text);
  const std::int64_t year = front.digits(4);
  front.expect("-");
  const std::int64_t month = front.digits(2);
  front.expect("-");
  const std::int64_t day = front.digits(2);
  front.expect("Tt");
  const std::int64_t hour = front.digits(2);
  front.expect(":");
  const std::int64_t minute = front.digits(2);
  front.expect(":");
  const std::int64_t second = front.digits(2);
  if (front.one_of(".") != '\0') {
    front.digits(1);
    while (front.one_of("0123456789") != '\0') continue;
  }
  std::int64_t offset = 0;
  if (front.one_of("Zz") == '\0') {
    const char sign = front.one_of("+-");
    const std::int64_t hours = front.digits(2);
    front.expect(":");
    const std::int64_t minutes = front.digits(2);
    if (sign == '\0' || hours > 23 || minutes > 59) return std::nullopt;
    offset = (hours * 60 + minutes) * (sign == '-' ? -60 : 60);
  }
  if (!front.good() || !front.empty()) return std::nullopt;
  if (month < 1 || month > 12 || day < 1 || day > days_in_month(year, month)) return std::nullopt;
  if (hour > 23 || minute > 59 || second > 59) return std::nullopt;
  return days_from_civil(year, month, day) * kDay + hour * 3600 + minute * 60 + second - offset;
}

std::string format_time(Time time) {
  time = std::clamp(time, days_from_civil(0, 1, 1) * kDay, days_from_civil(10000, 1, 1) * kDay - 1);
  std::int64_t days = time / kDay;
  std::int64_t seconds = time % kDay;
  if (seconds < 0) {
    seconds += kDay;
    --days;
  }
  // The inverse of days_from_civil, from the same paper.
  days += 719468;
  const std::int64_t era = (days >= 0 ? days : days - 146096) / 146097;
  const std::int64_t day_of_era = days - era * 146097;
  const std::int64_t year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36524 - day_of_era / 146096) / 365;
  const std::int64_t day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
  const std::int64_t shifted = (5 * day_of_year + 2) / 153;
  const std::int64_t day = day_of_year - (153 * shifted + 2) / 5 + 1;
  const std::int64_t month = shifted + (shifted < 10 ? 3 : -9);
  const std::int64_t year = year_of_era + era * 400 + (month <= 2 ? 1 : 0);
  std::string text;
  const auto append = [&text](std::int64_t number, std::size_t width, std::string_view behind) {
    const std::string digits = std::to_string(number);
    text.append(width - std::min(width, digits.size()), '0');
    text += digits;
    text += behind;
  };
  append(year, 4, "-");
  append(month, 2, "-");
  append(day, 2, "T");
  append(seconds / 3600, 2, ":");
  append(seconds / 60 % 60, 2, ":");
  append(seconds % 60, 2, "Z");
  return text;
}

}  // namespace berth::api
