#include "engine/world/sequence_interner.h"

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
  interner.clear();
  EXPECT_EQ(interner.size(), 0U);
  EXPECT_EQ(interner.intern(Sequence{2, 1}), 0U);
}

}  // namespace
}  // namespace berth::engine
