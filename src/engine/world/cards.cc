#include "engine/world/cards.h"

#include <algorithm>

namespace berth::engine {

bool CardGroup::accepts(const CardRequest& request) const {
  return request.products.empty() || std::ranges::binary_search(request.products, product);
}

CardAssignment CardGroup::choose(const CardRequest& request, std::int32_t wanted_card) const {
  CardAssignment result{.resource = request.resource, .milli = request.milli, .cards = {}};
  if (request.milli == kMilliPerCard) {
    result.cards.reserve(static_cast<std::size_t>(request.count));
    for (std::size_t i = 0; i < free.size() && result.cards.size() < static_cast<std::size_t>(request.count); ++i) {
      if (free[i] == kMilliPerCard) result.cards.push_back(static_cast<std::uint16_t>(i));
    }
    return result;
  }
  if (wanted_card >= 0) {
    result.cards.push_back(static_cast<std::uint16_t>(wanted_card));
    return result;
  }
  std::size_t best = free.size();
  for (std::size_t i = 0; i < free.size(); ++i) {
    if (free[i] >= request.milli && (best == free.size() || free[i] < free[best])) best = i;
  }
  if (best != free.size()) result.cards.push_back(static_cast<std::uint16_t>(best));
  return result;
}

void CardGroup::change(const CardAssignment& assignment, std::int32_t delta) {
  for (const std::uint16_t card : assignment.cards) {
    if (card < free.size()) free[card] += delta;
  }
  whole_free = static_cast<std::int32_t>(std::ranges::count(free, kMilliPerCard));
  largest_free = free.empty() ? 0 : *std::ranges::max_element(free);
}

}  // namespace berth::engine
