#include "cel/program.h"

#include <gtest/gtest.h>

#include "cel/containers.h"
#include "cel/cost/estimate.h"
#include "cel/lib/libraries.h"
#include "cel/standard.h"

namespace berth::cel {
namespace {

class Language : public ::testing::Test {
 protected:
  // The value as text, "error: ..." or "compile: ...".
  std::string run(std::string_view text) {
    auto checked = compile(text, environment_);
    if (!checked) return "compile: " + checked.error().issues.front().message;
    const Program program(*std::move(checked));
    arena_.reset();
    EvalContext context(arena_);
    context.set_cost_limit(1'000'000);
    context.set_time_zones(&zones_);
    const std::string out = to_string(program.evaluate({}, context), arena_);
    cost_ = context.cost();
    return out;
  }
  void expect_true(std::initializer_list<std::string_view> expressions) {
    for (const std::string_view text : expressions) EXPECT_EQ(run(text), "true") << text;
  }
  void expect_error(std::initializer_list<std::string_view> expressions) {
    for (const std::string_view text : expressions) EXPECT_TRUE(run(text).starts_with("error: ")) << text;
  }
  void expect_refused(std::initializer_list<std::string_view> expressions) {
    for (const std::string_view text : expressions) EXPECT_TRUE(run(text).starts_with("compile: ")) << text;
  }

