#include "engine/world/tolerations.h"

#include <algorithm>
#include <ctime>
#include <optional>
#include <vector>

#include <gtest/gtest.h>

#include "base/random.h"
#include "engine/world/selectors.h"

namespace berth::engine {
namespace {

Taint taint(std::uint32_t key, std::uint32_t value, Effect effect) {
  return {LabelKeyId{key}, LabelValueId{value}, effect};
}

TEST(Tolerations, ManyOfThemHelpAgainstTheSameTaintsAsFew) {
  Random random(7);
  const auto below = [&random](std::uint32_t limit) { return static_cast<std::uint32_t>(random.below(limit)); };
  for (int world = 0; world < 200; ++world) {
    std::vector<Toleration> tolerations(64 + below(100));
    for (Toleration& toleration : tolerations) {
      if (below(200) != 0) toleration.key = LabelKeyId{below(300)};
      toleration.match = static_cast<Toleration::Match>(below(4));
      toleration.value = LabelValueId{below(3)};
      if (below(2) == 0) toleration.effect = static_cast<Effect>(below(3));
    }
    const TolerationsOfPod pod(tolerations, 1000);
    for (int i = 0; i < 300; ++i) {
      const Taint one = taint(below(310), below(3), static_cast<Effect>(below(3)));
      const bool helped =
          std::ranges::any_of(tolerations, [&](const Toleration& each) { return tolerates(each, one); });
      EXPECT_EQ(pod.help_against(one), helped);
    }
  }
}

// 4 MB of input took more than three minutes.
TEST(Tolerations, FiftyThousandTaintsAndTolerationsAreNoQuadraticQuestion) {
  constexpr std::uint32_t kMany = 50'000;
  std::vector<Toleration> tolerations;
  std::vector<Taint> taints;
  for (std::uint32_t i = 0; i < kMany; ++i) {
    taints.push_back(taint(i, 0, Effect::kNoSchedule));
    if (i + 1 < kMany)
      tolerations.push_back({LabelKeyId{i}, Toleration::Match::kExists, LabelValueId::none(), std::nullopt});
  }
  const std::clock_t start = std::clock();
  EXPECT_EQ(untolerated(tolerations, taints), &taints.back());
  EXPECT_LT(std::clock() - start, 2 * CLOCKS_PER_SEC);
}

}  // namespace
}  // namespace berth::engine
