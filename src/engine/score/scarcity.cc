#include "engine/score/scarcity.h"

#include <algorithm>
#include <limits>

namespace berth::engine {
namespace {

std::int64_t places_of(const TargetShape& shape, Amount free_cpu, std::span<const std::int32_t> card_free) {
  std::int64_t by_cards = 0;
  if (shape.card_milli < kMilliPerCard) {
    // Cards that stand together are often equal, above all where there are many.
    for (auto card = card_free.begin(); card != card_free.end();) {
      const auto other = std::find_if(card, card_free.end(), [&](std::int32_t free) { return free != *card; });
      by_cards += (other - card) * (*card / shape.card_milli);
      card = other;
    }
  } else {
    by_cards = std::ranges::count(card_free, kMilliPerCard) / shape.card_count;
  }
  return shape.cpu > 0 ? std::min(by_cards, free_cpu / shape.cpu) : by_cards;
}

}  // namespace

Scarcity::Scarcity(const TargetWorkload& target) : target_(target), worth_(target.shapes().size(), 0) {}

void Scarcity::append_places(Amount free_cpu, std::span<const std::int32_t> card_free, ProductId product,
                             std::vector<std::uint16_t>& places) const {
  constexpr std::int64_t kMost = std::numeric_limits<std::uint16_t>::max();
  const std::span<const std::uint8_t> acceptable = target_.acceptable(product);
  for (std::size_t i = 0; i < worth_.size(); ++i) {
    const TargetShape& shape = target_.shapes()[i];
    const bool possible = shape.card_count > 0 && acceptable[i] != 0;
    places.push_back(possible ? static_cast<std::uint16_t>(std::min(kMost, places_of(shape, free_cpu, card_free))) : 0);
  }
}

void Scarcity::weigh(std::span<const NodeView> nodes) {
  std::vector<std::int64_t> all(worth_.size(), 0);
  std::vector<std::uint16_t> places;
  std::int64_t free = 0;
  for (const NodeView& node : nodes) {
    places.clear();
    append_places(node.free_cpu, node.card_free, node.product, places);
    for (std::size_t i = 0; i < places.size(); ++i) all[i] += places[i] * node.nodes;
    for (const std::int32_t milli : node.card_free) free += milli * node.nodes;
  }
  const auto asked = [](const TargetShape& shape) { return shape.count * shape.card_count * shape.card_milli; };
  std::int64_t asked_by_all = 0;
  for (const TargetShape& shape : target_.shapes()) asked_by_all += asked(shape);
  __extension__ using Wide = __int128;
  for (std::size_t i = 0; i < worth_.size(); ++i) {
    // A shape without places loses none.
    worth_[i] = all[i] == 0 ? 0
                            : static_cast<std::int64_t>(static_cast<Wide>(kUnit) * asked(target_.shapes()[i]) * free /
                                                        (static_cast<Wide>(asked_by_all) * all[i]));
  }
}

std::int64_t Scarcity::worth(std::span<const std::uint16_t> places) const {
  std::int64_t sum = 0;
  for (std::size_t i = 0; i < places.size(); ++i) sum += worth_[i] * places[i];
  return sum;
}

}  // namespace berth::engine
