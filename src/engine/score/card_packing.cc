#include "engine/score/card_packing.h"

#include <numeric>

namespace berth::engine {
namespace {

constexpr std::int64_t kBest = 100;

class CardPacking final : public PlacementPolicy {
 public:
  [[nodiscard]] bool packs_devices() const override { return true; }
  [[nodiscard]] PolicyScore score(const ShapeView& shape, const NodeView& node) const override {
    const auto all = static_cast<std::int64_t>(node.card_free.size()) * kMilliPerCard;
    if (shape.card_count == 0) return {.value = all == 0 ? kBest : 0};
    if (all == 0) return {};
    const auto free = std::accumulate(node.card_free.begin(), node.card_free.end(), std::int64_t{0});
    const auto asked = static_cast<std::int64_t>(shape.card_count) * shape.card_milli;
    return {.value = (all - free + asked) * kBest / all};
  }
};

}  // namespace

const PlacementPolicy& card_packing() {
  static const CardPacking kPolicy;
  return kPolicy;
}

}  // namespace berth::engine
