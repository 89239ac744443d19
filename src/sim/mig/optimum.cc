#include "sim/mig/optimum.h"

#include <algorithm>
#include <functional>
#include <map>
#include <utility>

#include <boost/unordered/unordered_flat_set.hpp>

#include "base/sort_unique.h"

namespace berth::sim::mig {
namespace {

using Counts = std::array<int, kProfiles>;

std::int64_t slices_of(const Counts& counts) {
  std::int64_t slices = 0;
  for (std::size_t p = 0; p < kProfiles; ++p) slices += std::int64_t{counts[p]} * profiles()[p].slices;
  return slices;
}

bool is_within(const Counts& counts, const Counts& others) {
  return std::ranges::equal(counts, others, std::ranges::less_equal());
}

// All that a card can serve, profile by profile and start by start.
void fill(Card kind, UsedCard card, std::size_t profile, std::size_t start, Counts& counts,
          std::vector<Counts>& result) {
  if (profile == kProfiles) {
    result.push_back(counts);
    return;
  }
  const Profile& its = profiles()[profile];
  if (start == its.starts.size()) {
    fill(kind, card, profile + 1, 0, counts, result);
    return;
  }
  fill(kind, card, profile, start + 1, counts, result);
  const Mask mask = its.mask(its.starts[start]);
  const int processors = card.multiprocessors + its.multiprocessors[static_cast<std::size_t>(kind)];
  if ((card.slices & mask) != 0 || processors > multiprocessors(kind)) return;
  ++counts[profile];
  fill(kind, {static_cast<Mask>(card.slices | mask), processors}, profile, start + 1, counts, result);
  --counts[profile];
}

// Without those that leave a claim out which another serves besides.
std::vector<Counts> served_by(Card kind, const UsedCard& card) {
  Counts counts{};
  std::vector<Counts> all;
  fill(kind, card, 0, 0, counts, all);
  sort_unique(all, std::greater());
  std::vector<Counts> result;
  for (const Counts& one : all) {
    if (std::ranges::none_of(result, [&](const Counts& other) { return is_within(one, other); })) result.push_back(one);
  }
  return result;
}

std::uint64_t pack(const Counts& counts) {
  std::uint64_t packed = 0;
  for (const int count : counts) packed = packed << 8U | static_cast<std::uint64_t>(count);
  return packed;
}

Counts unpack(std::uint64_t packed) {
  Counts counts{};
  for (std::size_t p = kProfiles; p-- > 0; packed >>= 8U) counts[p] = static_cast<int>(packed & 255U);
  return counts;
}

}  // namespace

std::int64_t most_slices(const Batch& batch, std::int64_t known) {
  std::map<UsedCard, std::vector<Counts>> lists;
  std::vector<const std::vector<Counts>*> cards;
  for (const UsedCard& card : batch.cards) {
    const auto [entry, added] = lists.try_emplace(card);
    if (added) entry->second = served_by(batch.card, card);
    cards.push_back(&entry->second);
  }
  // Cards that can do little come first, while there are few states.
  std::ranges::stable_sort(cards, {}, [](const std::vector<Counts>* list) { return list->size(); });
  std::vector<std::int64_t> rest(cards.size() + 1, 0);  // what the cards from here on can give at most
  for (std::size_t c = cards.size(); c-- > 0;)
    rest[c] = rest[c + 1] + slices_of(*std::ranges::max_element(*cards[c], {}, slices_of));

  const std::int64_t wanted = slices_of(batch.claims);
  boost::unordered_flat_set<std::uint64_t> states = {0};
  for (std::size_t c = 0; c < cards.size() && known < wanted; ++c) {
    boost::unordered_flat_set<std::uint64_t> next;
    for (const std::uint64_t state : states) {
      const Counts served = unpack(state);
      for (const Counts& more : *cards[c]) {
        Counts then;
        for (std::size_t p = 0; p < kProfiles; ++p) then[p] = std::min(served[p] + more[p], batch.claims[p]);
        const std::int64_t slices = slices_of(then);
        known = std::max(known, slices);
        if (std::min(slices + rest[c + 1], wanted) > known) next.insert(pack(then));
      }
    }
    states = std::move(next);
  }
  return known;
}

}  // namespace berth::sim::mig
