#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include "engine/score/policies/policies.h"

namespace berth::engine {
namespace {

class FragmentationGradientPolicy final : public PlacementPolicy {
 public:
  explicit FragmentationGradientPolicy(TargetWorkload target) : target_(std::move(target)) {}

  [[nodiscard]] PolicyScore score(const ShapeView& shape, const NodeView& node) const override {
    const std::int64_t before = target_.fragmentation(node.free_cpu, node.card_free, node.product);
    std::vector<std::int32_t> cards(node.card_free.begin(), node.card_free.end());
    const Amount cpu_after = node.free_cpu - shape.cpu;

    if (shape.card_milli < kMilliPerCard && shape.card_count == 1) {
      PolicyScore best{.value = -1};
      for (std::size_t card = 0; card < cards.size(); ++card) {
        const std::int32_t free = cards[card];
        if (free < shape.card_milli) continue;
        // Cards with equal room give equal scores, and the first of them wins.
        if (std::find(cards.begin(), cards.begin() + static_cast<std::ptrdiff_t>(card), free) !=
            cards.begin() + static_cast<std::ptrdiff_t>(card)) {
          continue;
        }
        cards[card] = free - shape.card_milli;
        const std::int64_t value = cut(before - target_.fragmentation(cpu_after, cards, node.product));
        cards[card] = free;
        if (value > best.value) best = {.value = value, .card = static_cast<std::int32_t>(card)};
      }
      return best;
    }

    std::int32_t wanted = shape.card_count;
    for (std::int32_t& free : cards) {
      if (wanted == 0) break;
      if (free < kMilliPerCard) continue;
      free = 0;
      --wanted;
    }
    return {.value = cut(before - target_.fragmentation(cpu_after, cards, node.product))};
  }

 private:
  // The published score of a fall in fragmentation, here multiplied by the workload's total count.
  [[nodiscard]] std::int64_t cut(std::int64_t fall) const {
    const double milli = static_cast<double>(fall) / static_cast<double>(target_.total_count());
    return static_cast<std::int64_t>(100.0 / (1.0 + std::exp(-milli / 1000.0)));
  }

  TargetWorkload target_;
};

}  // namespace

std::unique_ptr<PlacementPolicy> make_fragmentation_gradient_policy(TargetWorkload target) {
  return std::make_unique<FragmentationGradientPolicy>(std::move(target));
}

}  // namespace berth::engine
