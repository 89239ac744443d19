#include "base/near_names.h"

#include <gtest/gtest.h>

namespace berth {
namespace {

TEST(NearNames, DistanceCountsEditsAndSwapsOfNeighbours) {
  EXPECT_EQ(edit_distance("", ""), 0U);
  EXPECT_EQ(edit_distance("plan", ""), 4U);
  EXPECT_EQ(edit_distance("plan", "Plan"), 0U);
  EXPECT_EQ(edit_distance("paln", "plan"), 1U);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3U);
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
