#include "engine/world/cards.h"

#include <algorithm>
#include <limits>

namespace berth::engine {

bool CardGroup::accepts(const CardRequest& request) const {
  return request.products.empty() || std::ranges::binary_search(request.products, product);
}

CardGroup::Share CardGroup::share_of(const CardRequest& request) const {
  __extension__ using Wide = __int128;
  constexpr Wide kExactPerCard = Wide{kMilliPerCard} * kMillionthsPerMilli;
  Share share{.milli = request.milli, .millionths = request.millionths, .memory_bytes = request.memory_bytes};
  if (memory_bytes <= 0) return share;
  if (share.milli == 0) {
    const Wide milli = Wide{request.memory_bytes} * kMilliPerCard / memory_bytes;
    share.milli = static_cast<std::int32_t>(std::clamp<Wide>(milli, 1, kMilliPerCard));
  }
  if (share.memory_bytes == 0) {
    share.memory_bytes = static_cast<std::int64_t>(Wide{memory_bytes} * share.exact() / kExactPerCard);
  }
  return share;
}

bool CardGroup::has_room(const CardRequest& request) const {
  if (request.whole()) return whole_free >= request.count;
  if (memory_free.empty() && request.count == 1 && request.millionths == 0) return largest_free >= request.milli;
  const Share share = share_of(request);
  std::int32_t enough = 0;
  for (std::size_t card = 0; card < free.size() && enough < request.count; ++card) enough += holds(card, share) ? 1 : 0;
  return enough >= request.count;
}

bool CardGroup::enough_in_sum(const CardRequest& request) const {
  std::int64_t missing = request.count * Share{request.milli, request.millionths, 0}.exact();
  for (std::size_t card = 0; card < free.size(); ++card) missing -= std::max<std::int64_t>(exact_free(card), 0);
  return missing <= 0;
}

std::int64_t CardGroup::shares_left(const CardRequest& request) const {
  const Share share = share_of(request);
  std::int64_t result = 0;
  for (std::size_t card = 0; card < free.size(); ++card) {
    std::int64_t most = std::numeric_limits<std::int32_t>::max();
    if (share.exact() > 0) most = std::min(most, std::max<std::int64_t>(exact_free(card), 0) / share.exact());
    if (!memory_free.empty() && share.memory_bytes > 0)
      most = std::min<std::int64_t>(most, std::max<std::int64_t>(memory_free[card], 0) / share.memory_bytes);
    result += most;
  }
  return result;
}

CardAssignment CardGroup::choose(const CardRequest& request, std::int32_t wanted_card) const {
  const Share share = share_of(request);
  CardAssignment result{.resource = request.resource,
                        .milli = share.milli,
                        .millionths = share.millionths,
                        .cards = {},
                        .memory_bytes = share.memory_bytes};
  if (request.whole()) {
    // A pod that runs may claim to have more cards than its node, by any amount.
    result.cards.reserve(std::min(static_cast<std::size_t>(request.count), free.size()));
    for (std::size_t i = 0; i < free.size() && result.cards.size() < static_cast<std::size_t>(request.count); ++i) {
      if (free[i] == kMilliPerCard) result.cards.push_back(static_cast<std::uint16_t>(i));
    }
    return result;
  }
  // Policies know whole milli only, and no memory.
  if (wanted_card >= 0 && request.count == 1 && holds(static_cast<std::size_t>(wanted_card), share)) {
    result.cards.push_back(static_cast<std::uint16_t>(wanted_card));
    return result;
  }
  // Where memory is what is asked, the tightest is that with least of it.
  const bool by_memory = request.memory_bytes > 0 && !memory_free.empty();
  const auto room = [&](std::size_t card) { return by_memory ? memory_free[card] : exact_free(card); };
  for (std::int32_t n = 0; n < request.count; ++n) {
    std::size_t best = free.size();
    for (std::size_t i = 0; i < free.size(); ++i) {
      const bool chosen = std::ranges::find(result.cards, i) != result.cards.end();
      if (!chosen && holds(i, share) && (best == free.size() || room(i) < room(best))) best = i;
    }
    if (best == free.size()) break;  // a pod that runs may claim to have any number of shares
    result.cards.push_back(static_cast<std::uint16_t>(best));
  }
  std::ranges::sort(result.cards);
  return result;
}

void CardGroup::change(const CardAssignment& assignment, int sign) {
  for (const std::uint16_t card : assignment.cards) {
    if (card >= free.size()) continue;
    free[card] += sign * assignment.milli;
    if (assignment.millionths > 0) {
      if (millionths.empty()) millionths.resize(free.size());
      std::int32_t& besides = millionths[card];
      besides += sign * assignment.millionths;
      const std::int32_t carried = besides < 0 ? -1 : besides >= kMillionthsPerMilli ? 1 : 0;
      besides -= carried * kMillionthsPerMilli;
      free[card] += carried;
    }
    if (!memory_free.empty()) memory_free[card] += sign * assignment.memory_bytes;
  }
  whole_free = static_cast<std::int32_t>(std::ranges::count(free, kMilliPerCard));
  largest_free = free.empty() ? 0 : *std::ranges::max_element(free);
}

}  // namespace berth::engine
