#include "text/yaml_reader.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "base/random.h"
#include "support/entry_collector.h"
#include "text/json_reader.h"
#include "text/json_writer.h"
#include "text/value_writer.h"
#include "text/yaml_scalar.h"
#include "text/yaml_writer.h"

namespace berth::text {
namespace {

using support::EntryCollector;
using Texts = std::vector<std::string>;

EntryCollector read(std::string_view yaml, ReadOptions options = {}) {
  EntryCollector seen;
  read_yaml(yaml, options, seen);
  return seen;
}

// JSON of the only document, or the error.
std::string bridge(std::string_view yaml) {
  const auto document = parse_yaml(yaml);
  return document ? to_json(document->root()) : document.error().to_string();
}

TEST(YamlScalar, MeansWhatKubectlReads) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"y", "true"},
      {"Yes", "true"},
      {"on", "true"},
      {"TRUE", "true"},
      {"tRue", "\"tRue\""},
      {"n", "false"},
      {"off", "false"},
      {"No", "false"},
      {"~", "null"},
      {"Null", "null"},
      {"", "null"},
      {"nULL", "\"nULL\""},
      {"0", "0"},
      {"-0", "0"},
      {"+12", "12"},
      {"0777", "511"},
      {"0o777", "511"},
      {"0x1F", "31"},
      {"-0x1f", "-31"},
      {"0b101", "5"},
      {"1_000", "1000"},
      {"08", "8"},
      {"0o8", "\"0o8\""},
      {"1__0", "10"},
      {"_1", "\"_1\""},
      {"9223372036854775807", "9223372036854775807"},
      {"9223372036854775808", "9223372036854775808"},
      {"18446744073709551616", "18446744073709551616"},
      {"-99999999999999999999", "-99999999999999999999"},
      {"1e30", "1e+30"},
      {"-9223372036854775808", "-9223372036854775808"},
      {"1.5", "1.5"},
      {"1.50", "1.5"},
      {".5", "0.5"},
      {"5.", "5"},
      {"1e3", "1000"},
      {"1e21", "1e+21"},
      {"1e-7", "1e-7"},
      {"3.0", "3"},
      {"1e", "\"1e\""},
      {"1e400", "\"1e400\""},
      {"1e-400", "0"},
      {"+.5", "0.5"},
      {"1.2.3", "\"1.2.3\""},
      {"1:30", "\"1:30\""},
      {"2024-01-02", "\"2024-01-02\""},
      {"2001-12-14t21:59:43.10-05:00", "\"2001-12-14t21:59:43.10-05:00\""},
      {"100m", "\"100m\""},
      {"4Gi", "\"4Gi\""},
      {"+", "\"+\""},
      {".", "\".\""},
      {"--1", "\"--1\""},
      {"0x", "\"0x\""},
      {"'1'", "\"1\""},
      {"\"true\"", "\"true\""},
      {"!!str 1", "\"1\""},
      {"!!int 3", "3"},
      {"!!float 3", "3"},
      {"!custom 1", "\"1\""},
  };
  for (const auto& [yaml, json] : cases) EXPECT_EQ(bridge("k: " + yaml), "{\"k\":" + json + "}") << yaml;
}

TEST(YamlScalar, RefusesWhatJsonCannotHold) {
  for (const std::string yaml : {".nan", ".inf", "-.Inf", "!!int x", "!!bool 1", "!!binary aGk="})
    EXPECT_EQ(read("k: " + yaml).errors.size(), 1U) << yaml;
}

TEST(YamlReader, ConvertsKeysToStrings) {
  EXPECT_EQ(bridge("{1: a, true: b, 1.5: c, 0x10: d, -3: e}"), R"({"1":"a","true":"b","1.5":"c","16":"d","-3":"e"})");
  EXPECT_NE(bridge("~: a").find("A key cannot be null"), std::string::npos);
  EXPECT_NE(bridge("[a]: b").find("A key cannot be a list"), std::string::npos);
  EXPECT_NE(bridge("? {a: 1}\n: b\nc: d").find("A key cannot be a list or a mapping"), std::string::npos);
}

