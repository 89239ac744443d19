#include "cel/time_zone.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "cel/time.h"

namespace berth::cel {

namespace {

constexpr std::int32_t kLargestOffset = 26 * 3600;  // no clock differs from UTC by more (RFC 8536, 3.2)

bool is_offset(std::int32_t seconds) { return seconds >= -kLargestOffset && seconds <= kLargestOffset; }

std::int64_t big_endian(std::string_view bytes) {
  std::uint64_t value = static_cast<signed char>(bytes[0]) < 0 ? ~std::uint64_t{0} : 0;
  for (const char c : bytes) value = (value << 8U) | static_cast<unsigned char>(c);
  return static_cast<std::int64_t>(value);
}

std::int64_t year_of(std::int64_t seconds) { return civil_time(seconds).year; }

// The six counts of a TZif header: which is at 20 + 4 * i.
struct Counts {
  std::size_t ut, standard, leap, times, types, characters;
};

std::optional<Counts> read_header(std::string_view data) {
  if (data.size() < 44 || !data.starts_with("TZif")) return std::nullopt;
  const auto count = [&](std::size_t i) { return static_cast<std::size_t>(big_endian(data.substr(20 + 4 * i, 4))); };
  const Counts counts{count(0), count(1), count(2), count(3), count(4), count(5)};
  for (const std::size_t n : {counts.ut, counts.standard, counts.leap, counts.times, counts.types, counts.characters}) {
    if (n > 100'000) return std::nullopt;
  }
  return counts;
}

std::size_t body_size(const Counts& c, std::size_t time_size) {
  return c.times * (time_size + 1) + c.types * 6 + c.characters + c.leap * (time_size + 4) + c.standard + c.ut;
}

}  // namespace

// Reads a POSIX TZ rule, "CET-1CEST,M3.5.0,M10.5.0/3". Hours west of Greenwich are positive there.
class RuleReader {
 public:
  static std::optional<TimeZone::Rule> read(std::string_view text) {
    RuleReader in(text);
    TimeZone::Rule rule;
    if (!in.name() || !in.time(rule.standard)) return std::nullopt;
    rule.standard = -rule.standard;
    if (!is_offset(rule.standard)) return std::nullopt;
    if (in.text_.empty()) return rule;
    rule.has_summer = true;
    rule.summer = rule.standard + 3600;
    if (!in.name()) return std::nullopt;
    if (!in.text_.empty() && in.text_.front() != ',') {
      if (!in.time(rule.summer)) return std::nullopt;
      rule.summer = -rule.summer;
    }
    if (!is_offset(rule.summer)) return std::nullopt;
    if (!in.change(rule.start) || !in.change(rule.end) || !in.text_.empty()) return std::nullopt;
    return rule;
  }

 private:
  explicit RuleReader(std::string_view text) : text_(text) {}

  bool take(char c) {
    if (!text_.starts_with(c)) return false;
    text_.remove_prefix(1);
    return true;
  }
  bool name() {
    if (take('<')) {
      const std::size_t end = text_.find('>');
      if (end == std::string_view::npos) return false;
      text_.remove_prefix(end + 1);
      return true;
    }
    const std::size_t letters = std::min(text_.find_first_of("+-0123456789,"), text_.size());
    text_.remove_prefix(letters);
    return letters >= 3;
  }
  bool number(int& out) {
    std::size_t read = 0;
    out = 0;
    for (; read < text_.size() && read < 4 && text_[read] >= '0' && text_[read] <= '9'; ++read) {
      out = out * 10 + (text_[read] - '0');
    }
    text_.remove_prefix(read);
    return read > 0;
  }
  // [+-]hh[:mm[:ss]]
  bool time(std::int32_t& out) {
    const int sign = take('-') ? -1 : 1;
    if (sign > 0) take('+');
    int hours = 0, minutes = 0, seconds = 0;
    if (!number(hours)) return false;
    if (take(':') && !number(minutes)) return false;
    if (minutes > 0 && take(':') && !number(seconds)) return false;
    out = sign * (hours * 3600 + minutes * 60 + seconds);
    return true;
  }
  // ,Mm.w.d[/time] or ,Jn[/time] or ,n[/time]
  bool change(TimeZone::Change& out) {
    if (!take(',')) return false;
    if (take('M')) {
      out.kind = TimeZone::Change::Kind::kMonthWeekDay;
      if (!number(out.month) || !take('.') || !number(out.week) || !take('.') || !number(out.day)) return false;
      if (out.month < 1 || out.month > 12 || out.week < 1 || out.week > 5 || out.day > 6) return false;
    } else {
      out.kind = take('J') ? TimeZone::Change::Kind::kJulian : TimeZone::Change::Kind::kDayOfYear;
      if (!number(out.day)) return false;
    }
    return !take('/') || time(out.time);
  }

