// Revocable zones: nodes that batch work may have at certain hours and that others want back afterwards, as the
// arguments of Volcano's plugin tdm say. A node is in the zone that its label volcano.sh/revocable-zone names. A pod
// may go there if its annotation of that name is "*" or if it is preemptable.
//
// Hours are those of UTC. A window begins with its first minute and ends before its last one; one that ends where it
// begins, or before, goes over midnight. (Volcano takes the time zone of its machine, and a window over midnight is
// closed there from midnight on.)
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "api/core.h"
#include "api/volcano_conf.h"

namespace berth::api::volcano {

// Arguments of the plugin.
inline constexpr std::string_view kRevocableZoneArgument = "tdm.revocable-zone.";
inline constexpr std::string_view kEvictPeriodArgument = "tdm.evict.period";

namespace keys {
inline constexpr std::string_view kRevocableZone = "volcano.sh/revocable-zone";  // on nodes its name, on pods "*"
inline constexpr std::string_view kBudgetMinAvailable = "volcano.sh/jdb-min-available";
inline constexpr std::string_view kBudgetMaxUnavailable = "volcano.sh/jdb-max-unavailable";
}  // namespace keys

class RevocableZones {
 public:
  struct Window {
    std::int32_t begin = 0;  // minutes since midnight
    std::int32_t end = 0;
  };

  // "10:00-21:00"; none: something else.
  [[nodiscard]] static std::optional<Window> parse_window(std::string_view text);
  // What the plugin says, or no zones without it. Its arguments were checked when the file was read.
  static RevocableZones of(const SchedulerConf& conf);

  [[nodiscard]] bool empty() const { return !active_; }
  // With a window; a zone that a node names and nobody gave a window is never open.
  [[nodiscard]] const std::map<std::string, Window, std::less<>>& windows() const { return windows_; }
  [[nodiscard]] bool is_open(std::string_view zone, Time now) const;
  // When it was closed last; none: it is open, or was never.
  [[nodiscard]] std::optional<Time> closed_since(std::string_view zone, Time now) const;
  // The next moment after `now` at which some zone opens or closes.
  [[nodiscard]] std::optional<Time> next_change(Time now) const;
  // Who is there when a zone closes has to leave: the action shuffle is on. So many seconds lie between two evictions.
  [[nodiscard]] bool drains() const { return drains_; }
  [[nodiscard]] std::int64_t evict_period() const { return evict_period_; }

 private:
  std::map<std::string, Window, std::less<>> windows_;
  std::int64_t evict_period_ = 60;
  bool active_ = false;
  bool drains_ = false;
};

// Whether the pod may be on nodes of a revocable zone.
[[nodiscard]] bool may_be_revoked(const Pod& pod);

}  // namespace berth::api::volcano
