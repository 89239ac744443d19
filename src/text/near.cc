#include "text/near.h"

#include <algorithm>
#include <utility>

namespace berth::text {
namespace {

constexpr char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c; }

std::string lowered(std::string_view text) {
  std::string result(text);
  std::transform(result.begin(), result.end(), result.begin(), lower);
  return result;
}

}  // namespace

std::size_t edit_distance(std::string_view a, std::string_view b, std::size_t limit) {
  const std::size_t difference = a.size() > b.size() ? a.size() - b.size() : b.size() - a.size();
  if (difference > limit) return limit + 1;
  std::vector<std::size_t> before(b.size() + 1);
  std::vector<std::size_t> row(b.size() + 1);
  std::vector<std::size_t> next(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    next[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t substitution = row[j - 1] + (lower(a[i - 1]) == lower(b[j - 1]) ? 0 : 1);
      next[j] = std::min({substitution, row[j] + 1, next[j - 1] + 1});
      const bool swapped = i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) && lower(a[i - 2]) == lower(b[j - 1]);
      if (swapped) next[j] = std::min(next[j], before[j - 2] + 1);
    }
    std::swap(before, row);
    std::swap(row, next);
  }
  return std::min(row[b.size()], limit + 1);
}

std::vector<std::string> near_names(std::string_view wanted, std::span<const std::string> known, std::size_t count) {
  constexpr std::size_t kShortestPart = 3;
  const std::size_t limit = std::max<std::size_t>(1, wanted.size() / 3);
  const std::string part = lowered(wanted);
  std::vector<std::pair<std::size_t, std::size_t>> found;  // distance, position
  for (std::size_t i = 0; i < known.size(); ++i) {
    std::size_t distance = edit_distance(wanted, known[i], limit);
    if (distance > 1 && wanted.size() >= kShortestPart && lowered(known[i]).find(part) != std::string::npos)
      distance = 1;
    if (distance <= limit) found.emplace_back(distance, i);
  }
  std::sort(found.begin(), found.end());
  std::vector<std::string> names;
  for (const auto& [distance, position] : found) {
    if (names.size() == count) break;
    if (std::find(names.begin(), names.end(), known[position]) == names.end()) names.push_back(known[position]);
  }
  return names;
}

std::string did_you_mean(std::string_view wanted, std::span<const std::string> known) {
  const std::vector<std::string> names = near_names(wanted, known);
  if (names.empty()) return {};
  std::string text = "Did you mean ";
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i != 0) text += i + 1 == names.size() ? " or " : ", ";
    text += names[i];
  }
  return text + "?";
}

}  // namespace berth::text
