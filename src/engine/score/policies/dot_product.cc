#include "engine/score/policies/policies.h"
#include "engine/score/policies/scale.h"

namespace berth::engine {
namespace {

class DotProductPolicy final : public PlacementPolicy {
 public:
  [[nodiscard]] PolicyScore score(const ShapeView& shape, const NodeView& node) const override {
    // Both products over the common denominator 128000^2 = 256 * 8000^2.
    constexpr std::int64_t kDenominator = kLargestCpu * kLargestCpu;
    constexpr std::int64_t kGpuFactor = kDenominator / (kLargestGpu * kLargestGpu);
    const std::int64_t product = node.free_cpu * shape.cpu + kGpuFactor * free_gpu(node) * requested_gpu(shape);
    return {.value = kMaximumScore * (2 * kDenominator - product) / (2 * kDenominator)};
  }
};

}  // namespace

std::unique_ptr<PlacementPolicy> make_dot_product_policy() { return std::make_unique<DotProductPolicy>(); }

}  // namespace berth::engine
