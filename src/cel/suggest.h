// "did you mean": the nearest of the names that exist.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace berth::cel {

// ", did you mean 'memory'?" or nothing, if no name is near. O(names * length^2).
[[nodiscard]] std::string suggestion(std::string_view wrong, std::span<const std::string_view> names);

}  // namespace berth::cel
