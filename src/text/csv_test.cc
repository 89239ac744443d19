#include "text/csv.h"

#include <gtest/gtest.h>

namespace berth::text {
namespace {

TEST(Csv, ReadsQuotedCellsAndBothLineEnds) {
  const auto table = parse_csv("a,b\r\n1,\"x,\"\"y\"\"\"\n\n2,\"two\nlines\"\n3,\n", "t.csv");
  ASSERT_TRUE(table) << table.error().to_string();
  EXPECT_EQ(table->header, (std::vector<std::string>{"a", "b"}));
  ASSERT_EQ(table->rows.size(), 3U);
  EXPECT_EQ(table->rows[0][1], "x,\"y\"");
  EXPECT_EQ(table->rows[1][1], "two\nlines");
  EXPECT_EQ(table->rows[2][1], "");
  EXPECT_EQ(table->lines, (std::vector<std::int32_t>{2, 4, 6}));
  EXPECT_EQ(table->column("b"), 1);
  EXPECT_EQ(table->column("c"), -1);
}

TEST(Csv, NamesTheLineOfAShortRow) {
  const auto table = parse_csv("a,b\n1,2\n3\n", "t.csv");
  ASSERT_FALSE(table);
  EXPECT_EQ(table.error().place.line, 3);
}

TEST(Csv, RefusesAnOpenQuoteAndAnEmptyFile) {
  EXPECT_FALSE(parse_csv("a\n\"x\n", "t.csv"));
  EXPECT_FALSE(parse_csv("", "t.csv"));
}

}  // namespace
}  // namespace berth::text
