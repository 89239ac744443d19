#include "report/layout.h"

#include <gtest/gtest.h>

namespace berth::report {
namespace {

using Names = std::vector<std::string>;

TEST(Layout, ParagraphsWrapUnderTheirLabel) {
  EXPECT_EQ(paragraph("GPUs  ", "one two three four five six", 26), "GPUs  one two three four\n      five six\n");
  EXPECT_EQ(paragraph("", ""), "\n");
}

TEST(Layout, EscapeSequencesInATextAreShown) {
  EXPECT_EQ(paragraph("- ", "a\x1b[2J b\nc\u202e"), "- a\\x1b[2J b\\nc\\u202e\n");
}

TEST(Layout, ColoursGoOverLineBreaks) {
  const std::vector<text::Cell> parts = {{"one two", text::Color::kRed}, {"  "}, {"\x1b", text::Color::kGreen}};
  EXPECT_EQ(paragraph("> ", parts, text::ColorMode::kAlways), "> \x1b[31mone two\x1b[0m  \x1b[32m\\x1b\x1b[0m\n");
  const std::vector<text::Cell> longer = {{std::string(70, 'a') + " " + std::string(70, 'b'), text::Color::kRed},
                                          {"c"}};
  EXPECT_EQ(paragraph("> ", longer, text::ColorMode::kAlways),
            "> \x1b[31m" + std::string(70, 'a') + "\x1b[0m\n  \x1b[31m" + std::string(70, 'b') + "\x1b[0mc\n");
}

TEST(Layout, EnumerationsAreCutWhereThatSavesSomething) {
  EXPECT_EQ(enumerate(Names{}, 3), "");
  EXPECT_EQ(enumerate(Names{"a"}, 3), "a");
  EXPECT_EQ(enumerate(Names{"a", "b", "c"}, 3), "a, b and c");
  EXPECT_EQ(enumerate(Names{"a", "b", "c", "d"}, 3), "a, b, c and d");
  EXPECT_EQ(enumerate(Names{"a", "b", "c", "d", "e"}, 3), "a, b, c and 2 more");
}

TEST(Layout, CountsAreGroupedAndAgreeInNumber) {
  EXPECT_EQ(counted(1, "node"), "1 node");
  EXPECT_EQ(counted(0, "node"), "0 nodes");
  EXPECT_EQ(counted(1234567, "entry", "entries"), "1,234,567 entries");
}

TEST(Layout, NamesThatDifferInANumberCollapse) {
  EXPECT_EQ(collapse({"train-2", "train-0", "train-1", "train-5"}), Names{"train-[0-2,5]"});
  EXPECT_EQ(collapse({"a-1", "a-2"}), Names{"a-[1,2]"});
  EXPECT_EQ(collapse({"web-7d9-xk", "web-7d9-qq"}), (Names{"web-7d9-qq", "web-7d9-xk"}));
  EXPECT_EQ(collapse({"n-01", "n-02"}), (Names{"n-01", "n-02"})) << "leading zeros are part of the name";
  EXPECT_EQ(collapse({"solo"}), Names{"solo"});
  EXPECT_EQ(collapse({"w-22x", "w-24x"}), (Names{"w-22x", "w-24x"})) << "part of a hash";
  EXPECT_EQ(collapse({"w-1-a", "w-2-a"}), Names{"w-[1,2]-a"});
  EXPECT_EQ(collapse({"c", "b", "a"}, 1)[0], "a");
}

TEST(Layout, LongListsOfNamesAreCut) {
  EXPECT_EQ(name_list({"n-1", "n-2", "n-3"}, 4), "n-[1-3]");
  Names scattered;
  for (int i = 0; i < 200; i += 2) scattered.push_back("n-" + std::to_string(i));
  EXPECT_EQ(name_list(scattered, 3), "n-0, n-2, n-4 and 97 more");
}

TEST(Layout, NaturalOrderCountsDigits) {
  EXPECT_TRUE(natural_less("train-2", "train-10"));
  EXPECT_FALSE(natural_less("train-10", "train-2"));
  EXPECT_TRUE(natural_less("a", "b"));
  EXPECT_FALSE(natural_less("a", "a"));
  EXPECT_TRUE(natural_less("a", "a1"));
}

}  // namespace
}  // namespace berth::report
