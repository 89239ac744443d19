#include "reference/cards.h"

#include <algorithm>

#include "reference/requests.h"

namespace berth::reference {
namespace {

std::int64_t asked_milli(const api::Pod& pod) {
  const auto held = held_requests(pod);
  const auto found = held.find(kCardResource);
  return found == held.end() ? 0 : found->second;
}

}  // namespace

std::vector<std::int64_t> free_cards(const NodeState& state) {
  const std::int64_t count = std::max<std::int64_t>(allocatable(*state.node, kCardResource) / 1000, 0);
  std::vector<std::int64_t> free(static_cast<std::size_t>(count), 1000);
  for (const PlacedPod& placed : state.pods) {
    const std::int64_t share = card_share(*placed.pod);
    for (const std::size_t card : placed.cards) free[card] -= share > 0 ? share : 1000;
  }
  return free;
}

bool cards_fit(const NodeState& state, const api::Pod& pod) {
  const std::int64_t asked = asked_milli(pod);
  if (asked <= 0) return true;
  const std::vector<std::int64_t> free = free_cards(state);
  if (card_share(pod) > 0) return std::ranges::any_of(free, [&](std::int64_t milli) { return milli >= asked; });
  return std::ranges::count(free, 1000) * 1000 >= asked;
}

std::vector<std::size_t> choose_cards(const NodeState& state, const api::Pod& pod) {
  const std::int64_t asked = asked_milli(pod);
  if (asked <= 0) return {};
  const std::vector<std::int64_t> free = free_cards(state);
  std::vector<std::size_t> chosen;
  if (card_share(pod) > 0) {
    for (std::size_t card = 0; card < free.size(); ++card) {
      if (free[card] < asked) continue;
      if (chosen.empty()) {
        chosen = {card};
      } else if (free[card] < free[chosen.front()]) {
        chosen.front() = card;
      }
    }
    return chosen;
  }
  for (std::size_t card = 0; card < free.size() && static_cast<std::int64_t>(chosen.size()) * 1000 < asked; ++card) {
    if (free[card] == 1000) chosen.push_back(card);
  }
  return chosen;
}

}  // namespace berth::reference
