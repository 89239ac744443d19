// Offsets from UTC at a moment, for the time functions that name a zone.
//
// "UTC", "" and fixed offsets ("-08:00", "+05:30", "02:00") need no data. IANA names are asked from a provider, so that
// the evaluator itself does no I/O; SystemTimeZones reads the system's zoneinfo files (RFC 8536).
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace berth::cel {

// The transitions of one zone, and the rule after the last of them.
class TimeZone {
 public:
  // Reads a TZif file's content; nothing if it is none.
  static std::optional<TimeZone> parse(std::string_view file);
  // Seconds east of UTC at the given Unix time.
  [[nodiscard]] std::int32_t offset_at(std::int64_t seconds) const;

 private:
  struct Transition {
    std::int64_t at = 0;
    std::int32_t offset = 0;
  };
  // A change of clocks in a year, from the POSIX rule in the file's footer.
  struct Change {
    enum class Kind : std::uint8_t { kMonthWeekDay, kJulian, kDayOfYear } kind = Kind::kMonthWeekDay;
    int month = 0;
    int week = 0;
    int day = 0;
    std::int32_t time = 7200;
  };
  struct Rule {
    std::int32_t standard = 0;
    std::int32_t summer = 0;
    bool has_summer = false;
    Change start;
    Change end;
  };
  friend class RuleReader;

  static std::int64_t change_time(const Change& change, std::int64_t year, std::int32_t offset_before);
  [[nodiscard]] std::int32_t offset_by_rule(std::int64_t seconds) const;

  std::int32_t first_offset_ = 0;
  std::vector<Transition> transitions_;
  std::optional<Rule> rule_;
};

class TimeZoneProvider {
 public:
  virtual ~TimeZoneProvider() = default;
  // The zone of an IANA name, or null if there is none. The pointer lives as long as the provider.
  [[nodiscard]] virtual const TimeZone* find(std::string_view name) const = 0;
};

// Zones from a directory of TZif files, each read once. Safe to share between threads.
class SystemTimeZones final : public TimeZoneProvider {
 public:
  explicit SystemTimeZones(std::string directory = "/usr/share/zoneinfo") : directory_(std::move(directory)) {}
  [[nodiscard]] const TimeZone* find(std::string_view name) const override;

 private:
  std::string directory_;
  mutable std::mutex mutex_;
  mutable std::map<std::string, std::optional<TimeZone>, std::less<>> zones_;
};

// Seconds east of UTC that the zone name means at the moment; nothing if the name means nothing.
[[nodiscard]] std::optional<std::int32_t> zone_offset(std::string_view name, std::int64_t seconds,
                                                      const TimeZoneProvider* provider);

}  // namespace berth::cel
