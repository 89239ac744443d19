#include "engine/score/shape_prices.h"

#include <algorithm>

#include "engine/input.h"

namespace berth::engine {
namespace {

constexpr std::int64_t kCellMilli = 10;
constexpr std::int64_t kFirstRounds = 200;
constexpr std::int64_t kLaterRounds = 4;

// How far a price moves in a round if the shape is used twice as often as it comes, in 1024ths of what a pod uses.
constexpr std::int64_t kStepUnit = 1024;
std::int64_t step_of(std::int64_t round, bool first) {
  constexpr std::int64_t kFirstStep = 205;
  constexpr std::int64_t kHalvesAfter = 20;
  constexpr std::int64_t kLaterStep = 31;
  return first ? kFirstStep * kHalvesAfter / (kHalvesAfter + round) : kLaterStep;
}

}  // namespace

ShapePrices::ShapePrices(const TargetWorkload& target)
    : target_(target), prices_(target.shapes().size(), 0), used_(target.shapes().size(), 0) {
  std::vector<ProductId> named;
  for (const TargetShape& shape : target.shapes()) {
    const std::int64_t uses = static_cast<std::int64_t>(shape.card_count) * shape.card_milli;
    asked_by_all_ += shape.count * uses;
    most_.push_back(uses * kUnit);
    named.insert(named.end(), shape.products.begin(), shape.products.end());
  }
  std::ranges::sort(named);
  named.erase(std::unique(named.begin(), named.end()), named.end());
  for (const ProductId product : named) markets_.push_back(make_market(target, product));
  markets_.push_back(make_market(target, kUnnamedProduct));
}

ShapePrices::Market ShapePrices::make_market(const TargetWorkload& target, ProductId product) {
  Market market{.product = product, .shares = {}, .wholes = {}, .tables = {}};
  const std::span<const std::uint8_t> acceptable = target.acceptable(product);
  for (std::size_t i = 0; i < acceptable.size(); ++i) {
    const TargetShape& shape = target.shapes()[i];
    if (acceptable[i] == 0 || shape.card_count == 0) continue;
    if (shape.card_milli >= kMilliPerCard) {
      market.wholes.push_back({i, static_cast<std::size_t>(shape.card_count), shape.cpu, 0});
    } else if (shape.card_count == 1 && shape.card_milli > 0) {
      const std::int64_t cells = (shape.card_milli + kCellMilli - 1) / kCellMilli;
      market.shares.push_back({i, static_cast<std::size_t>(cells), shape.cpu, 0});
    }
  }
  return market;
}

std::size_t ShapePrices::market_of(ProductId product) const {
  const auto named = std::span(markets_).first(markets_.size() - 1);
  const auto known = std::ranges::lower_bound(named, product, {}, &Market::product);
  const bool is_named = known != named.end() && known->product == product;
  return is_named ? static_cast<std::size_t>(known - named.begin()) : named.size();
}

void ShapePrices::set_nets(Market& market, std::size_t cpu_price) const {
  for (std::vector<Item>* items : {&market.shares, &market.wholes}) {
    for (Item& item : *items) {
      item.net = most_[item.shape] - prices_[item.shape] - kCpuPrices[cpu_price] * item.cpu;
    }
  }
}

// What rooms earn at these prices: two knapsacks per product and price of CPU. Between the rounds only where there are
// rooms.
void ShapePrices::appraise(bool everywhere) {
  for (Market& market : markets_) {
    if (!everywhere && !market.has_rooms) continue;
    for (std::size_t cpu_price = 0; cpu_price < kCpuPrices.size(); ++cpu_price) {
      set_nets(market, cpu_price);
      Table& table = market.tables[cpu_price];
      for (std::size_t free = 1; free <= kCells && !market.shares.empty(); ++free) {
        std::int64_t most = table.card[free - 1];
        for (const Item& item : market.shares) {
          if (item.size <= free) most = std::max(most, table.card[free - item.size] + item.net);
        }
        table.card[free] = most;
      }
      for (std::size_t free = 1; free <= kMostTogether; ++free) {
        std::int64_t most = table.whole[free - 1] + table.card[kCells];
        for (const Item& item : market.wholes) {
          if (item.size <= free) most = std::max(most, table.whole[free - item.size] + item.net);
        }
        table.whole[free] = most;
      }
    }
  }
}

// A bill as a function of the price of CPU is convex: where it stops falling it is lowest.
ShapePrices::Bill ShapePrices::lowest_bill(const Market& market, Amount free_cpu,
                                           std::span<const std::int64_t> card_free) {
  Bill lowest;
  for (std::size_t cpu_price = 0; cpu_price < kCpuPrices.size(); ++cpu_price) {
    const Table& table = market.tables[cpu_price];
    std::int64_t amount = kCpuPrices[cpu_price] * std::max<Amount>(free_cpu, 0);
    std::size_t whole = 0;
    for (const std::int64_t milli : card_free) {
      if (milli == kMilliPerCard) {
        ++whole;
      } else {
        amount += table.card[static_cast<std::size_t>(milli / kCellMilli)];
      }
    }
    amount += static_cast<std::int64_t>(whole / kMostTogether) * table.whole[kMostTogether] +
              table.whole[whole % kMostTogether];
    if (cpu_price > 0 && amount >= lowest.amount) break;
    lowest = {amount, cpu_price};
  }
  return lowest;
}

// Which rooms there are at the price of CPU that is theirs.
void ShapePrices::count_rooms(std::span<const Room> rooms) {
  for (Market& market : markets_) {
    if (!market.has_rooms) continue;
    for (Table& table : market.tables) {
      table.cards.fill(0);
      table.nodes.fill(0);
    }
  }
  for (const Room& room : rooms) {
    Market& market = markets_[room.market];
    Table& table = market.tables[lowest_bill(market, room.cpu, room.card_free).cpu_price];
    std::size_t whole = 0;
    for (const std::int64_t milli : room.card_free) {
      if (milli == kMilliPerCard) {
        ++whole;
      } else {
        table.cards[static_cast<std::size_t>(milli / kCellMilli)] += room.nodes;
      }
    }
    table.nodes[kMostTogether] += static_cast<std::int64_t>(whole / kMostTogether) * room.nodes;
    table.nodes[whole % kMostTogether] += room.nodes;
  }
}

void ShapePrices::count_used() {
  std::ranges::fill(used_, 0);
  for (Market& market : markets_) {
    if (!market.has_rooms) continue;
    for (std::size_t cpu_price = 0; cpu_price < kCpuPrices.size(); ++cpu_price) {
      set_nets(market, cpu_price);
      count_used(market, market.tables[cpu_price]);
    }
  }
}

// Of equally good packings: whole cards before shares, earlier shapes first, no pod that earns nothing.
void ShapePrices::count_used(const Market& market, const Table& table) {
  std::int64_t for_shares = 0;
  for (std::size_t number = 1; number <= kMostTogether; ++number) {
    if (table.nodes[number] == 0) continue;
    for (std::size_t free = number; free > 0;) {
      const auto taken = std::ranges::find_if(market.wholes, [&](const Item& item) {
        return item.size <= free && item.net > 0 && table.whole[free - item.size] + item.net == table.whole[free];
      });
      if (taken == market.wholes.end()) {
        for_shares += table.nodes[number];
        --free;
      } else {
        used_[taken->shape] += table.nodes[number];
        free -= taken->size;
      }
    }
  }
  for (std::size_t number = 1; number <= kCells; ++number) {
    const std::int64_t cards = table.cards[number] + (number == kCells ? for_shares : 0);
    if (cards == 0) continue;
    for (std::size_t free = number; free > 0;) {
      if (table.card[free] == table.card[free - 1]) {
        --free;
        continue;
      }
      const auto taken = std::ranges::find_if(market.shares, [&](const Item& item) {
        return item.size <= free && table.card[free - item.size] + item.net == table.card[free];
      });
      used_[taken->shape] += cards;
      free -= taken->size;
    }
  }
}

// False if all prices stay. Steps only become smaller, so they will stay then.
// A shape comes free_ * count / asked_by_all_ times. Its price moves with the surplus of use, relative to that.
bool ShapePrices::move_prices(std::int64_t step) {
  bool any = false;
  __extension__ using Wide = __int128;
  for (std::size_t i = 0; i < prices_.size(); ++i) {
    const Wide comes = static_cast<Wide>(free_) * target_.shapes()[i].count;
    const Wide base = comes + asked_by_all_;
    const Wide surplus = std::clamp(static_cast<Wide>(used_[i]) * asked_by_all_ - comes, -base, base);
    const Wide moved = static_cast<Wide>(step) * most_[i] / kStepUnit * surplus / base;
    const std::int64_t before = prices_[i];
    prices_[i] = std::clamp(before + static_cast<std::int64_t>(moved), std::int64_t{0}, most_[i]);
    any = any || prices_[i] != before;
  }
  return any;
}

void ShapePrices::restart() {
  std::ranges::fill(prices_, 0);
  settled_ = false;
}

void ShapePrices::settle(std::span<const NodeView> nodes) {
  if (asked_by_all_ == 0) return;
  std::vector<Room> rooms;
  free_ = 0;
  for (const NodeView& node : nodes) {
    rooms.push_back(
        {market_of(node.product), node.free_cpu, {node.card_free.begin(), node.card_free.end()}, node.nodes});
    for (const std::int32_t milli : node.card_free) free_ += milli * node.nodes;
  }
  for (Market& market : markets_) market.has_rooms = false;
  for (const Room& room : rooms) markets_[room.market].has_rooms = true;
  const std::int64_t rounds = settled_ ? kLaterRounds : kFirstRounds;
  std::vector<std::int64_t> sums(prices_.size(), 0);
  bool moves = true;
  for (std::int64_t round = 0; round < rounds; ++round) {
    if (moves) {
      appraise(false);
      count_rooms(rooms);
      count_used();
      moves = move_prices(step_of(round, !settled_));
    }
    if (round < rounds / 2) continue;
    for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += prices_[i];
  }
  // Prices go up and down around where they belong; the mean of the later half is nearer to it.
  for (std::size_t i = 0; i < sums.size(); ++i) prices_[i] = sums[i] / (rounds - rounds / 2);
  appraise(true);
  settled_ = true;
}

std::int64_t ShapePrices::earnings(Amount free_cpu, std::span<const std::int64_t> card_free, ProductId product) const {
  return lowest_bill(markets_[market_of(product)], free_cpu, card_free).amount;
}

}  // namespace berth::engine
