// The cards of a cluster as plain books: what is in use on each, what fits where, what is free and of use to whom. It
// knows nothing of the engine and checks what the engine does.
//
// A card is in one mode at a time: cut into partitions, or one device of which pods have shares. A whole card is a
// share of all of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "sim/mixed/asks.h"

namespace berth::sim::mixed {

struct CardState {
  enum class Mode : std::uint8_t { kFree, kCut, kShared };
  Mode mode = Mode::kFree;
  mig::Mask slices = 0;     // kCut
  int multiprocessors = 0;  // taken
  int memory = 0;           // kShared: taken GiB
  int holders = 0;
  auto operator<=>(const CardState&) const = default;
};

// Where a partition can start on a card of the product; {0} for all else that the product serves.
[[nodiscard]] std::span<const int> starts(const Ask& ask, Card product);
// One card of what is asked for, from the start on.
[[nodiscard]] bool can_take(const CardState& card, Card product, const Ask& ask, int start);
void take(CardState& card, Card product, const Ask& ask, int start);
void give_back(CardState& card, Card product, const Ask& ask, int start);
// In thousandths of the card: what is left of multiprocessors and memory, the smaller part.
[[nodiscard]] std::int64_t free_part(const CardState& card, Card product);

// Nodes of equal cards: first those with A100, then those with H100.
struct Layout {
  int a100_nodes = 4;
  int h100_nodes = 4;
  int per_node = 8;
  [[nodiscard]] int nodes() const { return a100_nodes + h100_nodes; }
  [[nodiscard]] int cards() const { return nodes() * per_node; }
  [[nodiscard]] Card product_of(int node) const { return node < a100_nodes ? Card::kA100 : Card::kH100; }
};

// A card, by its number through all nodes, and the start there.
struct Piece {
  int card = 0;
  int start = 0;
  auto operator<=>(const Piece&) const = default;
};
using Placement = std::vector<Piece>;  // as many as the ask has cards, all on one node

class Cards {
 public:
  explicit Cards(const Layout& layout) : layout_(layout), cards_(static_cast<std::size_t>(layout.cards())) {}

  // False, and nothing changed, if the placement overdraws a card or leaves the node.
  [[nodiscard]] bool take(const Ask& ask, const Placement& placement);
  void give_back(const Ask& ask, const Placement& placement);

  [[nodiscard]] const Layout& layout() const { return layout_; }
  [[nodiscard]] int node_of(int card) const { return card / layout_.per_node; }
  [[nodiscard]] Card product_of(int card) const { return layout_.product_of(node_of(card)); }
  [[nodiscard]] const CardState& operator[](int card) const { return cards_[static_cast<std::size_t>(card)]; }
  [[nodiscard]] bool fits(const Ask& ask, int card) const;  // one card of it

  [[nodiscard]] int holders() const;  // a pod counts on each of its cards
  [[nodiscard]] int whole() const;    // cards that nobody uses
  [[nodiscard]] int whole_on(int node) const;
  [[nodiscard]] std::int64_t free() const;  // thousandths of a card
  // Free, and of no use to the ask as it stands: on cards that cannot take it, or, where it wants several, on nodes
  // that do not have as many.
  [[nodiscard]] std::int64_t useless_to(const Ask& ask) const;
  // The same for the next ask, as it is drawn on average; times total_often(). O(asks x cards).
  [[nodiscard]] std::int64_t useless() const;

 private:
  Layout layout_;
  std::vector<CardState> cards_;
};

}  // namespace berth::sim::mixed
