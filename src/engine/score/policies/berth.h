// Berth's own policy: a pod goes where it takes least from the workload that keeps coming.
//
// A node's free room has a value in milli-GPU, which depends on the room alone (CPU, card by card, product):
//
//   value = 2 times what it earns at prices that balance the expected pods with the room for them (shape_prices.h)
//           - half of what would stay unused if only the expected workload came to this node (expected_fill.h)
//           + 3/20 of what its places for the expected shapes are worth in this cluster, now (scarcity.h)
//
// Where pods leave again it also has what may come of its cards that are not free: 2,000 milli-GPU for each card of the
// node, less a fifth for each card that somebody uses, times the part of the GPU that started of late and has been
// given back since. The fewer cards are used, the sooner the node is whole, so pods go where cards are in use already,
// and nodes that are nearly empty are left to become so: nothing else would ever start a pod that wants a whole node
// while small ones keep coming. Where nothing leaves, nothing will become whole, and the term is not there.
//
// A pod's score on a node is the value of the room it leaves behind minus the value of the room it finds. A share
// tries every card, up to 16 different rests, the tightest first. The first term sees the cluster: the small shares
// that would fill a rest are too few for the rests of all nodes, so a rest is worth what somebody will come for. The
// second sees the order in which pods come, which is not the order of the best packing. The third sees who has few
// places left, so that sought-after products and nodes with eight free cards are kept for those who need them.
//
// Equal scores: the node with less free GPU, then with less free CPU; what is still equal is equal. So the order of
// nodes matters to nodes with the same room alone, and names never.
//
// A node without cards has no room: there a pod without cards takes nothing from anybody, which counts as much as ten
// GPUs, and is why other wishes decide between such nodes.
// Shares of several cards take the tightest cards that suffice.
//
// All arithmetic is in integers. Rooms are numbered; their values, and which rooms a pod may leave behind in which, are
// remembered, so that other worths of places cost one sum per room. A run of openb meets about 80,000 rooms.
// Derivation, rejected attempts and measurements: docs/berth-policy.md.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "engine/score/expected_fill.h"
#include "engine/score/fragmentation.h"
#include "engine/score/placement_policy.h"
#include "engine/score/scarcity.h"
#include "engine/score/shape_prices.h"
#include "engine/world/sequence_interner.h"

namespace berth::engine {

// Remembers values while it is asked, so one object serves one engine and one thread.
class BerthPolicy final : public PlacementPolicy {
 public:
  explicit BerthPolicy(TargetWorkload target);

  [[nodiscard]] PolicyScore score(const ShapeView& shape, const NodeView& node) const override;
  [[nodiscard]] std::uint64_t revision() const override { return revision_; }
  [[nodiscard]] bool packs_devices() const override { return true; }
  [[nodiscard]] std::int64_t unit() const override;  // a tenth of a GPU
  [[nodiscard]] bool replaces_load_scores() const override { return true; }

  // Prices and the worth of places follow the cluster: weigh() is due when the free GPU has changed by a 16th, and
  // by a 1024th of all GPU, since the last.
  [[nodiscard]] bool is_due(std::int64_t free_milli) const;
  void weigh(std::span<const NodeView> nodes);

  // Another workload is expected from now on; weigh() is due at once.
  void expect(TargetWorkload target);
  [[nodiscard]] const TargetWorkload& expected() const { return expected_->target; }

  // As if made anew for what is expected, when pods with so much GPU have started of late and left: weigh() is due.
  void restart(std::int64_t started, std::int64_t left);

  // Pods start and leave with so much GPU. weigh() looks at the last ones that together filled the cluster once or
  // twice.
  void pod_started(std::int64_t milli) { started_ += milli; }
  void pod_left(std::int64_t milli) { left_ += milli; }

 private:
  struct Expectation {
    explicit Expectation(TargetWorkload workload);
    TargetWorkload target;
    ExpectedFill fill;
    Scarcity scarcity;
    ShapePrices prices;
  };
  struct RoomValue {
    std::int64_t unfilled = 0;
    std::int64_t value = 0;      // in 1 / kUnit milli-GPU
    std::uint64_t revision = 0;  // of value
  };
  // What a pod may leave behind: one room per choice of a card.
  struct Successor {
    std::uint32_t room = 0;
    std::int32_t found = 0;  // milli free on the card it takes a share of; 0 where it takes none
  };
  struct Range {
    std::size_t begin = 0;
    std::size_t end = 0;
  };

  // `cards` ascends.
  [[nodiscard]] std::uint32_t room(Amount free_cpu, std::span<const std::int32_t> cards, ProductId product) const;
  [[nodiscard]] std::int64_t value(std::uint32_t room) const;
  [[nodiscard]] Range successors(std::uint32_t before, const ShapeView& shape, const NodeView& node) const;
  void forget_rooms() const;
  [[nodiscard]] std::vector<NodeView> different(std::span<const NodeView> nodes);

  std::unique_ptr<Expectation> expected_;
  std::uint64_t revision_ = 1;
  std::int64_t started_ = 0;                   // milli-GPU, of late
  std::int64_t left_ = 0;                      // of that
  std::int64_t leaving_ = 0;                   // left_ of started_ at the last weigh(), in kLeavingParts
  std::int64_t weighed_free_ = -1;             // milli-GPU at the last weigh(); -1: never
  std::int64_t weighed_all_ = 0;               // free or not, at that time
  mutable SequenceInterner rooms_;             // CPU, product, cards
  mutable std::size_t kept_cards_ = 0;         // of all rooms_
  mutable std::vector<RoomValue> values_;      // by room
  mutable std::vector<std::uint16_t> places_;  // by room, one per shape of the target
  mutable SequenceInterner steps_;             // room before, CPU and cards that a pod takes
  mutable std::vector<Range> ranges_;          // by step: positions in successors_
  mutable std::vector<Successor> successors_;
  mutable std::vector<std::int64_t> key_;    // scratch
  mutable std::vector<std::int32_t> cards_;  // scratch
};

}  // namespace berth::engine
