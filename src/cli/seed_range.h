// The seeds of a study: "42" or "42-51".
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace berth::cli {

// Errors: kUsage for what is no range, and for one of more than 10,000 seeds.
[[nodiscard]] Result<std::vector<std::uint64_t>> parse_seeds(std::string_view text);

}  // namespace berth::cli
