#include "sim/openb/node_packing.h"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace berth::sim::openb {
namespace {

constexpr std::int64_t kCpuUnit = 500;   // milli
constexpr std::int64_t kShareUnit = 10;  // milli of a card
constexpr std::int64_t kWholeCard = 1000;

// Best value by units of one resource and of CPU.
class Table {
 public:
  Table(std::size_t rows, std::size_t cpu) : width_(cpu + 1), cells_((rows + 1) * width_, 0) {}
  std::int64_t& at(std::size_t row, std::size_t cpu) { return cells_[row * width_ + cpu]; }
  [[nodiscard]] std::int64_t at(std::size_t row, std::size_t cpu) const { return cells_[row * width_ + cpu]; }

 private:
  std::size_t width_;
  std::vector<std::int64_t> cells_;
};

struct Item {
  std::size_t pod = 0;
  std::size_t size = 0;  // units of a card, or cards
  std::size_t cpu = 0;   // units
  std::int64_t value = 0;
};

// An unbounded knapsack of two dimensions.
class Knapsack {
 public:
  Knapsack(std::vector<Item> items, std::size_t size, std::size_t cpu) : items_(std::move(items)), best_(size, cpu) {
    for (std::size_t row = 0; row <= size; ++row) {
      for (const Item& item : items_) {
        if (item.size > row) continue;
        for (std::size_t at = item.cpu; at <= cpu; ++at) {
          const std::int64_t value = best_.at(row - item.size, at - item.cpu) + item.value;
          best_.at(row, at) = std::max(best_.at(row, at), value);
        }
      }
    }
  }
  [[nodiscard]] std::int64_t best(std::size_t size, std::size_t cpu) const { return best_.at(size, cpu); }

  // Adds the pods of a best filling.
  void trace(std::size_t size, std::size_t cpu, std::vector<std::int32_t>& counts) const {
    while (best_.at(size, cpu) > 0) {
      const auto used = std::ranges::find_if(items_, [&](const Item& item) {
        return item.size <= size && item.cpu <= cpu &&
               best_.at(size - item.size, cpu - item.cpu) + item.value == best_.at(size, cpu);
      });
      ++counts[used->pod];
      size -= used->size;
      cpu -= used->cpu;
    }
  }

 private:
  std::vector<Item> items_;
  Table best_;
};

}  // namespace

Packing best_packing(std::int64_t cpu_milli, std::int32_t cards, std::span<const PackedPod> pods,
                     std::span<const std::int64_t> values) {
  std::vector<Item> shares;
  std::vector<Item> wholes;
  for (std::size_t i = 0; i < pods.size(); ++i) {
    if (values[i] <= 0) continue;
    const auto cpu = static_cast<std::size_t>(pods[i].cpu_milli / kCpuUnit);
    if (pods[i].milli < kWholeCard) {
      shares.push_back(
          {i, static_cast<std::size_t>(std::max<std::int64_t>(1, pods[i].milli / kShareUnit)), cpu, values[i]});
    } else {
      wholes.push_back({i, static_cast<std::size_t>(pods[i].cards), cpu, values[i]});
    }
  }
  const auto width = static_cast<std::size_t>((cpu_milli + kCpuUnit - 1) / kCpuUnit);
  const auto count = static_cast<std::size_t>(cards);
  constexpr std::size_t kCard = kWholeCard / kShareUnit;
  const Knapsack card(std::move(shares), kCard, width);
  const Knapsack whole(std::move(wholes), count, width);

  // several(k, cpu): the best of shares on k cards.
  Table several(count, width);
  for (std::size_t k = 1; k <= count; ++k) {
    for (std::size_t on_last = 0; on_last <= width; ++on_last) {
      const std::int64_t value = card.best(kCard, on_last);
      for (std::size_t at = on_last; at <= width; ++at) {
        several.at(k, at) = std::max(several.at(k, at), several.at(k - 1, at - on_last) + value);
      }
    }
  }

  Packing result{0, std::vector<std::int32_t>(pods.size(), 0)};
  std::size_t best_whole = 0;
  std::size_t best_cpu = 0;
  for (std::size_t k = 0; k <= count; ++k) {
    for (std::size_t at = 0; at <= width; ++at) {
      const std::int64_t value = whole.best(k, at) + several.at(count - k, width - at);
      if (value <= result.value) continue;
      result.value = value;
      best_whole = k;
      best_cpu = at;
    }
  }
  whole.trace(best_whole, best_cpu, result.counts);
  std::size_t left = width - best_cpu;
  for (std::size_t k = count - best_whole; k > 0; --k) {
    std::size_t on_last = 0;
    while (several.at(k - 1, left - on_last) + card.best(kCard, on_last) != several.at(k, left)) ++on_last;
    card.trace(kCard, on_last, result.counts);
    left -= on_last;
  }
  return result;
}

}  // namespace berth::sim::openb
