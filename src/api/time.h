// Times as Kubernetes writes them: RFC 3339, in UTC and to the second.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "api/meta.h"

namespace berth::api {

// "2026-01-31T12:00:00Z", also with an offset and with a fraction, which is cut off. None for everything else.
[[nodiscard]] std::optional<Time> parse_time(std::string_view text);

// "2026-01-31T12:00:00Z" for years 0 to 9999; earlier and later times are written as those ends.
[[nodiscard]] std::string format_time(Time time);

}  // namespace berth::api
