#include "base/near_names.h"

#include <algorithm>
#include <utility>

namespace berth {
namespace {

char lower(char byte) { return byte >= 'A' && byte <= 'Z' ? static_cast<char>(byte - 'A' + 'a') : byte; }

std::string lowered(std::string_view text) {
  std::string out(text);
  for (char& byte : out) byte = lower(byte);
  return out;
}

}  // namespace

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1);
  std::vector<std::size_t> above(b.size() + 1);
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) above[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const bool same = lower(a[i - 1]) == lower(b[j - 1]);
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, above[j - 1] + (same ? 0U : 1U)});
      const bool swapped = i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) && lower(a[i - 2]) == lower(b[j - 1]);
      if (swapped) row[j] = std::min(row[j], before[j - 2] + 1);
    }
    std::swap(before, above);
    std::swap(above, row);
  }
  return above[b.size()];
}

std::vector<std::string> near_names(std::string_view name, std::span<const std::string> candidates, std::size_t limit) {
  const std::string wanted = lowered(name);
  std::vector<std::pair<std::size_t, const std::string*>> found;
  for (const std::string& candidate : candidates) {
    const std::size_t longest = std::max(name.size(), candidate.size());
    const std::size_t difference = longest - std::min(name.size(), candidate.size());
    const std::size_t allowed = std::max<std::size_t>(1, longest / 3);
    if (difference <= allowed) {
      if (const std::size_t distance = edit_distance(name, candidate); distance <= allowed) {
        found.emplace_back(distance, &candidate);
        continue;
      }
    }
    // A part of the name is worth a hint too, behind every misspelling.
    if (wanted.size() >= 3 && lowered(candidate).find(wanted) != std::string::npos)
      found.emplace_back(longest + difference, &candidate);
  }
  std::ranges::stable_sort(found, [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<std::string> out;
  for (const auto& [distance, candidate] : found)
    if (out.size() < limit) out.push_back(*candidate);
  return out;
}

}  // namespace berth
