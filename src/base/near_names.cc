#include "base/near_names.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <utility>

#include "base/lower_case.h"

namespace berth {
namespace {

constexpr std::size_t kMostEdits = 16;  // no slip of the fingers has more

}  // namespace

std::size_t edit_distance(std::string_view a, std::string_view b, std::size_t most) {
  // Of each row only what is near the diagonal can be part of so few edits; all else is too far. The band moves by one
  // from row to row, so what an earlier row wrote is never read again and all behind the band is still as it began.
  const std::size_t far = std::min(most, std::max(a.size(), b.size())) + 1;
  std::vector<std::size_t> before(b.size() + 1, far);
  std::vector<std::size_t> above(b.size() + 1, far);
  std::vector<std::size_t> row(b.size() + 1, far);
  for (std::size_t j = 0; j <= std::min(b.size(), far); ++j) above[j] = j;
  std::size_t nearest_above = 0;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    const std::size_t first = i > far ? i - far : 1;
    const std::size_t last = std::min(b.size(), i + far);
    row[first - 1] = first == 1 ? i : far;
    std::size_t nearest = row[first - 1];
    for (std::size_t j = first; j <= last; ++j) {
      const bool same = lowered(a[i - 1]) == lowered(b[j - 1]);
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, above[j - 1] + (same ? 0U : 1U)});
      const bool swapped =
          i > 1 && j > 1 && lowered(a[i - 1]) == lowered(b[j - 2]) && lowered(a[i - 2]) == lowered(b[j - 1]);
      if (swapped) row[j] = std::min(row[j], before[j - 2] + 1);
      nearest = std::min(nearest, row[j]);
    }
    // A swap looks two rows back.
    if (std::min(nearest, nearest_above) >= far) return far;
    nearest_above = nearest;
    std::swap(before, above);
    std::swap(above, row);
  }
  return std::min(above[b.size()], far);
}

namespace {

// The texts are no nearer than this, however their bytes are ordered. O(length), where the distance is O(length^2).
std::size_t least_distance(std::span<const std::int32_t, 256> wanted, std::string_view candidate) {
  std::array<std::int32_t, 256> more{};
  std::ranges::copy(wanted, more.begin());
  for (const char byte : candidate) --more[static_cast<unsigned char>(lowered(byte))];
  std::size_t missing = 0;
  std::size_t surplus = 0;
  for (const std::int32_t count : more) (count > 0 ? missing : surplus) += static_cast<std::size_t>(std::abs(count));
  return std::max(missing, surplus);
}

}  // namespace

std::vector<std::string> near_names(std::string_view name, std::span<const std::string> candidates, std::size_t limit) {
  const std::string wanted = lowered(name);
  std::array<std::int32_t, 256> bytes{};
  for (const char byte : wanted) ++bytes[static_cast<unsigned char>(byte)];
  std::vector<std::pair<std::size_t, const std::string*>> found;
  for (const std::string& candidate : candidates) {
    const std::size_t longest = std::max(name.size(), candidate.size());
    const std::size_t difference = longest - std::min(name.size(), candidate.size());
    const std::size_t allowed = std::clamp<std::size_t>(longest / 3, 1, kMostEdits);
    if (difference <= allowed && least_distance(bytes, candidate) <= allowed) {
      if (const std::size_t distance = edit_distance(name, candidate, allowed); distance <= allowed) {
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