  std::string_view text_;
};

std::optional<TimeZone> TimeZone::parse(std::string_view file) {
  const auto old_counts = read_header(file);
  if (!old_counts || file[4] < '2') return std::nullopt;
  // Version 1 has 32-bit times; the data that counts follows it with a header of its own.
  const std::size_t skip = 44 + body_size(*old_counts, 4);
  if (file.size() < skip) return std::nullopt;
  file.remove_prefix(skip);
  const auto counts = read_header(file);
  if (!counts || counts->types == 0 || file.size() < 44 + body_size(*counts, 8)) return std::nullopt;
  const std::string_view body = file.substr(44);
  const std::string_view indices = body.substr(counts->times * 8);
  const std::string_view types = indices.substr(counts->times);
  const auto offset = [&](std::size_t type) {
    return static_cast<std::int32_t>(big_endian(types.substr(type * 6, 4)));
  };
  for (std::size_t i = 0; i < counts->types; ++i)
    if (!is_offset(offset(i))) return std::nullopt;
  TimeZone zone;
  zone.first_offset_ = offset(0);
  for (std::size_t i = 0; i < counts->times; ++i) {
    const auto type = static_cast<unsigned char>(indices[i]);
    if (type >= counts->types) return std::nullopt;
    zone.transitions_.push_back({big_endian(body.substr(i * 8, 8)), offset(type)});
  }
  std::string_view footer = body.substr(body_size(*counts, 8));
  if (footer.starts_with('\n')) {
    footer.remove_prefix(1);
    zone.rule_ = RuleReader::read(footer.substr(0, footer.find('\n')));
  }
  return zone;
}

std::int64_t TimeZone::change_time(const Change& change, std::int64_t year, std::int32_t offset_before) {
  std::int64_t day = days_from_civil(year, 1, 1);
  switch (change.kind) {
    case Change::Kind::kMonthWeekDay: {
      const std::int64_t first = days_from_civil(year, change.month, 1);
      const std::int64_t next =
          change.month == 12 ? days_from_civil(year + 1, 1, 1) : days_from_civil(year, change.month + 1, 1);
      const int weekday = static_cast<int>(((first + 4) % 7 + 7) % 7);
      day = first + (change.day - weekday + 7) % 7 + 7 * (change.week - 1);
      if (day >= next) day -= 7;
      break;
    }
    case Change::Kind::kJulian: {
      // Counts from 1 and never counts 29 February.
      const bool leap = days_from_civil(year + 1, 1, 1) - day == 366;
      day += change.day - 1 + (leap && change.day > 59 ? 1 : 0);
      break;
    }
    case Change::Kind::kDayOfYear:
      day += change.day;
      break;
  }
  return day * kSecondsPerDay + change.time - offset_before;
}

std::int32_t TimeZone::offset_by_rule(std::int64_t seconds) const {
  if (!rule_->has_summer) return rule_->standard;
  const std::int64_t year = year_of(seconds + rule_->standard);
  const std::int64_t start = change_time(rule_->start, year, rule_->standard);
  const std::int64_t end = change_time(rule_->end, year, rule_->summer);
  const bool summer = start < end ? seconds >= start && seconds < end : seconds >= start || seconds < end;
  return summer ? rule_->summer : rule_->standard;
}

std::int32_t TimeZone::offset_at(std::int64_t seconds) const {
  const auto after =
      std::ranges::upper_bound(transitions_, seconds, {}, [](const Transition& transition) { return transition.at; });
  if (after == transitions_.end() && rule_) return offset_by_rule(seconds);
  return after == transitions_.begin() ? first_offset_ : std::prev(after)->offset;
}

const TimeZone* SystemTimeZones::find(std::string_view name) const {
  // Names are paths below the directory; nothing may lead out of it.
  if (name.empty() || name.size() > 64 || name.front() == '/' || name.find("..") != std::string_view::npos ||
      name.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789/_+-") !=
          std::string_view::npos) {
    return nullptr;
  }
  const std::scoped_lock lock(mutex_);
  auto found = zones_.find(name);
  if (found == zones_.end()) {
    const std::string path = directory_ + "/" + std::string(name);
    std::string content;
    if (std::error_code ignored; std::filesystem::is_regular_file(path, ignored)) {  // "Europe" is a directory
      std::ifstream file(path, std::ios::binary);
      content.assign(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
    }
    found = zones_.emplace(std::string(name), TimeZone::parse(content)).first;
  }
  return found->second ? &*found->second : nullptr;
}

namespace {

// As many digits as one likes, but no offset of years.
std::optional<std::int32_t> signed_number(std::string_view text) {
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  std::int32_t value = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (code != std::errc() || end != text.data() + text.size() || value < 0 || value > 100'000) return std::nullopt;
  return negative ? -value : value;
}

}  // namespace

std::optional<std::int32_t> zone_offset(std::string_view name, std::int64_t seconds, const TimeZoneProvider* provider) {
  if (name.empty() || name == "UTC" || name == "Local") return 0;  // an API server's own zone is UTC
  if (const std::size_t colon = name.find(':'); colon != std::string_view::npos) {
    const auto hours = signed_number(name.substr(0, colon));
    const auto minutes = signed_number(name.substr(colon + 1));
    if (!hours || !minutes) return std::nullopt;
    return *hours * 3600 + (name.front() == '-' ? -*minutes : *minutes) * 60;
  }
  const TimeZone* zone = provider == nullptr ? nullptr : provider->find(name);
  if (zone == nullptr) return std::nullopt;
  return zone->offset_at(seconds);
}

}  // namespace berth::cel
