// Durations as Go writes them, which is what metav1.Duration is: "90s", "1h30m", "1.5h", "250ms".
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace berth::api {

// Whole seconds, rounded up; none if the text is no duration, is negative or does not fit.
[[nodiscard]] std::optional<std::int64_t> parse_duration_seconds(std::string_view text);

}  // namespace berth::api
