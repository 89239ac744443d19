#include "cel/suggest.h"

#include <vector>

#include "base/near_names.h"

namespace berth::cel {

namespace {

constexpr std::size_t kLongestName = 64;

}  // namespace

std::string suggestion(std::string_view wrong, std::span<const std::string_view> names) {
  if (wrong.size() > kLongestName) return {};
  std::vector<std::string> candidates;
  for (const std::string_view name : names) {
    if (name.size() <= kLongestName && name != wrong) candidates.emplace_back(name);
  }
  const std::vector<std::string> near = near_names(wrong, candidates, 1);
  return near.empty() ? std::string() : ", did you mean '" + near.front() + "'?";
}

}  // namespace berth::cel
