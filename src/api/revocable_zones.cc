#include "api/revocable_zones.h"

#include <algorithm>

#include "api/duration.h"
#include "api/volcano_keys.h"
#include "base/trimmed.h"
#include "base/whole_number.h"

namespace berth::api::volcano {
namespace {

constexpr std::int64_t kDay = 86'400;
constexpr std::int64_t kMinute = 60;

std::optional<std::int32_t> minutes(std::string_view text) {
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos || text.size() - colon != 3 || colon == 0 || colon > 2) return std::nullopt;
  const auto hours = whole_number<std::int32_t>(text.substr(0, colon), 0, 23);
  const auto rest = whole_number<std::int32_t>(text.substr(colon + 1), 0, 59);
  if (!hours || !rest) return std::nullopt;
  return *hours * 60 + *rest;
}

// Seconds since the last time that the clock showed so many minutes.
std::int64_t seconds_since(std::int32_t minute, Time now) {
  const std::int64_t of_day = (now % kDay + kDay) % kDay;
  return (of_day - minute * kMinute + kDay) % kDay;
}

}  // namespace

std::optional<RevocableZones::Window> RevocableZones::parse_window(std::string_view text) {
  text = trimmed(text);
  const std::size_t dash = text.find('-');
  if (dash == std::string_view::npos) return std::nullopt;
  const auto begin = minutes(text.substr(0, dash));
  const auto end = minutes(text.substr(dash + 1));
  if (!begin || !end) return std::nullopt;
  return Window{*begin, *end};
}

RevocableZones RevocableZones::of(const SchedulerConf& conf) {
  RevocableZones zones;
  const SchedulerConf::Plugin* plugin = conf.plugin("tdm");
  if (plugin == nullptr) return zones;
  zones.active_ = true;
  zones.drains_ = conf.runs("shuffle") && conf.votes("tdm", "enabledVictim");
  for (const auto& [key, value] : plugin->arguments) {
    if (key.starts_with(kRevocableZoneArgument)) {
      if (const auto window = parse_window(value))
        zones.windows_.emplace(key.substr(kRevocableZoneArgument.size()), *window);
    } else if (key == kEvictPeriodArgument) {
      zones.evict_period_ = std::max<std::int64_t>(parse_duration_seconds(value).value_or(kMinute), 1);
    }
  }
  return zones;
}

bool RevocableZones::is_open(std::string_view zone, Time now) const {
  const auto found = windows_.find(zone);
  if (found == windows_.end()) return false;
  const auto [begin, end] = found->second;
  const std::int64_t length = (end - begin) * kMinute + (end <= begin ? kDay : 0);
  return seconds_since(begin, now) < length;
}

std::optional<Time> RevocableZones::closed_since(std::string_view zone, Time now) const {
  const auto found = windows_.find(zone);
  if (found == windows_.end() || is_open(zone, now)) return std::nullopt;
  return now - seconds_since(found->second.end, now);
}

std::optional<Time> RevocableZones::next_change(Time now) const {
  std::optional<Time> next;
  for (const auto& [zone, window] : windows_) {
    for (const std::int32_t minute : {window.begin, window.end}) {
      const Time at = now + kDay - seconds_since(minute, now);
      next = std::min(next.value_or(at), at);
    }
  }
  return next;
}

bool may_be_revoked(const Pod& pod) {
  const StringMap& annotations = pod.metadata.annotations;
  if (const auto zone = annotations.find(keys::kRevocableZone); zone != annotations.end()) return zone->second == "*";
  const auto preemptable = annotations.find(keys::kPreemptable);
  return preemptable != annotations.end() && is_true(preemptable->second);
}

}  // namespace berth::api::volcano
