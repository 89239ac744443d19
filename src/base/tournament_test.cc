#include "base/tournament.h"

#include <gtest/gtest.h>

#include <vector>

#include "base/random.h"

namespace berth {
namespace {

TEST(Tournament, NobodyWinsWhereNobodyTakesPart) {
  EXPECT_EQ(Tournament(0).winner(), Tournament::kNobody);
  EXPECT_EQ(Tournament(5).winner(), Tournament::kNobody);
}

// The same winner as looking at all places, whatever changes in whatever order; of equals the lower place.
TEST(Tournament, EqualsALookAtEveryPlace) {
  Random random(7);
  for (std::size_t places = 1; places <= 40; ++places) {
    Tournament tournament(places);
    std::vector<std::uint64_t> values(places, 0);
    std::vector<bool> in(places, false);
    for (int change = 0; change < 200; ++change) {
      const std::size_t place = random.below(places);
      values[place] = random.below(6);
      in[place] = random.below(3) > 0;
      tournament.replay(place, in[place], [&](std::size_t a, std::size_t b) { return values[a] < values[b]; });
      std::size_t expected = Tournament::kNobody;
      for (std::size_t i = 0; i < places; ++i) {
        if (in[i] && (expected == Tournament::kNobody || values[i] < values[expected])) expected = i;
      }
      ASSERT_EQ(tournament.winner(), expected);
    }
  }
}

}  // namespace
}  // namespace berth
