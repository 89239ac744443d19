#include "cli/seed_range.h"

#include <string>

#include <fmt/format.h>

#include "base/whole_number.h"

namespace berth::cli {

Result<std::vector<std::uint64_t>> parse_seeds(std::string_view text) {
  constexpr std::uint64_t kMostSeeds = 10'000;
  const std::size_t dash = text.find('-');
  const auto first = whole_number<std::uint64_t>(text.substr(0, dash));
  const auto last = dash == std::string_view::npos ? first : whole_number<std::uint64_t>(text.substr(dash + 1));
  if (!first || !last || *last < *first || *last - *first >= kMostSeeds) {
    return fail(ErrorCode::kUsage,
                fmt::format("--seeds '{}' is no range of seeds; write one number, or A-B with at most {} "
                            "of them, such as 42-51.",
                            text, kMostSeeds));
  }
  std::vector<std::uint64_t> seeds;
  for (std::uint64_t i = 0; i <= *last - *first; ++i) seeds.push_back(*first + i);
  return seeds;
}

}  // namespace berth::cli
