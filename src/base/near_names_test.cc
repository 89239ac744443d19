#include "base/near_names.h"

#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/random.h"

namespace berth {
namespace {

TEST(NearNames, DistanceCountsEditsAndSwapsOfNeighbours) {
  EXPECT_EQ(edit_distance("", ""), 0U);
  EXPECT_EQ(edit_distance("plan", ""), 4U);
  EXPECT_EQ(edit_distance("plan", "Plan"), 0U);
  EXPECT_EQ(edit_distance("paln", "plan"), 1U);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3U);
}

TEST(NearNames, ALimitedDistanceIsTheSameOrAboveTheLimit) {
  std::uint64_t state = 1;
  const auto text = [&](std::size_t length) {
    std::string out;
    while (out.size() < length) out += static_cast<char>('a' + (state = split_mix(state)) % 3);
    return out;
  };
  for (int i = 0; i < 2'000; ++i) {
    const std::string a = text(static_cast<std::size_t>(i % 9));
    const std::string b = text(static_cast<std::size_t>(i / 9 % 9));
    const std::size_t distance = edit_distance(a, b);
    EXPECT_EQ(distance, edit_distance(b, a)) << a << ' ' << b;
    for (std::size_t most = 0; most < 9; ++most) {
      const std::size_t limited = edit_distance(a, b, most);
      if (distance <= most) {
        EXPECT_EQ(limited, distance) << a << ' ' << b << ' ' << most;
      } else {
        EXPECT_GT(limited, most) << a << ' ' << b << ' ' << most;
      }
    }
  }
}

TEST(NearNames, ManyLongNamesOfOtherLettersTakeNoTime) {
  std::vector<std::string> names(100'000, std::string(245, 'n'));
  names.push_back(std::string(244, 'p') + "q");
  EXPECT_EQ(near_names(std::string(245, 'p'), names), std::vector<std::string>{names.back()});
}

TEST(NearNames, NearestFirstThenNamesThatContainIt) {
  const std::vector<std::string> commands = {"plan", "explain", "case", "sim"};
  EXPECT_EQ(near_names("paln", commands), std::vector<std::string>{"plan"});
  EXPECT_EQ(near_names("exp", commands), std::vector<std::string>{"explain"});
  EXPECT_TRUE(near_names("kubectl", commands).empty());
  const std::vector<std::string> many = {"train-1", "train-2", "train-3", "train-4"};
  EXPECT_EQ(near_names("train-9", many, 2), (std::vector<std::string>{"train-1", "train-2"}));
}

}  // namespace
}  // namespace berth
