#include "base/whole_number.h"

#include <gtest/gtest.h>

#include <cstdint>

namespace berth {
namespace {

TEST(WholeNumber, IsAllOfTheText) {
  EXPECT_EQ(whole_number<std::int64_t>("42"), 42);
  EXPECT_EQ(whole_number<std::int64_t>("-42"), -42);
  EXPECT_EQ(whole_number<std::int64_t>("007"), 7);
  for (const char* wrong : {"", " 1", "1 ", "+1", "1.0", "1e3", "0x1", "one", "9223372036854775808"})
    EXPECT_FALSE(whole_number<std::int64_t>(wrong).has_value()) << wrong;
  EXPECT_FALSE(whole_number<std::uint64_t>("-1").has_value());
}

TEST(WholeNumber, IsWithinItsBounds) {
  EXPECT_EQ(whole_number<std::int64_t>("1", 1, 4), 1);
  EXPECT_EQ(whole_number<std::int64_t>("4", 1, 4), 4);
  EXPECT_FALSE(whole_number<std::int64_t>("0", 1, 4).has_value());
  EXPECT_FALSE(whole_number<std::int64_t>("5", 1, 4).has_value());
}

}  // namespace
}  // namespace berth
