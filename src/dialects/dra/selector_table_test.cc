#include "dialects/dra/selector_table.h"

#include <gtest/gtest.h>

namespace berth::dialects::dra {
namespace {

using engine::devices::AtomType;
using engine::devices::KindId;
using Answer = engine::devices::SelectorAnswer;

class Table : public ::testing::Test {
 protected:
  KindId kind(std::string_view driver, const std::vector<std::pair<std::string, std::string>>& attributes,
              std::int64_t memory = 0) {
    engine::devices::Kind out{
        .driver = names_.names.intern(driver), .allow_multiple = false, .attributes = {}, .capacities = {}};
    for (const auto& [name, value] : attributes) {
      out.attributes.push_back({catalogue_.attributes.intern(name), catalogue_.scalar(AtomType::kString, value)});
    }
    std::ranges::sort(out.attributes, {}, &engine::devices::Attribute::name);
    if (memory > 0) {
      out.capacities.push_back({.name = catalogue_.capacities.intern("memory"),
                                .value = static_cast<engine::devices::Quantity>(memory) * engine::devices::kNanoPerUnit,
                                .policy = {}});
    }
    return catalogue_.kinds.intern(std::move(out));
  }
  Answer::Kind ask(engine::devices::SelectorId selector, KindId kind) { return table_.answer(selector, kind).kind; }

  engine::Names names_;
  engine::devices::Catalogue catalogue_;
  Interner<engine::devices::SelectorId> expressions_;
  SelectorTable table_{expressions_, catalogue_, names_};
};

TEST_F(Table, EvaluatesOncePerProjection) {
  const auto selector = expressions_.intern(R"(device.attributes["d"].type == "gpu")");
  int yes = 0;
  for (int i = 0; i < 1000; ++i) {
    const KindId id = kind("d", {{"d/uuid", std::to_string(i)}, {"d/type", i % 4 == 0 ? "gpu" : "mig"}});
    yes += ask(selector, id) == Answer::Kind::kYes ? 1 : 0;
    EXPECT_EQ(table_.answer(selector, id), table_.answer(selector, id));
  }
  EXPECT_EQ(yes, 250);
  EXPECT_EQ(table_.evaluations(), 2U);
}

TEST_F(Table, SeesNamesThatComeLater) {
  const auto selector = expressions_.intern(R"(has(device.attributes["d"].type))");
  const KindId without = kind("d", {});
  EXPECT_EQ(ask(selector, without), Answer::Kind::kNo);
  EXPECT_EQ(ask(selector, kind("d", {{"d/type", "gpu"}})), Answer::Kind::kYes);
  EXPECT_EQ(ask(selector, without), Answer::Kind::kNo);
}

TEST_F(Table, BareCapacityCountsInItsDriversDomain) {
  const auto selector =
      expressions_.intern(R"(device.capacity["d"].?memory.orValue(quantity("0")).isGreaterThan(quantity("5")))");
  EXPECT_EQ(ask(selector, kind("d", {}, 6)), Answer::Kind::kYes);
  EXPECT_EQ(ask(selector, kind("e", {}, 6)), Answer::Kind::kNo);
  EXPECT_EQ(ask(selector, kind("d", {}, 5)), Answer::Kind::kNo);
  EXPECT_EQ(table_.evaluations(), 3U);
}

TEST_F(Table, ErrorsHaveMessages) {
  const auto missing = expressions_.intern(R"(device.attributes["d"].x == 1)");
  const Answer answer = table_.answer(missing, kind("d", {}));
  EXPECT_EQ(answer.kind, Answer::Kind::kError);
  EXPECT_EQ(table_.error(answer.error), "no such key: x");
  const auto broken = expressions_.intern("device.");
  EXPECT_EQ(table_.selector(broken), nullptr);
  EXPECT_EQ(ask(broken, kind("d", {})), Answer::Kind::kError);
}

TEST_F(Table, WalksOverAllNamesPerKind) {
  const auto selector = expressions_.intern("device.attributes.exists(d, d == 'e')");
  EXPECT_EQ(ask(selector, kind("d", {{"e/x", "1"}})), Answer::Kind::kYes);
  EXPECT_EQ(ask(selector, kind("d", {{"d/x", "1"}})), Answer::Kind::kNo);
}

// The API server takes a number of 20 digits, which no selector can be shown.
TEST_F(Table, VersionThatIsNoneConcernsItsDeviceAlone) {
  const auto with_version = [&](std::string_view version) {
    engine::devices::Kind out{
        .driver = names_.names.intern("d"), .allow_multiple = false, .attributes = {}, .capacities = {}};
    out.attributes = {
        {.name = catalogue_.attributes.intern("d/type"), .value = catalogue_.scalar(AtomType::kString, "gpu")},
        {.name = catalogue_.attributes.intern("d/v"), .value = catalogue_.scalar(AtomType::kVersion, version)}};
    return catalogue_.kinds.intern(std::move(out));
  };
  const KindId odd = with_version("99999999999999999999.0.0");
  const KindId other = with_version("1.0.99999999999999999999");
  const KindId sound = with_version("1.0.0");
  const auto odd_first = expressions_.intern(R"(device.attributes["d"].type == "gpu")");
  const auto odd_last = expressions_.intern(R"("gpu" == device.attributes["d"].type)");
  const auto of_driver = expressions_.intern(R"(device.driver == "d")");
  EXPECT_EQ(ask(odd_first, odd), Answer::Kind::kError);
  EXPECT_EQ(ask(odd_first, sound), Answer::Kind::kYes);
  EXPECT_EQ(ask(odd_first, other), Answer::Kind::kError);
  EXPECT_EQ(ask(odd_last, sound), Answer::Kind::kYes);
  EXPECT_EQ(ask(odd_last, odd), Answer::Kind::kError);
  EXPECT_EQ(ask(of_driver, sound), Answer::Kind::kYes);
  EXPECT_EQ(ask(of_driver, with_version("1.99999999999999999999.0")), Answer::Kind::kError);
  EXPECT_EQ(ask(of_driver, with_version("2.0.0")), Answer::Kind::kYes);
}

TEST_F(Table, ListsKeepTheirOrder) {
  const auto list = [&](const std::vector<std::string>& items) {
    std::vector<engine::devices::AtomId> atoms;
    for (const std::string& item : items) atoms.push_back(catalogue_.atom(AtomType::kString, item));
    engine::devices::Kind out{
        .driver = names_.names.intern("d"), .allow_multiple = false, .attributes = {}, .capacities = {}};
    out.attributes.push_back({catalogue_.attributes.intern("d/l"), catalogue_.list(std::move(atoms))});
    return catalogue_.kinds.intern(std::move(out));
  };
  const auto selector =
      expressions_.intern(R"(device.attributes["d"].l[0] == "b" && device.attributes["d"].l.size() == 3)");
  EXPECT_EQ(ask(selector, list({"b", "a", "b"})), Answer::Kind::kYes);
  EXPECT_EQ(ask(selector, list({"a", "b", "b"})), Answer::Kind::kNo);
}

}  // namespace
}  // namespace berth::dialects::dra
