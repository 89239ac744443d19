#include "controllers/index_set.h"

#include <algorithm>
#include <utility>

#include "base/whole_number.h"

namespace berth::controllers {

std::optional<IndexSet> IndexSet::parse(std::string_view text) {
  IndexSet result;
  while (!text.empty()) {
    const std::string_view part = text.substr(0, text.find(','));
    const std::size_t dash = part.find('-');
    const auto first = whole_number<std::int64_t>(part.substr(0, dash), 0);
    const auto last = dash == std::string_view::npos ? first : whole_number<std::int64_t>(part.substr(dash + 1), 0);
    if (!first || !last || *last < *first) return std::nullopt;
    if (!result.ranges_.empty() && *first <= result.ranges_.back().last) return std::nullopt;
    result.ranges_.push_back({*first, *last});
    text.remove_prefix(part.size());
    if (text.starts_with(',')) {
      text.remove_prefix(1);
      if (text.empty()) return std::nullopt;
    }
  }
  return result;
}

IndexSet IndexSet::of(std::vector<std::int64_t> indexes) {
  std::ranges::sort(indexes);
  IndexSet result;
  for (const std::int64_t index : indexes)
    if (result.ranges_.empty() || result.ranges_.back().last < index) result.ranges_.push_back({index, index});
  return result;
}

void IndexSet::insert(std::int64_t index) {
  if (contains(index)) return;
  const auto after = std::ranges::upper_bound(ranges_, index, {}, &Range::first);
  ranges_.insert(after, Range{index, index});
}

void IndexSet::insert(const IndexSet& other) {
  std::vector<Range> all = std::exchange(ranges_, {});
  all.insert(all.end(), other.ranges_.begin(), other.ranges_.end());
  std::ranges::sort(all, {}, &Range::first);
  for (const Range& range : all) {
    if (!ranges_.empty() && range.first <= ranges_.back().last) {
      ranges_.back().last = std::max(ranges_.back().last, range.last);
    } else {
      ranges_.push_back(range);
    }
  }
}

bool IndexSet::contains(std::int64_t index) const {
  const auto after = std::ranges::upper_bound(ranges_, index, {}, &Range::first);
  return after != ranges_.begin() && std::prev(after)->last >= index;
}

std::int64_t IndexSet::next_missing(std::int64_t from) const {
  auto range = std::ranges::upper_bound(ranges_, from, {}, &Range::first);
  if (range != ranges_.begin()) --range;
  for (; range != ranges_.end() && range->first <= from; ++range) {
    if (range->last >= from) from = range->last + 1;
  }
  return from;
}

std::int64_t IndexSet::count_below(std::int64_t end) const {
  std::int64_t count = 0;
  for (const Range& range : ranges_) {
    if (range.first >= end) break;
    count += std::min(range.last, end - 1) - range.first + 1;
  }
  return count;
}

std::int64_t IndexSet::count_common(const IndexSet& other, std::int64_t end) const {
  std::int64_t count = 0;
  auto mine = ranges_.begin();
  auto theirs = other.ranges_.begin();
  while (mine != ranges_.end() && theirs != other.ranges_.end()) {
    const std::int64_t first = std::max(mine->first, theirs->first);
    const std::int64_t last = std::min({mine->last, theirs->last, end - 1});
    count += std::max<std::int64_t>(last - first + 1, 0);
    if (mine->last < theirs->last) {
      ++mine;
    } else {
      ++theirs;
    }
  }
  return count;
}

}  // namespace berth::controllers