TEST(YamlReader, ReadsDocuments) {
  const EntryCollector seen = read("# only a comment\n---\na: 1\n---\n---\n# nothing\n--- {b: 2}\n...\nc: 3\n---\n");
  EXPECT_EQ(seen.texts(), (Texts{"{\"a\":1}", "{\"b\":2}", "{\"c\":3}"}));
  EXPECT_EQ(seen.entries[0].document, 1);
  EXPECT_EQ(seen.entries[0].start, (Location{3, 1}));
  EXPECT_EQ(seen.entries[1].document, 2);
  EXPECT_EQ(seen.entries[1].start, (Location{7, 5}));
  EXPECT_EQ(seen.entries[2].start, (Location{9, 1}));
  EXPECT_TRUE(read("").entries.empty());
  EXPECT_TRUE(read("\n\n# x\n").errors.empty());
}

TEST(YamlReader, ReadsDirectivesBomAndWindowsLineEnds) {
  EXPECT_EQ(read("\xEF\xBB\xBF%YAML 1.1\n---\r\na: 1\r\n---\r\nb: 2\r\n").texts(), (Texts{"{\"a\":1}", "{\"b\":2}"}));
  EXPECT_EQ(read("a: 1\n...\n%TAG ! tag:x,2000:\n---\nb: 2\n").texts(), (Texts{"{\"a\":1}", "{\"b\":2}"}));
}

TEST(YamlReader, AByteOrderMarkBetweenJoinedFilesLosesNoDocument) {
  const std::string mark = "\xEF\xBB\xBF";
  const EntryCollector behind = read("a: 1\n---\n" + mark + "b: 2\nc: 3\n--- # next\r\n" + mark + "d: 4\nd: 5\n");
  EXPECT_EQ(behind.texts(), (Texts{"{\"a\":1}", "{\"b\":2,\"c\":3}"}));
  EXPECT_EQ(behind.entries.at(1).start.line, 3);
  ASSERT_EQ(behind.errors.size(), 1U);
  EXPECT_EQ(behind.errors[0].place.line, 7);
  EXPECT_EQ(behind.errors[0].place.document, 3);
  const EntryCollector before = read(mark + "---\na: 1\n" + mark + "---\nb: 2\nc: 3\n");
  EXPECT_EQ(before.texts(), (Texts{"{\"a\":1}", "{\"b\":2,\"c\":3}"}));
  EXPECT_EQ(read("--- |\n " + mark + "x\n").texts(), (Texts{"\"" + mark + "x\\n\""})) << "content stays";
}

TEST(YamlReader, BrokenDocumentDoesNotHideTheNext) {
  const EntryCollector seen = read("a: 1\n---\nb: [1, 2\nc: 3\n---\nd: 4\n---\ne: 'x\n---\nf: 6\n");
  EXPECT_EQ(seen.texts(), (Texts{"{\"a\":1}", "{\"d\":4}", "{\"f\":6}"}));
  ASSERT_EQ(seen.errors.size(), 2U);
  EXPECT_EQ(seen.errors[0].place.document, 2);
  EXPECT_EQ(seen.errors[0].place.line, 4);
  EXPECT_EQ(seen.errors[1].place.document, 4);
}

TEST(YamlReader, SaysWhatIsWrong) {
  const std::vector<std::tuple<std::string, std::int32_t, std::string>> cases = {
      {"a: 1\nb:\n\tc: 2\n", 3, "replace it with spaces"},
      {"a: 1\na: 2\n", 2, "\"a\" comes twice in one mapping; remove one of the two, or put a line --- between"},
      {"a:\n  b: {c: 1, c: 2}\n", 2, "\"c\" comes twice in one mapping; remove one of the two."},
      {"a: *x\n", 1, "names an anchor that does not come before"},
      {"a: 1\n b: 2\n", 2, "check indentation"},
      {"a: \"x\xFFy\"\n", 1, "UTF-8"},
      {"a: 1\nb: \"x\x01y\"\n", 2, "control characters"},
      {"a: {b: 1\n", 2, "check indentation"},
      {"a: &x [*x]\n", 1, "names an anchor"},
      {"<<: 3\n", 1, "takes a mapping"},
      {"\xFF\xFE"
       "a",
       1, "UTF-16"},
  };
  for (const auto& [yaml, line, mention] : cases) {
    const EntryCollector seen = read(yaml);
    ASSERT_EQ(seen.errors.size(), 1U) << yaml;
    EXPECT_EQ(seen.errors[0].place.line, line) << yaml;
    EXPECT_EQ(seen.errors[0].place.document, 1) << yaml;
    EXPECT_NE(seen.errors[0].message.find(mention), std::string::npos) << seen.errors[0].message;
  }
}