  std::shared_ptr<const Environment> environment_ = full_environment();
  SystemTimeZones zones_;
  Arena arena_;
  std::uint64_t cost_ = 0;
};

TEST_F(Language, IntegersAreExact) {
  expect_true({"9223372036854775807 - 1 == 9223372036854775806", "-7 / 2 == -3", "-7 % 2 == -1", "7u / 2u == 3u"});
  expect_error({"9223372036854775807 + 1", "-9223372036854775808 - 1", "9223372036854775807 * 2", "1 / 0", "1 % 0",
                "-9223372036854775808 / -1", "-(-9223372036854775808)", "0u - 1u", "18446744073709551615u + 1u",
                "int(9223372036854775808.0)", "uint(-1)", "int('x')", "uint('-1')"});
}

TEST_F(Language, NumbersCompareAcrossTypes) {
  expect_true(
      {"1 < 1.5", "1u < 2", "-1 < 0u", "dyn(1) == 1.0", "dyn(1u) == 1", "dyn(9007199254740993) == 9007199254740992.0",
       "9223372036854775807 >= 9223372036854775808.0", "!(dyn(9223372036854775807) in {9223372036854775808u: 1})",
       "!(dyn(9223372036854775808.0) in {9223372036854775807: 1})", "18446744073709551615u > 9223372036854775807",
       "0.0 / 0.0 != 0.0 / 0.0", "{1: 'a'}[dyn(1u)] == 'a'", "{1u: 'a'}[dyn(1.0)] == 'a'", "dyn(1.0) in [1, 2]"});
  expect_error({"{1: 'a'}[dyn(1.5)]", "0.0 / 0.0 < 1.0", "1 >= 0.0 / 0.0"});
}

TEST_F(Language, LogicAbsorbsErrors) {
  expect_true({"true || 1 / 0 == 1", "1 / 0 == 1 || true", "!(false && 1 / 0 == 1)", "!(1 / 0 == 1 && false)",
               "[1, 0].exists(x, 1 / x == 1)", "[0, 1].exists(x, 1 / x == 1)", "true ? true : 1 / 0 == 1",
               "cel.bind(x, 1 / 0, true)"});
  expect_error({"1 / 0 == 1 && true", "false || 1 / 0 == 1", "[0].exists(x, 1 / x == 1)", "1 / 0 == 1 ? true : true",
                "[1, 0].map(x, 1 / x)", "[1, 2].exists_one(x, 1 / (x - 2) == 1)"});
}

TEST_F(Language, TypesAreChecked) {
  expect_refused({"1 + 'a'", "1 + 1.0", "'a'.nope()", "x", "1 == 'a'", "true && 1", "[1].all(x, x)",
                  "1.exists(x, true)", "{'a': 1}.all(k, k > 1)", "size(1)", "'a'.size(1)", "has('a'.b)"});
  EXPECT_EQ(run("startswith('a')"),
            "compile: undeclared reference to 'startswith' (in container ''), did you mean 'startsWith'?");
  EXPECT_EQ(run("[1, 'a'][1]"), "\"a\"");
}

TEST_F(Language, LoopsOverListsAndMaps) {
  EXPECT_EQ(run("[1, 2, 3].map(x, x > 1, x * x)"), "[4, 9]");
  EXPECT_EQ(run("{'a': 1, 'b': 2}.map(k, k)"), "[\"a\", \"b\"]");
  EXPECT_EQ(run("{'a': 1, 'b': 2}.transformMap(k, v, v > 1, v + 1)"), "{\"b\": 3}");
  EXPECT_EQ(run("['a', 'b'].transformMapEntry(i, v, {v: i})"), "{\"a\": 0, \"b\": 1}");
  EXPECT_EQ(run("[[1, 2], [3]].map(l, l.map(x, x + 1))"), "[[2, 3], [4]]");
  EXPECT_EQ(run("cel.bind(x, [1], x.map(y, x.map(z, y + z)))"), "[[2]]");
  EXPECT_EQ(run("[1, 2].map(x, [x]).map(l, l + [0])"), "[[1, 0], [2, 0]]");
  expect_error({"['a', 'a'].transformMapEntry(i, v, {v: i})", "{'a': 1, 'a': 2}"});
}

TEST_F(Language, OptionalsChain) {
  expect_true({"{}.?a.?b.orValue(1) == 1", "{'a': {'b': 2}}.?a.b == optional.of(2)", "[1][?5] == optional.none()",
               "optional.of(1).or(optional.of(1 / 0)).value() == 1", "optional.none().or(optional.of(2)).value() == 2",
               "optional.of(1).optMap(x, x + 1).value() == 2", "[?optional.none(), 1] == [1]",
               "{?'a': optional.none()} == {}", "!optional.ofNonZeroValue('').hasValue()",
               "optional.unwrap([optional.of(1), optional.none()]) == [1]"});
  expect_error({"optional.none().value()"});
}

TEST_F(Language, TimesKnowZones) {
  expect_true({"timestamp('2024-07-01T12:00:00Z').getHours('Europe/Berlin') == 14",
               "timestamp('2024-01-01T12:00:00Z').getHours('Europe/Berlin') == 13",
               "timestamp('2050-07-01T12:00:00Z').getHours('America/New_York') == 8",
               "timestamp('2024-01-01T12:00:00Z').getHours('-08:30') == 3",
               "timestamp('2024-02-29T00:00:00+01:00').getDate() == 28", "duration('1h30m') == duration('5400s')",
               "string(duration('1.5s')) == '1.5s'", "duration('-1.5s') < duration('0')",
               "timestamp(0) == timestamp('1970-01-01T00:00:00Z')"});
  expect_error({"timestamp('2024-02-30T00:00:00Z')", "timestamp('9999-12-31T23:59:59Z') + duration('1s')",
                "duration('300000000000s')", "timestamp(0).getHours('Mars/Base')",
                "timestamp(0).getHours('../etc/x')"});
}

// As Go's regexp has them.
TEST_F(Language, PatternsAreThoseOfGo) {
  expect_true({R"('ab'.matches('^(?<n>a)(?P<m>b)$'))", R"('<?'.matches('^[(?<n>]+[?]$'))",
               R"('(?<'.matches('\\Q(?<\\E'))", R"('a]'.matches('^[]a[:digit:](?<]+$'))"});
  expect_error({R"('a'.matches('\\C'))", R"('a'.matches('(?P<\u00e9>a)'))", R"('a'.matches('(?<=b)a'))"});
}

// Sixteen million elements, made of forty.
TEST_F(Language, ComparingWhatIsSharedManyTimesEnds) {
  std::string nested;
  for (int i = 0; i < 24; ++i)
    nested += "cel.bind(a" + std::to_string(i + 1) + ", [a" + std::to_string(i) + ", a" + std::to_string(i) + "], ";
  const std::string all = "cel.bind(a0, [1], " + nested + "a24 == a24" + std::string(25, ')');
  expect_error({all.c_str(), "sets.contains(lists.range(20000), lists.range(20000))"});
}

TEST_F(Language, TextsCountCodePoints) {
  expect_true({"'\u00e9x'.size() == 2", "'\u00e9x'.charAt(1) == 'x'", "'a-b-c'.split('-', 2) == ['a', 'b-c']",
               "'abab'.replace('a', 'c', 1) == 'cbab'", "'abc'.replace('', '-') == '-a-b-c-'",
               "'\u00a0 a '.trim() == 'a'", "['a', 'b'].join('-') == 'a-b'", "strings.quote('a\"') == '\"a\\\\\"\"'",
               "'abcabc'.lastIndexOf('b') == 4", "'abc'.substring(1, 2) == 'b'",
               "'a1b22'.findAll('[0-9]+') == ['1', '22']", "'abc'.find('z') == ''",
               "'%s %.2f %x'.format(['a', 1.5, 255]) == 'a 1.50 ff'"});
  expect_error({"'abc'.charAt(4)", "'abc'.substring(2, 1)", "'%d'.format([])", "'%q'.format([1])", "'a'.matches('[')"});
}

TEST_F(Language, ListsAndSets) {
  expect_true({"[3, 1, 2].sort() == [1, 2, 3]", "['bb', 'a'].sortBy(s, s.size()) == ['a', 'bb']",
               "[[1], [[2]]].flatten(2) == [1, 2]", "[1, 2, 3].slice(1, 3) == [2, 3]", "lists.range(3) == [0, 1, 2]",
               "[1, 1u, 2].distinct().size() == 2", "[1, 2].first().value() == 1", "[].last() == optional.none()",
               "[1, 2].sum() == 3", "['a', 'b'].max() == 'b'", "[1, 2].isSorted()", "[1, 2, 1].lastIndexOf(1) == 2",
               "[1, 2].includes(2)", "'a'.includes('a')", "sets.contains([1, 2], [2])",
               "sets.equivalent([1], [1, 1])"});
  expect_error({"[1].slice(0, 2)", "[1].slice(1, 0)", "lists.range(-1)", "[9223372036854775807, 1].sum()"});
}

TEST_F(Language, QuantitiesAreExact) {
  expect_true(
      {"quantity('1.5Gi') == quantity('1536Mi')", "quantity('1e3') == quantity('1k')",
       "quantity('100m').add(quantity('900m')) == quantity('1')", "quantity('0.1').add(1).sub(1) == quantity('100m')",
       "quantity('922337203685477580').asInteger() == 922337203685477580", "sign(quantity('-1')) == -1",
       "quantity('1n').isGreaterThan(quantity('0'))", "quantity('0.1n') == quantity('1n')",
       "quantity('8Ei').compareTo(quantity('9223372036854775807')) == 0", "!isQuantity('1KiB')", "!isQuantity('')",
       "!quantity('1500m').isInteger()", "quantity('1.5Gi').asApproximateFloat() == 1610612736.0"});
  expect_error({"quantity('x')", "quantity('1500m').asInteger()"});
}

TEST_F(Language, VersionsCompareBySemver) {
  expect_true({"semver('1.0.0-alpha').isLessThan(semver('1.0.0'))", "semver('1.0.0-2').isLessThan(semver('1.0.0-10'))",
               "semver('1.0.0-10').isLessThan(semver('1.0.0-a'))", "semver('1.0.0+a') == semver('1.0.0+b')",
               "semver('v1.2', true) == semver('1.2.0')", "semver('v01.02.03', true) == semver('1.2.3')",
               "!isSemver('1.2')", "!isSemver('01.2.3')", "!isSemver('1.2.3-01')", "semver('1.2.3').minor() == 2"});
}

TEST_F(Language, AddressesAndUrls) {
  expect_true({"ip('::1').isLoopback()", "ip('fe80::1').isLinkLocalUnicast()", "ip('8.8.8.8').isGlobalUnicast()",
               "!isIP('::ffff:1.2.3.4')", "!isIP('01.2.3.4')", "!ip.isCanonical('2001:DB8::1')",
               "string(ip('2001:db8:0:0:1:0:0:1')) == '2001:db8::1:0:0:1'", "cidr('10.0.0.0/8').containsIP('10.9.9.9')",
               "!cidr('10.0.0.0/8').containsCIDR('10.0.0.0/7')", "cidr('10.1.2.3/8').masked() == cidr('10.0.0.0/8')",
               "url('https://u:p@[::1]:80/a b?x=1&x=2').getHostname() == '::1'",
               "url('https://h/a?x=1&x=2').getQuery() == {'x': ['1', '2']}",
               "url('https://h/a b').getEscapedPath() == '/a%20b'", "!isURL('a/b')", "isURL('/a')",
               "format.named('dns1123Label').value().validate('A').hasValue()",
               "base64.decode(base64.encode(b'ab')) == b'ab'"});
}

TEST_F(Language, HostileExpressionsEndWithAnError) {
  EXPECT_NE(run("lists.range(300000).all(x, x >= 0)").find("cost limit"), std::string::npos);
  EXPECT_NE(run("lists.range(300000).all(x, x >= 0) || true").find("cost limit"), std::string::npos);
  expect_error({"lists.range(9223372036854775807)", "lists.range(100000000).size()",
                "lists.range(10000).map(x, lists.range(10000))"});
  std::string text = "'aaaaaaaaaa'";
  for (int i = 0; i < 20; ++i) text += ".replace('', 'aaaaaaaaaaaaaaaaaaaa')";
  EXPECT_NE(run(text).find("memory"), std::string::npos);
  EXPECT_EQ(run("'" + std::string(2'000, 'a') + "'.matches('(a*)*b')"), "false");
}

// Took ten seconds to check while every look-up of a type variable walked over all bindings.
TEST_F(Language, ChainsOfOptMapAreCheckedQuickly) {
  std::string text = "optional.of(1)";
  for (int i = 0; i < 12; ++i) text += ".optMap(x, x)";
  EXPECT_EQ(run(text), "optional.of(1)");
}

TEST_F(Language, CostsFollowTheApiServer) {
  // Values of the API server's own estimator and tracker.
  const DeclaredSizes sizes(*environment_);
  const auto costs = [&](std::string_view text, std::uint64_t estimate, std::uint64_t actual) {
    auto checked = compile(text, environment_);
    ASSERT_TRUE(checked) << text;
    EXPECT_EQ(estimate_cost(*checked, sizes).max, estimate) << text;
    (void)run(text);
    EXPECT_EQ(cost_, actual) << text;
  };
  costs("[3, 1, 2].sortBy(x, -x)[0] == 3", 106, 77);
  costs("{'a': 1}.transformMapEntry(k, v, {v: k})[1] == 'a'", 97, 38);
  costs("[1, 2, 3].map(x, x * 2).filter(y, y > 2).exists(z, z == 6)", 138, 89);
  costs("url('https://example.com:80/path?a=b').getQuery()['a'] == ['b']", 17, 8);
  costs("1 / 0 == 1 || true", 2, 2);
  costs("has({'a': 1}.a)", 30, 1);
  costs("[optional.of(1), optional.none()].unwrapOpt() == [1]", 24, 14);
}

TEST(Program, ReadsVariablesFromTheirSlots) {
  EnvironmentBuilder builder;
  add_standard(builder);
  const std::uint32_t x = builder.add_variable("x", &types::kInt);
  const std::uint32_t name = builder.add_variable("a.b", &types::kString);
  const auto environment = builder.build();
  auto checked = compile("x > 1 && a.b == 'y'", environment);
  ASSERT_TRUE(checked) << checked.error().to_string();
  const Program program(*std::move(checked));
  Arena arena;
  EvalContext context(arena);
  Value variables[2];
  variables[x] = Value::integer(2);
  variables[name] = Value::string("y");
  EXPECT_TRUE(program.evaluate(variables, context).is_true());
  variables[x] = Value::integer(1);
  EXPECT_TRUE(program.evaluate(variables, context).is_false());
  EXPECT_TRUE(program.evaluate({}, context).is_error());
}

TEST(Program, InterruptStopsALoop) {
  EnvironmentBuilder builder;
  add_standard(builder);
  add_lists(builder);
  auto checked = compile("lists.range(100000).all(x, x >= 0)", builder.build());
  ASSERT_TRUE(checked);
  const Program program(*std::move(checked));
  Arena arena;
  EvalContext context(arena);
  int asked = 0;
  context.set_interrupt([](void* user) { return ++*static_cast<int*>(user) == 3; }, &asked);
  EXPECT_TRUE(program.evaluate({}, context).is_error());
  EXPECT_EQ(asked, 3);
}

}  // namespace
}  // namespace berth::cel
