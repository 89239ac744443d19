// What the expected pods have to pay for free cards: prices that balance what is expected with what fits.
//
// A linear program divides the free cards of the cluster among the expected pods: as much GPU as possible is used, no
// shape more often than it comes, if all free GPU is asked for in the workload's proportions. Its dual has a price per
// shape, which is what one more pod of the shape would add. Small shares, which fill what others leave, come too seldom
// for all the rests there are: they cost what they use, so a rest that only they could fill is worth nothing. What
// comes in plenty costs nothing, so room for it is worth all it has. What a room earns is the most that pods can use of
// it beyond their prices; it tells a rest that somebody will come for from one that nobody will.
//
// CPU has a price of its own on every node: the lowest bill, over a row of prices from nothing to a quarter of a GPU
// per core, of the room's CPU and what its cards earn when pods pay for CPU, too. That is the dual of packing one node,
// so free CPU counts where it will be missing and nowhere else.
//
// Prices are found by rounds: each room takes its best packing, and the price of what is then used too often rises, of
// what is used too seldom falls. They settle at first, and follow the cluster in a few rounds at a time.
//
// A card counts by hundredths, free room rounded down and shares up. Shapes that want shares of several cards are left
// out. Derivation: docs/berth-policy.md.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "engine/score/fragmentation.h"
#include "engine/score/placement_policy.h"

namespace berth::engine {

class ShapePrices {
 public:
  // The target must outlive this. Nothing earns anything before the first settle().
  explicit ShapePrices(const TargetWorkload& target);

  // As if made anew.
  void restart();

  // Follows the free room of all nodes. O(rounds * (cards + products * shapes * 1000)).
  void settle(std::span<const NodeView> nodes);

  // What a node with this free room earns, in 1 / kUnit milli-GPU. O(cards).
  static constexpr std::int64_t kUnit = 1024;
  [[nodiscard]] std::int64_t earnings(Amount free_cpu, std::span<const std::int64_t> card_free,
                                      ProductId product) const;

  [[nodiscard]] std::span<const std::int64_t> prices() const { return prices_; }  // by shape, in 1 / kUnit milli-GPU

 private:
  static constexpr std::size_t kCells = 100;        // of a card
  static constexpr std::size_t kMostTogether = 16;  // whole cards that one table knows; more are several times as many
  // In 1 / kUnit milli-GPU for a milli of CPU.
  static constexpr std::array<std::int64_t, 8> kCpuPrices = {0, 4, 8, 16, 32, 64, 128, 256};

  struct Item {
    std::size_t shape = 0;
    std::size_t size = 0;  // cells, or whole cards
    Amount cpu = 0;
    std::int64_t net = 0;  // what is left of what a pod uses when it has paid
  };
  // What cards of one product earn at one price of CPU, and how many there are of them.
  struct Table {
    std::array<std::int64_t, kCells + 1> card{};          // by free cells
    std::array<std::int64_t, kMostTogether + 1> whole{};  // by number of whole free cards on a node
    std::array<std::int64_t, kCells + 1> cards{};
    std::array<std::int64_t, kMostTogether + 1> nodes{};
  };
  struct Market {
    ProductId product;
    std::vector<Item> shares;
    std::vector<Item> wholes;
    bool has_rooms = false;
    std::array<Table, kCpuPrices.size()> tables;  // by price of CPU
  };
  struct Room {
    std::size_t market = 0;  // position in markets_
    Amount cpu = 0;
    std::vector<std::int64_t> card_free;  // milli
    std::int64_t nodes = 1;
  };
  struct Bill {
    std::int64_t amount = 0;
    std::size_t cpu_price = 0;  // position in kCpuPrices
  };
  [[nodiscard]] static Market make_market(const TargetWorkload& target, ProductId product);
  [[nodiscard]] std::size_t market_of(ProductId product) const;  // position in markets_
  [[nodiscard]] static Bill lowest_bill(const Market& market, Amount free_cpu, std::span<const std::int64_t> card_free);
  void set_nets(Market& market, std::size_t cpu_price) const;
  void appraise(bool everywhere);
  void count_rooms(std::span<const Room> rooms);
  void count_used();
  void count_used(const Market& market, const Table& table);
  [[nodiscard]] bool move_prices(std::int64_t step);

  const TargetWorkload& target_;
  std::int64_t asked_by_all_ = 0;  // milli-GPU of the whole target
  std::int64_t free_ = 0;          // milli-GPU of the cluster
  bool settled_ = false;
  std::vector<std::int64_t> most_;    // by shape: what a pod uses, in 1 / kUnit milli-GPU
  std::vector<std::int64_t> prices_;  // by shape, at most most_
  std::vector<std::int64_t> used_;    // by shape: pods in the best packings
  std::vector<Market> markets_;       // of every product that some shape names, ascending; last, of any other
};

}  // namespace berth::engine
