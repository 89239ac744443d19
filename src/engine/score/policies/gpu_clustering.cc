#include <algorithm>

#include "engine/score/policies/policies.h"
#include "engine/score/policies/scale.h"

namespace berth::engine {
namespace {

class GpuClusteringPolicy final : public PlacementPolicy {
 public:
  [[nodiscard]] PolicyScore score(const ShapeView& shape, const NodeView& node) const override {
    if (shape.card_count == 0) return {};
    const std::span<const std::uint16_t> gpu_kinds = node.pods_by_kind.first(kNoCardKind);
    const auto kinds_here = std::ranges::count_if(gpu_kinds, [](std::uint16_t pods) { return pods > 0; });
    constexpr std::int64_t kBand = kMaximumScore / 4;
    std::int64_t floor = 0;
    if (node.pods_by_kind[pod_kind(shape.card_count, shape.card_milli)] > 0) {
      floor = kinds_here == 1 ? 3 * kBand : 2 * kBand;
    } else if (kinds_here == 0) {
      floor = kBand;
    }
    return {.value = floor + kBand * (kLargestGpu - free_gpu(node)) / kLargestGpu};
  }
  [[nodiscard]] bool reads_pod_kinds() const override { return true; }
};

}  // namespace

std::unique_ptr<PlacementPolicy> make_gpu_clustering_policy() { return std::make_unique<GpuClusteringPolicy>(); }

}  // namespace berth::engine
