#include <algorithm>
#include <vector>

#include "engine/score/policies/policies.h"
#include "engine/score/policies/scale.h"

namespace berth::engine {
namespace {

class GpuPackingPolicy final : public PlacementPolicy {
 public:
  [[nodiscard]] PolicyScore score(const ShapeView& shape, const NodeView& node) const override {
    if (shape.card_count == 0) return {};
    const auto whole = static_cast<std::int64_t>(std::ranges::count(node.card_free, kMilliPerCard));
    const auto cards = static_cast<std::int64_t>(node.card_free.size());
    if (whole == cards) return {.value = std::max(kMaximumScore / 3 - whole, whole)};

    std::vector<std::int32_t> tightest_first(node.card_free.begin(), node.card_free.end());
    std::ranges::sort(tightest_first);
    std::int32_t wanted = shape.card_count;
    std::int64_t opened = 0;
    std::int64_t free_percent = 0;
    for (const std::int32_t milli : tightest_first) {
      if (wanted == 0) break;
      if (milli < shape.card_milli) continue;
      --wanted;
      if (milli == kMilliPerCard) ++opened;
      free_percent += static_cast<std::int64_t>(milli) * 100 / kMilliPerCard;
    }
    if (opened > 0) return {.value = std::max(kMaximumScore / 2 - opened, kMaximumScore / 3)};
    return {.value = std::max(kMaximumScore - free_percent / 10, kMaximumScore / 2)};
  }
};

}  // namespace

std::unique_ptr<PlacementPolicy> make_gpu_packing_policy() { return std::make_unique<GpuPackingPolicy>(); }

}  // namespace berth::engine
