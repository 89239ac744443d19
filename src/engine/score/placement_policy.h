// PlacementPolicy: a score that sees one node's free room and one shape, and may choose the cards as well.
//
// This is the interface of the openb policies (random, dotprod, clustering, packing, bestfit, fgd) and of Berth's own.
// The answer depends on (shape, node state) alone, so the engine remembers it per pair and asks once. Its
// owner may change a policy between decisions, and revision() then tells the engine to ask again.
#pragma once

#include <cstdint>
#include <span>

#include "engine/ids.h"
#include "engine/input.h"

namespace berth::engine {

// See kPodKindCount.
[[nodiscard]] constexpr std::size_t pod_kind(std::int32_t card_count, std::int32_t card_milli) {
  if (card_count <= 0) return kNoCardKind;
  if (card_milli < kMilliPerCard) return 0;
  return card_count < 8 ? static_cast<std::size_t>(card_count) : 8;
}

// What a policy may look at. Spans are valid during the call only.
struct NodeView {
  Amount free_cpu = 0;     // milli
  Amount free_memory = 0;  // bytes
  Amount allocatable_cpu = 0;
  Amount allocatable_memory = 0;
  std::span<const std::int32_t> card_free;  // milli per card, in card order
  ProductId product;                        // of the cards; none on a node without
  std::int32_t card_milli = 0;  // what a share by memory takes of each card here; 0 where the shape says it in milli
  std::int64_t nodes = 1;       // that look like this, where many are shown at once
  // How many pods of each kind run here: 0 share of a card, 1..8 whole cards (index = count, 8 also for more), 9 no
  // card.
  std::span<const std::uint16_t> pods_by_kind;
};

struct ShapeView {
  Amount cpu = 0;
  Amount memory = 0;
  std::int32_t card_count = 0;
  std::int32_t card_milli = 0;          // per card; below 1000 only with card_count == 1
  std::span<const ProductId> products;  // acceptable; empty: any
};

struct PolicyScore {
  std::int64_t value = 0;  // higher is better; any range
  std::int32_t card = -1;  // for a share: the card to use; -1: the engine's rule (tightest card that suffices)
};

class PlacementPolicy {
 public:
  virtual ~PlacementPolicy() = default;
  // Called for nodes on which the shape fits.
  [[nodiscard]] virtual PolicyScore score(const ShapeView& shape, const NodeView& node) const = 0;
  // Moves on when answers given earlier no longer hold.
  [[nodiscard]] virtual std::uint64_t revision() const { return 0; }
  // True if pods_by_kind reaches the score: then it becomes part of the state under which answers are remembered.
  [[nodiscard]] virtual bool reads_pod_kinds() const { return false; }
  // True if of a pod that asks for devices through claims alone their packing is the score (devices/value.h), and
  // score() is not called.
  [[nodiscard]] virtual bool packs_devices() const { return false; }
  // So much of value is a point of the other scores of a profile, and of the packing of devices.
  [[nodiscard]] virtual std::int64_t unit() const { return 1; }
  // True if the scores that spread or pack CPU and memory are left out for pods with cards.
  [[nodiscard]] virtual bool replaces_load_scores() const { return false; }
  // True if score() ignores the node and any feasible node will do, drawn at random per pod (the Random policy).
  [[nodiscard]] virtual bool random_choice() const { return false; }
};

}  // namespace berth::engine