TEST(YamlReader, LimitsDepth) {
  EXPECT_EQ(read(std::string(300, '[') + std::string(300, ']')).errors.size(), 1U);
  std::string deep;
  for (int i = 0; i < 300; ++i) deep += std::string(static_cast<std::size_t>(i), ' ') + "a:\n";
  EXPECT_EQ(read(deep).errors.size(), 1U);
}

// 437 KB of gzip unpacked to sixty million of them, took 5 GB and ended in "not enough memory".
TEST(YamlReader, AMappingOfMillionsOfKeysEndsEarly) {
  std::string text;
  for (int i = 0; i < 1'200'000; ++i) text += "a: b\n";
  const EntryCollector seen = read(text + "---\nc: 1\n");
  EXPECT_EQ(seen.texts(), (Texts{"{\"c\":1}"}));
  ASSERT_EQ(seen.errors.size(), 1U);
  EXPECT_NE(seen.errors[0].message.find("more than 1048576 keys"), std::string::npos) << seen.errors[0].message;
}

TEST(YamlReader, ExpandsAliasesAndMergesKeys) {
  EXPECT_EQ(bridge("a: &x {p: 1, q: 2}\nb: *x\nc: {<<: *x, q: 3}\n"),
            R"({"a":{"p":1,"q":2},"b":{"p":1,"q":2},"c":{"q":3,"p":1}})");
  EXPECT_EQ(bridge("- &a {p: 1}\n- &b {p: 2, q: 3}\n- <<: [*a, *b]\n- {'<<': 1}\n"),
            R"([{"p":1},{"p":2,"q":3},{"p":1,"q":3},{"<<":1}])");
  EXPECT_EQ(bridge("a: &k name\n*k : 1\n"), R"({"a":"name","name":1})");
}

TEST(YamlReader, MergingManyKeysIntoManyTakesLinearTime) {
  constexpr std::size_t kKeys = 200'000;
  std::string text = "a: &a {";
  for (std::size_t i = 0; i < kKeys; ++i) text += "k" + std::to_string(i) + ": 1, ";
  text += "}\nb: {<<: *a, k7: 2";
  for (std::size_t i = 0; i < kKeys; ++i) text += ", l" + std::to_string(i) + ": 1";
  const EntryCollector seen = read(text + "}\n");
  ASSERT_EQ(seen.errors.size(), 0U);
  ASSERT_EQ(seen.entries.size(), 1U);
  const std::string& json = seen.entries[0].json;
  EXPECT_EQ(std::ranges::count(json, ':'), 2 + static_cast<std::ptrdiff_t>(3 * kKeys));
  EXPECT_NE(json.find("\"k7\":2"), std::string::npos) << "the mapping's own value counts";
}

TEST(YamlReader, AliasesOfALaterItemReachBack) {
  const EntryCollector seen = read("items:\n- &a {x: [1]}\n- {pad: " + std::string(1000, 'p') + "}\n- *a\n");
  ASSERT_EQ(seen.entries.size(), 3U);
  EXPECT_EQ(seen.entries[2].json, "{\"x\":[1]}");
}

TEST(YamlReader, AliasOfAFaultyItemIsNotDelivered) {
  const EntryCollector seen = read("items:\n- &x {p: 1, p: 2}\n- {q: *x}\n- {r: 3}\n");
  EXPECT_EQ(seen.texts(), (Texts{"{\"r\":3}"}));
  ASSERT_EQ(seen.errors.size(), 2U);
  EXPECT_NE(seen.errors[1].message.find("faulty itself"), std::string::npos);
}

