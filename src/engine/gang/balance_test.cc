#include "engine/gang/balance.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <optional>
#include <tuple>

#include "base/random.h"

namespace berth::engine {
namespace {

using Parts = std::vector<DomainPart>;

TEST(Balance, EqualPartsInsteadOfAFullDomainAndARest) {
  EXPECT_EQ(balanced_parts({5, 3, 3}, 6), (Parts{{1, 3}, {2, 3}}));
  EXPECT_EQ(balanced_parts({4, 4, 4, 4}, 8), (Parts{{0, 4}, {1, 4}}));
}
TEST(Balance, TheTightestDomainsThatDo) {
  EXPECT_EQ(balanced_parts({9, 3, 4, 3}, 3), (Parts{{1, 3}}));
  EXPECT_EQ(balanced_parts({9, 6, 6, 20}, 24), (Parts{{3, 15}, {0, 9}}));
}
TEST(Balance, WhoHasLessRoomTakesAllItCan) {
  EXPECT_EQ(balanced_parts({2, 5}, 6), (Parts{{1, 4}, {0, 2}}));
  EXPECT_EQ(balanced_parts({7, 6, 3}, 15), (Parts{{1, 6}, {0, 6}, {2, 3}}));
}
TEST(Balance, TooManySlicesHaveNoParts) {
  EXPECT_TRUE(balanced_parts({2, 0, 1}, 4).empty());
  EXPECT_TRUE(balanced_parts({}, 1).empty());
}

// Every way to deal the slices out, compared by number of domains, largest part, smallest part, room taken.
using Score = std::tuple<std::size_t, std::int64_t, std::int64_t, std::int64_t>;
void deal(const std::vector<std::int64_t>& room, std::size_t at, std::int64_t left, Parts& parts,
          std::optional<Score>& best) {
  if (at == room.size()) {
    if (left > 0) return;
    Score score{parts.size(), 0, -1000, 0};
    for (const DomainPart& part : parts) {
      std::get<1>(score) = std::max(std::get<1>(score), part.slices);
      std::get<2>(score) = std::max(std::get<2>(score), -part.slices);
      std::get<3>(score) += room[part.domain];
    }
    if (!best || score < *best) best = score;
    return;
  }
  deal(room, at + 1, left, parts, best);
  for (std::int64_t take = 1; take <= std::min(room[at], left); ++take) {
    parts.push_back({static_cast<std::uint32_t>(at), take});
    deal(room, at + 1, left - take, parts, best);
    parts.pop_back();
  }
}

TEST(Balance, IsTheBestOfAllWaysOnSmallWorlds) {
  Random random(7);
  for (int i = 0; i < 2000; ++i) {
    std::vector<std::int64_t> room(random.below(5));
    for (std::int64_t& each : room) each = random.between(0, 5);
    const std::int64_t slices = random.between(1, 12);
    std::optional<Score> best;
    Parts none;
    deal(room, 0, slices, none, best);
    const Parts parts = balanced_parts(room, slices);
    ASSERT_EQ(parts.empty(), !best.has_value());
    if (parts.empty()) continue;
    Score mine{parts.size(), 0, -1000, 0};
    std::int64_t sum = 0;
    for (const DomainPart& part : parts) {
      ASSERT_LE(part.slices, room[part.domain]);
      ASSERT_GT(part.slices, 0);
      sum += part.slices;
      std::get<1>(mine) = std::max(std::get<1>(mine), part.slices);
      std::get<2>(mine) = std::max(std::get<2>(mine), -part.slices);
      std::get<3>(mine) += room[part.domain];
    }
    ASSERT_EQ(sum, slices);
    ASSERT_EQ(mine, *best) << "room taken " << std::get<3>(mine) << " instead of " << std::get<3>(*best);
  }
}

}  // namespace
}  // namespace berth::engine
