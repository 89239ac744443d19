#include "engine/score/policies/policies.h"
#include "engine/score/policies/scale.h"

namespace berth::engine {
namespace {

class BestFitPolicy final : public PlacementPolicy {
 public:
  [[nodiscard]] PolicyScore score(const ShapeView& shape, const NodeView& node) const override {
    constexpr std::int64_t kGpuFactor = kLargestCpu / kLargestGpu;
    const std::int64_t left = node.free_cpu - shape.cpu + kGpuFactor * (free_gpu(node) - requested_gpu(shape));
    return {.value = kMaximumScore * (2 * kLargestCpu - left) / (2 * kLargestCpu)};
  }
};

}  // namespace

std::unique_ptr<PlacementPolicy> make_best_fit_policy() { return std::make_unique<BestFitPolicy>(); }

}  // namespace berth::engine
