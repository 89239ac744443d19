#include "cel/parser.h"

#include <gtest/gtest.h>

#include "cel/environment.h"
#include "cel/standard.h"

namespace berth::cel {
namespace {

ParseOptions options() {
  EnvironmentBuilder builder;
  add_standard(builder);
  add_optionals(builder);
  add_bindings(builder);
  add_two_variable_comprehensions(builder);
  return builder.build()->parse_options();
}

Issue issue_of(std::string_view text) {
  const auto ast = parse(text, options());
  EXPECT_FALSE(ast) << text;
  return ast ? Issue() : ast.error().issues.front();
}

TEST(Parser, AcceptsWhatTheGrammarHas) {
  for (const std::string_view text : {"1",
                                      "-9223372036854775808",
                                      "0x1Fu",
                                      "1.5e-3",
                                      ".5",
                                      "r'\\n'",
                                      "b\"\\xff\"",
                                      "'''a\nb'''",
                                      "a.b.c",
                                      ".a",
                                      "a.?b",
                                      "a[?0]",
                                      "[1, ?x, ]",
                                      "[,]",
                                      "{,}",
                                      "{'a': 1, ?'b': c,}",
                                      "T{a: 1, `b-c`: 2}",
                                      "a.`b/c`",
                                      "!!a",
                                      "--a",
                                      "a ? b : c ? d : e",
                                      "a.if",
                                      "a // comment\n + b",
                                      "f(g(h()))",
                                      "a in b"}) {
    EXPECT_TRUE(parse(text, options())) << text;
  }
}

TEST(Parser, NamesThePlaceOfAnError) {
  const auto failed = parse("a +\n  b c", options());
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().issues.front().position, (Position{2, 5}));
  EXPECT_NE(failed.error().to_string().find("\n | ....^"), std::string::npos) << failed.error().to_string();
  // Columns count code points, not bytes.
  EXPECT_EQ(issue_of("'\u00e9\u00e9' +").position, (Position{1, 7}));
}

TEST(Parser, RefusesWhatTheGrammarHasNot) {
  for (const std::string_view text : {"",
                                      "(",
                                      "1 +",
                                      "a b",
                                      "'a",
                                      "\"a\nb\"",
                                      "'\\z'",
                                      "'\\ud800'",
                                      "b'\\u0041'",
                                      "1 = 2",
                                      "if",
                                      "for + 1",
                                      "a.1",
                                      "9223372036854775808",
                                      "18446744073709551616u",
                                      "1e999",
                                      "{1}",
                                      "[1",
                                      "a ? b",
                                      "has(a)",
                                      "[1].map(1, 2)",
                                      "x.all(a.b, true)",
                                      "[].all(i, i, true)",
                                      "a..b",
                                      "@x",
                                      "#"}) {
    EXPECT_FALSE(issue_of(text).message.empty()) << text;
  }
}

TEST(Parser, StopsAtLimits) {
  EXPECT_TRUE(parse(std::string(200, '(') + "1" + std::string(200, ')'), options()));
  for (const std::string_view unit : {"(", "[", "{1:", "f(", "!(", "-("}) {
    std::string text;
    while (text.size() < 10'000) text += unit;
    EXPECT_FALSE(parse(text, options())) << unit;
  }
  std::string sum = "1";
  for (int i = 0; i < 4'000; ++i) sum += "+1";
  EXPECT_NE(issue_of(sum).message.find("too many operators"), std::string::npos);
  // Chains of && are balanced, so that they may be long.
  std::string conjunction = "true";
  for (int i = 0; i < 4'000; ++i) conjunction += "&&true";
  EXPECT_TRUE(parse(conjunction, options()));
  EXPECT_FALSE(parse(std::string(100'001, ' '), options()));
}

TEST(Parser, BoundsMacrosThatDoubleTheirTarget) {
  std::string text = "optional.of(1)";
  for (int i = 0; i < 40; ++i) text += ".optMap(x, x)";
  EXPECT_NE(issue_of(text).message.find("too large"), std::string::npos);
}

}  // namespace
}  // namespace berth::cel
