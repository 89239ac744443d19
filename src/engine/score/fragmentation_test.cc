#include "engine/score/fragmentation.h"

#include <gtest/gtest.h>

namespace berth::engine {
namespace {

const ProductId kT4{0U};
const ProductId kV100{1U};

TEST(Fragmentation, CountsByTheDefinition) {
  const TargetWorkload target({
      {.cpu = 1000, .card_count = 0, .card_milli = 0, .products = {}, .count = 1},          // CPU only
      {.cpu = 4000, .card_count = 1, .card_milli = 500, .products = {}, .count = 2},        // a half
      {.cpu = 8000, .card_count = 2, .card_milli = 1000, .products = {kV100}, .count = 3},  // two whole V100
  });
  EXPECT_EQ(target.total_count(), 6);
  const std::vector<std::int32_t> cards = {1000, 300, 1000};
  // V100 with enough CPU: the CPU pod can use nothing (2300), the half cannot use the 300, the pair neither.
  EXPECT_EQ(target.fragmentation(8000, cards, kV100), 1 * 2300 + 2 * 300 + 3 * 300);
  // Too little CPU for the pair: all is lost to it.
  EXPECT_EQ(target.fragmentation(7999, cards, kV100), 1 * 2300 + 2 * 300 + 3 * 2300);
  // Another product: lost to the pair whatever the CPU.
  EXPECT_EQ(target.fragmentation(8000, cards, kT4), 1 * 2300 + 2 * 300 + 3 * 2300);
  // One whole card only: the pair does not fit.
  EXPECT_EQ(target.fragmentation(8000, std::vector<std::int32_t>{1000, 300}, kV100), 1300 + 2 * 300 + 3 * 1300);
  EXPECT_EQ(target.fragmentation(8000, std::vector<std::int32_t>{}, kV100), 0);
}

}  // namespace
}  // namespace berth::engine
