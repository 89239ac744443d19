#include "engine/world/sequence_interner.h"

#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

namespace berth::engine {
namespace {

using Sequence = std::vector<std::int64_t>;

TEST(SequenceInterner, NumbersSequencesInTheOrderOfTheirFirstSight) {
  SequenceInterner interner;
  EXPECT_EQ(interner.intern(Sequence{1, 2}), 0U);
  EXPECT_EQ(interner.intern(Sequence{2, 1}), 1U);
  EXPECT_EQ(interner.intern(Sequence{}), 2U);
  EXPECT_EQ(interner.intern(Sequence{1}), 3U);
  EXPECT_EQ(interner.intern(Sequence{1, 2}), 0U);
  EXPECT_EQ(interner.size(), 4U);
  EXPECT_TRUE(std::ranges::equal(interner.sequence(1), Sequence{2, 1}));
  EXPECT_TRUE(interner.sequence(2).empty());
  interner.clear();
  EXPECT_EQ(interner.size(), 0U);
  EXPECT_EQ(interner.intern(Sequence{2, 1}), 0U);
}

}  // namespace
}  // namespace berth::engine
