#include "text/json_reader.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "support/entry_collector.h"
#include "text/json_writer.h"

namespace berth::text {
namespace {

using support::EntryCollector;
using Texts = std::vector<std::string>;

std::string reprint(std::string_view json) {
  const auto document = parse_json(json);
  return document ? to_json(document->root()) : document.error().to_string();
}

EntryCollector read(std::string_view json, ReadOptions options = {}) {
  EntryCollector seen;
  MemorySource source(json);
  JsonReader reader(source, options, seen);
  EXPECT_NE(reader.read(false), JsonReader::End::kNotJson);
  return seen;
}

// A source that gives one byte at a time, so that every place is once the end of the window.
class DripSource final : public ByteSource {
 public:
  explicit DripSource(std::string_view text) : rest_(text) {}
  Result<std::size_t> read(std::span<char> buffer) override {
    if (rest_.empty()) return std::size_t{0};
    buffer[0] = rest_[0];
    rest_.remove_prefix(1);
    return std::size_t{1};
  }

 private:
  std::string_view rest_;
};

TEST(ParseJson, KeepsOrderAndNumberTexts) {
  EXPECT_EQ(reprint(R"( {"b": 1.50, "a": [true, false, null, -0, 1e3, 123456789012345678901234567890], "": ""} )"),
            R"({"b":1.50,"a":[true,false,null,-0,1e3,123456789012345678901234567890],"":""})");
  EXPECT_EQ(reprint("[]"), "[]");
  EXPECT_EQ(reprint("{}"), "{}");
  EXPECT_EQ(reprint("\xEF\xBB\xBF\"x\""), "\"x\"");
}

TEST(ParseJson, ReadsIntegersWithoutFloatingPoint) {
  const auto document = parse_json(
      "[9223372036854775807, -9223372036854775808, 9223372036854775808, "
      "18446744073709551615, 1.0, 1e3, -1]");
  ASSERT_TRUE(document);
  const auto items = document->root().items();
  EXPECT_EQ(items[0].as_int64(), INT64_MAX);
  EXPECT_EQ(items[1].as_int64(), INT64_MIN);
  EXPECT_EQ(items[2].as_int64(), std::nullopt);
  EXPECT_EQ(items[2].as_uint64(), 9223372036854775808ULL);
  EXPECT_EQ(items[3].as_uint64(), UINT64_MAX);
  EXPECT_EQ(items[4].as_int64(), std::nullopt);
  EXPECT_EQ(items[4].as_double(), 1.0);
  EXPECT_EQ(items[5].as_double(), 1000.0);
  EXPECT_EQ(items[6].as_uint64(), std::nullopt);
}

TEST(ParseJson, UnescapesAndReplacesLoneSurrogatesAsGoDoes) {
  EXPECT_EQ(reprint(R"("a\"\\\/\b\f\n\r\t\u00e9\u20ac\ud83d\ude00")"),
            "\"a\\\"\\\\/\\b\\f\\n\\r\\t\u00e9\u20ac\U0001F600\"");
  EXPECT_EQ(reprint(R"("\ud83dx")"), "\"\uFFFDx\"");
  EXPECT_EQ(reprint(R"("\ud83d\ud83d\ude00")"), "\"\uFFFD\U0001F600\"");
  EXPECT_EQ(reprint(R"("\ude00")"), "\"\uFFFD\"");
  EXPECT_EQ(reprint(R"("\u0000")"), "\"\\u0000\"");
}

TEST(ParseJson, FindsValuesAndComparesTrees) {
  const auto a = parse_json(R"({"x": 1, "y": {"z": [1, 2]}})");
  const auto b = parse_json(R"({"y": {"z": [1, 2]}, "x": 1})");
  const auto c = parse_json(R"({"y": {"z": [1, 3]}, "x": 1})");
  ASSERT_TRUE(a && b && c);
  EXPECT_TRUE(equal(a->root(), b->root()));
  EXPECT_FALSE(equal(a->root(), c->root()));
  ASSERT_NE(a->root().find("y"), nullptr);
  EXPECT_EQ(a->root().find("y")->find("z")->size(), 2U);
  EXPECT_EQ(a->root().find("q"), nullptr);
  EXPECT_EQ(a->root().find("x")->find("q"), nullptr);
}

struct Broken {
  std::string text;
  std::int32_t line;
  std::int32_t column;
  std::string mention;
};

TEST(ParseJson, PlacesErrors) {
  const std::vector<Broken> cases = {
      {"", 1, 1, "empty"},
      {"{\"a\": 1,\n \"b\" 2}", 2, 6, "':' is expected"},
      {"{\"a\": 1,\n}", 2, 1, "key in double quotes"},
      {"{a: 1}", 1, 2, "key in double quotes"},
      {"[1, 2", 1, 6, "cut short"},
      {"[1 2]", 1, 4, "',' or the closing bracket"},
      {"[1,]", 1, 4, "a value is expected"},
      {"[01]", 1, 2, "number is malformed"},
      {"[1.]", 1, 2, "number is malformed"},
      {"[1e]", 1, 2, "number is malformed"},
      {"[-]", 1, 2, "number is malformed"},
      {"[+1]", 1, 2, "a value is expected"},
      {"[tru]", 1, 2, "a value is expected"},
      {"tru", 1, 4, "cut short"},
      {"\"a\nb\"", 1, 3, "line break or control"},
      {"\"\\x\"", 1, 2, "unknown escape"},
      {"\"\\u12g4\"", 1, 2, "unknown escape"},
      {"\"abc", 1, 5, "cut short"},
      {"\"abc\\", 1, 6, "cut short"},
      {"\"a\xFFz\"", 1, 3, "UTF-8"},
      {"\"\xC0\x80\"", 1, 2, "UTF-8"},
      {"\"\xED\xA0\x80\"", 1, 2, "UTF-8"},
      {"{\"a\": 1, \"b\": {\"c\": 1, \"c\": 2}}", 1, 24, "\"c\" comes twice"},
      {"{} {}", 1, 4, "More text follows"},
      {"NaN", 1, 1, "a value is expected"},
      {"[\"a\", \"b\\u00\"]", 1, 9, "unknown escape"},
  };
  for (const Broken& broken : cases) {
    const auto document = parse_json(broken.text);
    ASSERT_FALSE(document) << broken.text;
    EXPECT_EQ(document.error().place.line, broken.line) << broken.text;
    EXPECT_EQ(document.error().place.column, broken.column) << broken.text;
    EXPECT_NE(document.error().message.find(broken.mention), std::string::npos) << document.error().message;
  }
}

TEST(ParseJson, LimitsDepth) {
  EXPECT_TRUE(parse_json(std::string(200, '[') + std::string(200, ']')));
  EXPECT_FALSE(parse_json(std::string(201, '[') + std::string(201, ']')));
  EXPECT_FALSE(parse_json(std::string(1'000'000, '[')));
}

TEST(ParseJson, FindsADuplicateAmongManyKeys) {
  std::string text = "{";
  for (int i = 0; i < 1000; ++i) text += "\"key-" + std::to_string(i) + "\":1,";
  EXPECT_TRUE(parse_json(text + "\"last\":1}"));
  EXPECT_FALSE(parse_json(text + "\"key-17\":1}"));
}

TEST(ReadJson, NothingIsNoDocument) {
  EXPECT_TRUE(read("").entries.empty());
  EXPECT_TRUE(read(" \n\t\r\n ").errors.empty());
}

TEST(ReadJson, DeliversConcatenatedDocuments) {
  const EntryCollector seen = read("{\"a\":1}{\"b\":2}\n---\n{\"c\":3}\n--- # end\n[]\n");
  EXPECT_EQ(seen.texts(), (Texts{"{\"a\":1}", "{\"b\":2}", "{\"c\":3}"}));
  EXPECT_EQ(seen.entries[2].document, 3);
  EXPECT_EQ(seen.entries[2].start, (Location{3, 1}));
  EXPECT_TRUE(seen.errors.empty());
}

TEST(ReadJson, DeliversListsItemByItem) {
  const EntryCollector seen = read(
      "{\"apiVersion\": \"v1\", \"kind\": \"PodList\", \"items\": [\n  {\"x\": 1},\n  {\"y\": 2}\n"
      "], \"metadata\": {\"resourceVersion\": \"1\"}} {\"z\": 3}");
  EXPECT_EQ(seen.texts(), (Texts{"{\"x\":1}", "{\"y\":2}", "{\"z\":3}"}));
  EXPECT_EQ(seen.entries[1].item, 2);
  EXPECT_EQ(seen.entries[1].start, (Location{3, 3}));
  EXPECT_EQ(seen.entries[0].list_kind, "PodList");
  EXPECT_EQ(seen.entries[2].item, 0);
  EXPECT_EQ(seen.entries[2].document, 2);
  EXPECT_EQ(seen.entries[2].list_kind, "");
  EXPECT_EQ(read("[1, \"a\", []]").texts(), (Texts{"1", "\"a\"", "[]"}));
  EXPECT_EQ(read("{\"items\": {\"a\": 1}}").texts(), (Texts{"{\"items\":{\"a\":1}}"}));
}

TEST(ReadJson, DropsSkippedPathsAtEveryDepth) {
  const SkipPaths skip = {{"metadata", "managedFields"}, {"spec", "containers", "env"}};
  ReadOptions options;
  options.skip = &skip;
  const std::string pod =
      R"({"metadata":{"name":"a","managedFields":[{"x":{"env":[]}}]},"spec":{"containers":[{"name":"c","env":[{"value":"secret"}]}]}})";
  const std::string kept = R"({"metadata":{"name":"a"},"spec":{"containers":[{"name":"c"}]}})";
  EXPECT_EQ(read(pod, options).texts(), (Texts{kept}));
  EXPECT_EQ(read("{\"items\":[" + pod + "," + pod + "]}", options).texts(), (Texts{kept, kept}));
  EXPECT_EQ(read("{\"metadata\":{\"managedFields\":[1,}}", options).errors.size(), 1U);
}

TEST(ReadJson, SoftFaultCostsOnlyItsItem) {
  const EntryCollector seen = read("{\"items\":[{\"a\":1},\n{\"b\":1,\"b\":2},\n{\"c\":\"\xFF\"},\n{\"d\":4}]}");
  EXPECT_EQ(seen.texts(), (Texts{"{\"a\":1}", "{\"d\":4}"}));
  ASSERT_EQ(seen.errors.size(), 2U);
  EXPECT_EQ(seen.errors[0].place.line, 2);
  EXPECT_NE(seen.errors[0].message.find("item 2"), std::string::npos);
  EXPECT_EQ(seen.errors[1].place.line, 3);
}

TEST(ReadJson, AKeyTwiceAroundTheItemsOfAListIsToldOf) {
  for (const std::string_view json : {
           R"({"kind":"List","items":[{"a":1}],"items":[{"b":2}]})",
           R"({"items":null,"kind":"List","items":[{"a":1}]})",
           R"({"kind":"List","kind":"List","items":[{"a":1}]})",
           R"({"kind":"List","items":[{"a":1}],"kind":"List"})",
           R"({"items":[{"a":1}],"x":1,"x":2})",
       }) {
    EntryCollector seen;
    DripSource source(json);
    JsonReader(source, {}, seen).read(false);
    EXPECT_EQ(seen.texts(), (Texts{"{\"a\":1}"})) << json;
    ASSERT_EQ(seen.errors.size(), 1U) << json;
    EXPECT_NE(seen.errors[0].message.find("comes twice"), std::string::npos) << json;
  }
  const EntryCollector seen = read("{\"items\":[{\"a\":1}],\n \"items\":[{\"b\":2}]} {\"c\":3}");
  EXPECT_EQ(seen.texts(), (Texts{"{\"a\":1}", "{\"c\":3}"}));
  ASSERT_EQ(seen.errors.size(), 1U);
  EXPECT_EQ(seen.errors[0].place.line, 2);
  EXPECT_EQ(seen.errors[0].place.column, 2);
}

TEST(ReadJson, AnObjectWithItemsIsNoListAndIsNotLost) {
  const std::string pod = R"({"kind":"Pod","items":[{"x":1}],"metadata":{"name":"p"}})";
  EXPECT_EQ(read(pod).texts(), (Texts{pod}));
  EXPECT_TRUE(read(pod).errors.empty());
  // The kind comes too late.
  const EntryCollector seen = read(R"({"items":[{"x":1,"kind":"Node"}],"kind":"Pod","metadata":{"name":"p"}})");
  EXPECT_EQ(seen.texts(), (Texts{R"({"x":1,"kind":"Node"})"}));
  ASSERT_EQ(seen.errors.size(), 1U);
  EXPECT_NE(seen.errors[0].message.find("the kind Pod behind an array `items`"), std::string::npos);
}

TEST(ReadJson, BrokenDocumentDoesNotHideTheNext) {
  const EntryCollector seen =
      read("{\"a\": 1}\n{\"b\": }\n{\"c\": 3}\n{\"items\": [{\"d\": 4}, {\"e\" 5}]}\n{\"f\": 6}");
  EXPECT_EQ(seen.texts(), (Texts{"{\"a\":1}", "{\"c\":3}", "{\"d\":4}", "{\"f\":6}"}));
  ASSERT_EQ(seen.errors.size(), 2U);
  EXPECT_EQ(seen.errors[0].place.document, 2);
  EXPECT_EQ(seen.errors[1].place.line, 4);
}

TEST(ReadJson, TruncatedListDeliversWhatIsWhole) {
  const EntryCollector seen = read("{\"items\":[{\"a\":1},{\"b\":2},{\"c\":");
  EXPECT_EQ(seen.texts(), (Texts{"{\"a\":1}", "{\"b\":2}"}));
  ASSERT_EQ(seen.errors.size(), 1U);
  EXPECT_NE(seen.errors[0].message.find("cut short"), std::string::npos);
}

TEST(ReadJson, GivesUpAfterTooManyErrors) {
  std::string text;
  for (int i = 0; i < 1000; ++i) text += "{,}\n";
  const EntryCollector seen = read(text);
  EXPECT_EQ(seen.errors.size(), 101U);
  EXPECT_EQ(seen.errors.back().code, ErrorCode::kLimit);
}

TEST(ReadJson, SameWhereverTheWindowEnds) {
  const std::string text =
      "{\"a\": [1, 2.5e3, \"x\\u00e9\\n\", true, null]} 17 \n{\"kind\": \"List\", \"items\": [{\"b\": 1, "
      "\"b\": 2}, -3, \"\u20ac\", {}], \"m\": {}}\n---\n[false]";
  EntryCollector dripped;
  DripSource source(text);
  JsonReader reader(source, {}, dripped);
  EXPECT_EQ(reader.read(false), JsonReader::End::kSource);
  const EntryCollector whole = read(text);
  EXPECT_EQ(dripped.texts(), whole.texts());
  EXPECT_EQ(dripped.texts(),
            (Texts{"{\"a\":[1,2.5e3,\"x\u00e9\\n\",true,null]}", "17", "-3", "\"\u20ac\"", "{}", "false"}));
  ASSERT_EQ(dripped.errors.size(), 1U);
  EXPECT_EQ(dripped.errors, whole.errors);
}

// Items and members behind the list, printed as kubectl does: the window ends at each of the bytes around a comma.
TEST(ReadJson, TheWindowMayEndInTheSpaceBehindAComma) {
  constexpr std::size_t kWindow = std::size_t{256} * 1024;
  const std::string before = "{\n    \"kind\": \"List\",\n    \"items\": [\n        {\n            \"fill\": \"";
  const std::string after =
      "\"\n        },\n        {\n            \"b\": 2\n        }\n    ],\n    \"metadata\": {\n        \"c\": 3\n    "
      "},\n"
      "    \"more\": 4\n}\n";
  for (std::size_t cut = 0; cut <= after.size(); ++cut) {
    const std::string text = before + std::string(kWindow - before.size() - cut, 'x') + after;
    EntryCollector seen;
    MemorySource source(text);
    JsonReader reader(source, {}, seen);
    EXPECT_EQ(reader.read(false), JsonReader::End::kSource);
    ASSERT_TRUE(seen.errors.empty()) << cut << " bytes into the rest: " << seen.errors.front().to_string();
    ASSERT_EQ(seen.entries.size(), 2U) << cut;
    EXPECT_EQ(seen.entries[1].json, "{\"b\":2}") << cut;
  }
}

// Larger than the window, so that items are cut by its end and lines are counted over what was dropped.
TEST(ReadJson, LongListKeepsItemsAndLines) {
  std::string text = "{\"kind\": \"List\", \"items\": [\n";
  constexpr int kItems = 60'000;
  for (int i = 0; i < kItems; ++i) {
    text += "  {\n    \"number\": " + std::to_string(i) + ",\n    \"fill\": \"" + std::string(200, 'x') + "\"\n  }";
    text += i + 1 < kItems ? ",\n" : "\n";
  }
  text += "]}";
  EntryCollector seen;
  MemorySource source(text);
  JsonReader reader(source, {}, seen);
  EXPECT_EQ(reader.read(false), JsonReader::End::kSource);
  ASSERT_EQ(seen.entries.size(), static_cast<std::size_t>(kItems));
  for (int i = 0; i < kItems; i += 997) {
    const auto& entry = seen.entries[static_cast<std::size_t>(i)];
    EXPECT_EQ(entry.start, (Location{2 + 4 * i, 3}));
    EXPECT_EQ(entry.json.substr(0, 12 + std::to_string(i).size()), "{\"number\":" + std::to_string(i) + ",\"");
  }
}

TEST(ReadJson, LargeSingleDocumentGrowsTheWindow) {
  const std::string text = "{\"a\": \"" + std::string(8'000'000, 'y') + "\", \"b\": 1}";
  const EntryCollector seen = read(text);
  ASSERT_EQ(seen.entries.size(), 1U);
  EXPECT_EQ(seen.entries[0].json.size(), text.size() - 3);
}

TEST(ReadJson, LocatesValuesOfAnEntry) {
  struct Locator final : EntryVisitor {
    void entry(const Entry& entry) override { place = entry.locate(*entry.value.find("b")); }
    void error(const Error&) override {}
    Location place;
  } locator;
  MemorySource source("\n\n {\"items\": [ {\"a\": 1,\n   \"b\":  2}]}");
  JsonReader reader(source, {}, locator);
  EXPECT_EQ(reader.read(false), JsonReader::End::kSource);
  EXPECT_EQ(locator.place, (Location{4, 10}));
}

TEST(JsonWriter, WritesPrettyText) {
  const auto document = parse_json(R"({"a":[1,{"b":[]}],"c":{},"d":"x"})");
  ASSERT_TRUE(document);
  EXPECT_EQ(to_json(document->root(), JsonStyle::kPretty),
            "{\n  \"a\": [\n    1,\n    {\n      \"b\": []\n    }\n  ],\n  \"c\": {},\n  \"d\": \"x\"\n}");
}

TEST(JsonWriter, EscapesAsGoDoes) {
  std::string out;
  append_json_string(out, "<&>\x01\x7f\u2028\xFF\"\\");
  EXPECT_EQ(out, "\"<&>\\u0001\x7f\\u2028\\ufffd\\\"\\\\\"");
}

TEST(JsonWriter, WritesDoublesAsGoDoes) {
  std::string out;
  JsonWriter writer(out);
  writer.begin_array();
  for (const double value : {0.0, 0.1, 1e20, 1e21, 1e-6, 1e-7, 123456.789, -2.5}) writer.real(value);
  writer.end_array();
  EXPECT_EQ(out, "[0,0.1,100000000000000000000,1e+21,0.000001,1e-7,123456.789,-2.5]");
}

// As `jq -S` and Python's sort_keys order the members of a list.
TEST(JsonReader, AListMaySayItsKindBehindItsItems) {
  const std::string json =
      R"({"apiVersion": "v1", "items": [{"a": 1}, {"kind": "Node", "b": 2}, {"a": 3}], "kind": "PodList"} {"c": 4})";
  EntryCollector drip;
  DripSource slow(json);
  JsonReader slowly(slow, {}, drip);
  EXPECT_EQ(slowly.read(false), JsonReader::End::kSource);
  for (const EntryCollector& seen : {read(json), drip}) {
    EXPECT_TRUE(seen.errors.empty());
    EXPECT_EQ(seen.texts(), (Texts{R"({"kind":"Node","b":2})", R"({"a":1})", R"({"a":3})", R"({"c":4})"}));
    ASSERT_EQ(seen.entries.size(), 4U);
    EXPECT_EQ(seen.entries[0].list_kind, "");
    EXPECT_EQ(seen.entries[1].list_kind, "PodList");
    EXPECT_EQ(seen.entries[2].list_kind, "PodList");
    EXPECT_EQ(seen.entries[2].item, 3);
    EXPECT_EQ(seen.entries[2].start, (Location{1, 68}));
    EXPECT_EQ(seen.entries[3].list_kind, "");
  }
  // A list that says nothing has no items of a kind.
  EXPECT_EQ(read(R"({"items": [{"a": 1}], "x": {}})").texts(), Texts{R"({"a":1})"});
  // Nor does one that breaks off; what was read is delivered.
  EXPECT_EQ(read(R"({"items": [{"a": 1}, )").texts(), Texts{R"({"a":1})"});
}

}  // namespace
}  // namespace berth::text
