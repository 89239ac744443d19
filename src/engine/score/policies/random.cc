#include "engine/score/policies/policies.h"

namespace berth::engine {
namespace {

class RandomPolicy final : public PlacementPolicy {
 public:
  [[nodiscard]] PolicyScore score(const ShapeView&, const NodeView&) const override { return {}; }
  [[nodiscard]] bool random_choice() const override { return true; }
};

}  // namespace

std::unique_ptr<PlacementPolicy> make_random_policy() { return std::make_unique<RandomPolicy>(); }

}  // namespace berth::engine
