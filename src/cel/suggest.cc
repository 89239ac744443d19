#include "cel/suggest.h"

#include <algorithm>
#include <vector>

namespace berth::cel {

namespace {

constexpr std::size_t kLongestName = 64;

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

}  // namespace

std::size_t edit_distance(std::string_view a, std::string_view b) {
  const std::size_t width = b.size() + 1;
  std::vector<std::size_t> table((a.size() + 1) * width);
  const auto at = [&](std::size_t i, std::size_t j) -> std::size_t& { return table[i * width + j]; };
  for (std::size_t i = 0; i <= a.size(); ++i) {
    for (std::size_t j = 0; j <= b.size(); ++j) {
      if (i == 0 || j == 0) {
        at(i, j) = i + j;
        continue;
      }
      const std::size_t differs = lower(a[i - 1]) == lower(b[j - 1]) ? 0 : 1;
      at(i, j) = std::min({at(i - 1, j) + 1, at(i, j - 1) + 1, at(i - 1, j - 1) + differs});
      if (i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) && lower(a[i - 2]) == lower(b[j - 1])) {
        at(i, j) = std::min(at(i, j), at(i - 2, j - 2) + 1);
      }
    }
  }
  return table.back();
}

std::string suggestion(std::string_view wrong, std::span<const std::string_view> names) {
  if (wrong.size() > kLongestName) return {};
  // Up to a third of the letters may be wrong; more is another word.
  std::size_t least = wrong.size() / 3 + 1;
  std::string_view best;
  for (const std::string_view name : names) {
    if (name.size() > kLongestName || name == wrong) continue;
    const std::size_t distance = edit_distance(wrong, name);
    if (distance < least) {
      least = distance;
      best = name;
    }
  }
  if (best.empty()) return {};
  return ", did you mean '" + std::string(best) + "'?";
}

}  // namespace berth::cel
