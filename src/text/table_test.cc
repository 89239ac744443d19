#include "text/table.h"

#include <gtest/gtest.h>

#include "text/progress.h"
#include "text/utf8.h"

namespace berth::text {
namespace {

TEST(Utf8, CountsColumns) {
  EXPECT_EQ(display_width("abc"), 3U);
  EXPECT_EQ(display_width("caf\u00e9"), 4U);
  EXPECT_EQ(display_width("e\u0301"), 1U);
  EXPECT_EQ(display_width("\u4e2d\u6587"), 4U);
  EXPECT_EQ(display_width("\U0001F680"), 2U);
  EXPECT_EQ(display_width("\x1b[31mred\x1b[0m"), 3U);
  EXPECT_EQ(display_width("\xFF\xFE"), 2U);
}

TEST(Utf8, Shortens) {
  EXPECT_EQ(shorten("abcdef", 6), "abcdef");
  EXPECT_EQ(shorten("abcdef", 4), "abc\u2026");
  EXPECT_EQ(shorten("\u4e2d\u6587\u5b57", 4), "\u4e2d\u2026");
}

TEST(Utf8, WhatWouldSteerATerminalIsShownAsItsEscape) {
  EXPECT_EQ(visible("plain, caf\u00e9 \u4e2d \U0001F680"), "plain, caf\u00e9 \u4e2d \U0001F680");
  EXPECT_EQ(visible("\x1b[31mred\x1b[0m\x07\x7f"), "\\x1b[31mred\\x1b[0m\\x07\\x7f");
  EXPECT_EQ(visible(std::string_view("a\0b\n\r\t", 6)), "a\\x00b\\n\\r\\t");
  EXPECT_EQ(visible("\u009b31m"), "\\u009b31m") << "one byte in other encodings starts a sequence too";
  EXPECT_EQ(visible("abc\u202etxt.exe\u2066\u200f"), "abc\\u202etxt.exe\\u2066\\u200f");
  EXPECT_EQ(visible("\xff\xc3"), "\\xff\\xc3");
  EXPECT_EQ(visible("\U000E0041"), "\\U000e0041");
  EXPECT_EQ(visible(visible("\x1b\\")), visible("\x1b\\"));
}

TEST(Table, EscapeSequencesInACellAreNoColours) {
  Table table({{"NAME"}, {"B"}});
  table.add_row({{"a\x1b[31m\nb", Color::kGreen}, "x"});
  EXPECT_EQ(table.render(), "NAME          B\na\\x1b[31m\\nb  x\n");
  EXPECT_EQ(table.render({.color = ColorMode::kAlways, .header = false}), "\x1b[32ma\\x1b[31m\\nb\x1b[0m  x\n");
}

TEST(Table, AVeryLongWordIsCutInLinearTime) {
  const std::vector<std::string> lines = wrap(std::string(4'000'000, 'x'), 70);
  EXPECT_EQ(lines.size(), (4'000'000U + 69) / 70);
}

TEST(Table, ALongNameIsCutBehindItsJoints) {
  EXPECT_EQ(wrap("team-a/preprocessing-images-7d9f", 24),
            (std::vector<std::string>{"team-a/preprocessing-", "images-7d9f"}));
  EXPECT_EQ(wrap("a-preprocessingofimages", 12), (std::vector<std::string>{"a-preprocess", "ingofimages"}))
      << "a joint in the first half leaves too little on the line";
}

TEST(Table, AlignsByWidthOfCharacters) {
  Table table({{"NAME"}, {"GPUS", Align::kRight}, {"WHY"}});
  table.add_row({"caf\u00e9", "8", "full"});
  table.add_row({"node-12", "16"});
  EXPECT_EQ(table.render(), "NAME     GPUS  WHY\ncaf\u00e9        8  full\nnode-12    16\n");
}

TEST(Table, WrapsAndShortensTheWidestFreeColumn) {
  Table table({{"POD"}, {"WHY", Align::kLeft, Overflow::kWrap}});
  table.add_row({"train-0", "no node has eight free cards of this product"});
  EXPECT_EQ(table.render({.width = 31}),
            "POD      WHY\ntrain-0  no node has eight free\n         cards of this product\n");
  Table cut({{"A", Align::kLeft, Overflow::kShorten}, {"B"}});
  cut.add_row({"a-very-long-name-indeed", "kept"});
  EXPECT_EQ(cut.render({.width = 20}), "A               B\na-very-long-n\u2026  kept\n");
}

TEST(Table, EveryLineFitsEightyColumns) {
  Table table({{"A", Align::kLeft, Overflow::kWrap}, {"B", Align::kLeft, Overflow::kWrap}, {"C", Align::kRight}});
  table.add_row({std::string(200, 'a'), "word " + std::string(90, 'b') + " word", "3"});
  const std::string text = table.render();
  std::size_t start = 0;
  while (start < text.size()) {
    const std::size_t end = text.find('\n', start);
    EXPECT_LE(display_width(text.substr(start, end - start)), 80U);
    start = end + 1;
  }
}

TEST(Table, PaintsOnlyWhenTold) {
  Table table({{""}});
  table.add_row({{"bad", Color::kRed}});
  EXPECT_EQ(table.render(), "bad\n");
  EXPECT_EQ(table.render({.color = ColorMode::kAlways}), "\x1b[31mbad\x1b[0m\n");
}

TEST(Progress, SaysHowFar) {
  EXPECT_EQ(Progress::line("seeds", 3, 12), "seeds  25 %  (3 of 12)");
  EXPECT_EQ(Progress::line("objects", 7, 0), "objects  7");
}

}  // namespace
}  // namespace berth::text
