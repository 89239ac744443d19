#include "sim/mixed/cards.h"

#include <algorithm>
#include <array>
#include <bit>

namespace berth::sim::mixed {
namespace {

const mig::Profile& profile_of(const Ask& ask, Card product) {
  return mig::profiles()[*ask.profile[static_cast<std::size_t>(product)]];
}

int multiprocessors_of(const Ask& ask, Card product) {
  switch (ask.kind) {
    case Kind::kPartition:
      return profile_of(ask, product).multiprocessors[static_cast<std::size_t>(product)];
    case Kind::kShare:
      return ask.multiprocessors;
    case Kind::kCard:
    case Kind::kCards:
      return mig::multiprocessors(product);
  }
  return 0;
}

int memory_of(const Ask& ask, Card product) { return ask.kind == Kind::kShare ? ask.memory : memory_gib(product); }

}  // namespace

std::span<const int> starts(const Ask& ask, Card product) {
  static constexpr std::array kZero = {0};
  if (!ask.served_by(product)) return {};
  if (ask.kind != Kind::kPartition) return kZero;
  return profile_of(ask, product).starts;
}

bool can_take(const CardState& card, Card product, const Ask& ask, int start) {
  if (!ask.served_by(product)) return false;
  if (card.multiprocessors + multiprocessors_of(ask, product) > mig::multiprocessors(product)) return false;
  if (ask.kind == Kind::kPartition) {
    return card.mode != CardState::Mode::kShared && (card.slices & profile_of(ask, product).mask(start)) == 0;
  }
  return card.mode != CardState::Mode::kCut && card.memory + memory_of(ask, product) <= memory_gib(product);
}

void take(CardState& card, Card product, const Ask& ask, int start) {
  card.multiprocessors += multiprocessors_of(ask, product);
  ++card.holders;
  if (ask.kind == Kind::kPartition) {
    card.mode = CardState::Mode::kCut;
    card.slices |= profile_of(ask, product).mask(start);
  } else {
    card.mode = CardState::Mode::kShared;
    card.memory += memory_of(ask, product);
  }
}

void give_back(CardState& card, Card product, const Ask& ask, int start) {
  card.multiprocessors -= multiprocessors_of(ask, product);
  if (ask.kind == Kind::kPartition) {
    card.slices &= static_cast<mig::Mask>(~profile_of(ask, product).mask(start));
  } else {
    card.memory -= memory_of(ask, product);
  }
  if (--card.holders == 0) card.mode = CardState::Mode::kFree;
}

std::int64_t free_part(const CardState& card, Card product) {
  const std::int64_t processors = mig::multiprocessors(product) - card.multiprocessors;
  const std::int64_t by_processors = processors * kMilli / mig::multiprocessors(product);
  const std::int64_t by_memory =
      card.mode == CardState::Mode::kCut
          ? static_cast<std::int64_t>(mig::kSlices - std::popcount(card.slices)) * kMilli / mig::kSlices
          : static_cast<std::int64_t>(memory_gib(product) - card.memory) * kMilli / memory_gib(product);
  return std::min(by_processors, by_memory);
}

bool Cards::take(const Ask& ask, const Placement& placement) {
  if (std::ssize(placement) != ask.cards) return false;
  for (std::size_t i = 0; i < placement.size(); ++i) {
    const int card = placement[i].card;
    if (node_of(card) != node_of(placement.front().card)) return false;
    if (!can_take((*this)[card], product_of(card), ask, placement[i].start)) return false;
    for (std::size_t j = 0; j < i; ++j) {
      if (placement[j].card == card) return false;
    }
  }
  for (const Piece& piece : placement)
    mixed::take(cards_[static_cast<std::size_t>(piece.card)], product_of(piece.card), ask, piece.start);
  return true;
}

void Cards::give_back(const Ask& ask, const Placement& placement) {
  for (const Piece& piece : placement)
    mixed::give_back(cards_[static_cast<std::size_t>(piece.card)], product_of(piece.card), ask, piece.start);
}

bool Cards::fits(const Ask& ask, int card) const {
  const Card product = product_of(card);
  return std::ranges::any_of(starts(ask, product),
                             [&](int start) { return can_take((*this)[card], product, ask, start); });
}

int Cards::holders() const {
  int sum = 0;
  for (const CardState& card : cards_) sum += card.holders;
  return sum;
}

int Cards::whole() const { return static_cast<int>(std::ranges::count(cards_, CardState{})); }

int Cards::whole_on(int node) const {
  const auto first = cards_.begin() + static_cast<std::ptrdiff_t>(node) * layout_.per_node;
  return static_cast<int>(std::count(first, first + layout_.per_node, CardState{}));
}

std::int64_t Cards::free() const {
  std::int64_t sum = 0;
  for (int card = 0; card < layout_.cards(); ++card) sum += free_part((*this)[card], product_of(card));
  return sum;
}

std::int64_t Cards::useless_to(const Ask& ask) const {
  std::int64_t sum = 0;
  for (int node = 0; node < layout_.nodes(); ++node) {
    const bool enough = ask.cards == 1 || whole_on(node) >= ask.cards;
    for (int card = node * layout_.per_node; card < (node + 1) * layout_.per_node; ++card) {
      if (!enough || !fits(ask, card)) sum += free_part((*this)[card], product_of(card));
    }
  }
  return sum;
}

std::int64_t Cards::useless() const {
  std::int64_t sum = 0;
  for (const Ask& ask : asks()) sum += ask.often * useless_to(ask);
  return sum;
}

}  // namespace berth::sim::mixed