TEST(YamlReader, BoundsAliasExpansion) {
  std::string laughs = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
  for (int i = 1; i < 12; ++i) {
    const std::string last = "*a" + std::to_string(i - 1);
    laughs += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [" + last;
    for (int j = 1; j < 10; ++j) laughs += ", " + last;
    laughs += "]\n";
  }
  const EntryCollector seen = read(laughs + "---\nb: 1\n");
  ASSERT_EQ(seen.errors.size(), 1U);
  EXPECT_EQ(seen.errors[0].code, ErrorCode::kLimit);
  EXPECT_EQ(seen.texts(), (Texts{"{\"b\":1}"}));
}

TEST(YamlReader, DeliversListsItemByItem) {
  const EntryCollector seen =
      read("apiVersion: v1\nkind: PodList\nitems:\n- a: 1\n- b: 1\n  b: 2\n- c: 3\nmetadata: {}\n");
  EXPECT_EQ(seen.texts(), (Texts{"{\"a\":1}", "{\"c\":3}"}));
  EXPECT_EQ(seen.entries[1].item, 3);
  EXPECT_EQ(seen.entries[1].start, (Location{7, 3}));
  EXPECT_EQ(seen.entries[1].list_kind, "PodList");
  ASSERT_EQ(seen.errors.size(), 1U);
  EXPECT_NE(seen.errors[0].message.find("item 2"), std::string::npos);
  EXPECT_EQ(read("items: 3\n").texts(), (Texts{"{\"items\":3}"}));
}

TEST(ReadYaml, ItemsThatComeTwiceInAListAreToldOf) {
  const EntryCollector seen = read("kind: List\nitems:\n- a: 1\nitems:\n- b: 2\n---\nc: 3\n");
  EXPECT_EQ(seen.texts(), (Texts{"{\"a\":1}", "{\"c\":3}"}));
  ASSERT_EQ(seen.errors.size(), 1U);
  EXPECT_NE(seen.errors[0].message.find("\"items\" comes twice"), std::string::npos) << seen.errors[0].message;
  EXPECT_EQ(seen.errors[0].place.line, 4);
}

TEST(ReadYaml, AnObjectWithItemsIsNoListAndIsNotLost) {
  EXPECT_EQ(read("kind: Pod\nitems: []\nname: p\n").texts(), (Texts{"{\"kind\":\"Pod\",\"items\":[],\"name\":\"p\"}"}));
  // The kind comes too late.
  const EntryCollector seen = read("items:\n- x: 1\nkind: Pod\nname: p\n");
  EXPECT_EQ(seen.texts(), (Texts{"{\"x\":1}"}));
  ASSERT_EQ(seen.errors.size(), 1U);
  EXPECT_NE(seen.errors[0].message.find("the kind Pod behind an array `items`"), std::string::npos);
  EXPECT_EQ(seen.errors[0].place.line, 3);
}

TEST(YamlReader, DropsSkippedPaths) {
  const SkipPaths skip = {{"data"}, {"spec", "containers", "env"}};
  ReadOptions options;
  options.skip = &skip;
  EXPECT_EQ(read("data: {k: s}\nspec:\n  containers:\n  - name: a\n    env: [{value: s}]\n", options).texts(),
            (Texts{"{\"spec\":{\"containers\":[{\"name\":\"a\"}]}}"}));
}

TEST(YamlReader, LocatesValues) {
  struct Locator final : EntryVisitor {
    void entry(const Entry& entry) override {
      if (const Value* b = entry.value.find("b")) place = entry.locate(*b->find("c"));
    }
    void error(const Error&) override {}
    Location place;
  } locator;
  read_yaml("x: 1\n---\na: 1\nb:\n  c: 2\n", {}, locator);
  EXPECT_EQ(locator.place, (Location{5, 6}));
}

TEST(YamlReader, ReadsBlockScalarsAndJson) {
  EXPECT_EQ(bridge("a: |\n  x\n   y\nb: >-\n  p\n  q\n"), R"({"a":"x\n y\n","b":"p q"})");
  EXPECT_EQ(bridge(R"({"a": [1, "b", null, true], "c": {"d": "\u00e9"}})"),
            "{\"a\":[1,\"b\",null,true],\"c\":{\"d\":\"\u00e9\"}}");
}

TEST(YamlWriter, WritesAsKubectlDoes) {
  const auto document = parse_json(
      R"({"a":{"b":[1,{"c":"x","d":[]},[2,[3]],"true"],"e":{}},"f":"line\nbreak","g":[],"h":null,"y":"1.5"})");
  ASSERT_TRUE(document);
  EXPECT_EQ(to_yaml(document->root()),
            "a:\n  b:\n  - 1\n  - c: x\n    d: []\n  - - 2\n    - - 3\n  - \"true\"\n  e: {}\nf: \"line\\nbreak\"\n"
            "g: []\nh: null\n\"y\": \"1.5\"\n");
  EXPECT_EQ(bridge(to_yaml(document->root())), to_json(document->root()));
}

TEST(YamlWriter, NegativeZeroKeepsItsSign) {
  const auto document = parse_yaml("[-0e773]");
  ASSERT_TRUE(document);
  EXPECT_EQ(to_json(document->root()), "[-0]");
  EXPECT_EQ(bridge(to_yaml(document->root())), "[-0]");
}

// Any tree comes back from its YAML; the trees come from a small generator with awkward strings.
TEST(YamlWriter, EveryTreeReadsBack) {
  Random random(7);
  const std::vector<std::string> strings = {
      "",       "a",      "yes",        "1",    "- x", "a: b", "#",   "'",      "\"",     "\\",   "\n",     " ",
      "x ",     "{}",     "[",          "*a",   "&a",  "!t",   "%",   "\u00e9", "\u2028", "\x7f", "\u0085", "\u009f",
      "\uFEFF", "\uFFFE", "\U0001F680", "\x01", "?",   "key:", "1e3", "0777",   "<<",     "---",  "...",    "~",
      "null",   ".5",     "1_0",        "@",    "`",   "a\tb", "0x1", "a #b",   "=",
  };
  for (int round = 0; round < 2000; ++round) {
    ValueWriter writer;
    const auto tree = [&](const auto& self, int depth) -> void {
      const auto kind = random.below(depth > 4 ? 4 : 6);
      const auto any = [&] { return strings[static_cast<std::size_t>(random.below(strings.size()))]; };
      if (kind < 2) return writer.string(any());
      if (kind == 2) return writer.integer(random.between(-5, 5));
      if (kind == 3) return random.chance(1, 2) ? writer.null() : writer.boolean(random.chance(1, 2));
      const auto count = static_cast<int>(random.below(4));
      kind == 4 ? writer.begin_array() : writer.begin_object();
      for (int i = 0; i < count; ++i) {
        if (kind == 5) writer.key(any() + std::to_string(i));
        self(self, depth + 1);
      }
      kind == 4 ? writer.end_array() : writer.end_object();
    };
    writer.begin_object();
    writer.key("root");
    tree(tree, 0);
    writer.end_object();
    const Document document = std::move(writer).finish();
    const std::string yaml = to_yaml(document.root());
    ASSERT_EQ(bridge(yaml), to_json(document.root())) << yaml;
  }
}

TEST(YamlScalar, KnowsWhatNeedsNoQuotes) {
  for (const char* plain : {"abc", "a-b.c", "x:y", "100m", "4Gi", "nvidia.com/gpu"})
    EXPECT_TRUE(yaml_reads_as_string(plain)) << plain;
  for (const char* quoted :
       {"", "true", "1", "1e3", "~", "- a", "a: b", "a #b", " a", "a ", "#x", "x\ny", "yes", "key:"})
    EXPECT_FALSE(yaml_reads_as_string(quoted)) << quoted;
}

}  // namespace
}  // namespace berth::text
