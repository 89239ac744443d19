// Device selectors against the upstream DRA CEL package: compile error or not, estimated cost, and for every device the
// value or an error, in each environment that the API server and the scheduler compile in.
//
// Answers come from oracle/dracel: for the expressions written down there, for generated ones of fixed seeds, and for
// the file that the environment variable BERTH_ORACLE_FRESH_CEL names.
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "dialects/dra/device_selector.h"
#include "dialects/dra/device_view.h"
#include "oracle/data_file.h"
#include "support/source_directory.h"

namespace berth::dialects::dra {
namespace {

namespace fs = std::filesystem;

// What stays different, and why; see docs/differences.md. Expression to reason.
const std::map<std::string, std::string, std::less<>>& differences() {
  static const std::map<std::string, std::string, std::less<>> kDifferences = {
      {R"({1.5: "a"}.size() == 1)", "the specification has no double as a key"},
      {R"({"a": 1, "a": 2}.a == 2)", "the specification has no key twice"},
      {R"("%.3e".format([1234.5]) == "1.234e+03")",
       "the specification's format, not the English of cel-go's version 2"},
      {R"("%s".format([{"a": 1, "b": [true, null]}]) == "{a: 1, b: [true, null]}")", "the specification's format"},
      {R"(quantity("100000000000000000000") == quantity("9223372036854775807"))", "above the API's largest amount"},
  };
  return kDifferences;
}

api::AttributeValue attribute_value(const text::Value& value) {
  const text::Member& member = value.members().front();
  const std::string_view kind = member.name();
  const auto texts = [&] {
    std::vector<std::string> out;
    for (const text::Value& item : member.value.items()) out.emplace_back(item.text());
    return out;
  };
  if (kind == "int") return *member.value.as_int64();
  if (kind == "bool") return member.value.is_true();
  if (kind == "string") return std::string(member.value.text());
  if (kind == "version") return api::Version{std::string(member.value.text())};
  if (kind == "strings") return texts();
  if (kind == "versions") {
    std::vector<api::Version> out;
    for (std::string& text : texts()) out.push_back({std::move(text)});
    return out;
  }
  if (kind == "ints") {
    std::vector<std::int64_t> out;
    for (const text::Value& item : member.value.items()) out.push_back(*item.as_int64());
    return out;
  }
  EXPECT_EQ(kind, "bools");
  std::vector<bool> out;
  for (const text::Value& item : member.value.items()) out.push_back(item.is_true());
  return out;
}

struct NamedDevice {
  std::string driver;
  api::Device device;
};

NamedDevice read_device(const text::Value& value) {
  NamedDevice out;
  out.driver = value.find("driver")->text();
  const text::Value& device = *value.find("device");
  if (const text::Value* allow = device.find("allowMultipleAllocations")) {
    out.device.allow_multiple_allocations = allow->is_true();
  }
  if (const text::Value* attributes = device.find("attributes")) {
    api::DeviceAttributes read;
    for (const text::Member& member : attributes->members()) {
      read.push_back({std::string(member.name()), attribute_value(member.value)});
    }
    out.device.attributes = std::move(read);
  }
  if (const text::Value* capacities = device.find("capacity")) {
    api::DeviceCapacities read;
    for (const text::Member& member : capacities->members()) {
      const auto quantity = api::Quantity::parse(member.value.find("value")->text());
      // Upstream caps what is too large; here it would be refused long before.
      read.push_back({std::string(member.name()),
                      quantity.value_or(api::Quantity::from_units(std::numeric_limits<std::int64_t>::max())),
                      {}});
    }
    out.device.capacity = std::move(read);
  }
  return out;
}

SelectorRules rules_of(std::string_view environment) {
  return {.version = api::KubernetesVersion::k137,
          .consumable_capacity = environment.contains("consumable"),
          .list_attributes = environment.contains("lists"),
          .stored = environment.starts_with("stored")};
}

class Comparison {
 public:
  explicit Comparison(const text::Value& header) {
    for (const text::Value& name : header.find("environments")->items()) {
      environments_.emplace_back(name.text());
      compilers_.emplace_back(rules_of(name.text()));
    }
    for (const text::Value& device : header.find("devices")->items()) devices_.push_back(read_device(device));
  }

  void compare(const text::Value& line) {
    const std::string expression(line.find("expression")->text());
    ++expressions;
    if (differences().contains(expression)) return;
    for (const text::Value& outcome : line.find("outcomes")->items()) {
      for (const text::Value& environment : outcome.find("environments")->items()) {
        compare(expression, static_cast<std::size_t>(*environment.as_int64()), outcome);
      }
    }
  }

  int expressions = 0;
  int compiled = 0;
  int refused = 0;
  int values = 0;
  int errors = 0;
  int costs = 0;
  int other_costs = 0;  // the cost at run time is not ours

 private:
  void compare(const std::string& expression, std::size_t environment, const text::Value& outcome) {
    const auto selector = compilers_[environment].compile(expression);
    const std::string where = environments_[environment] + ": " + expression.substr(0, 400);
    const text::Value* error = outcome.find("error");
    if (expression.size() > kMaxExpressionBytes) {  // the API server's validation, outside of upstream's package
      EXPECT_FALSE(selector) << where;
      return;
    }
    if (error != nullptr) {
      ++refused;
      EXPECT_FALSE(selector) << where << "\nupstream refuses it: " << error->text();
      return;
    }
    if (!selector) {
      ADD_FAILURE() << where << "\nupstream compiles it; here: " << selector.error().message;
      return;
    }
    ++compiled;
    EXPECT_EQ(std::to_string(selector->estimated_cost()), outcome.find("estimate")->text()) << where << "\n(estimate)";
    for (const text::Value& result : outcome.find("results")->items()) {
      for (const text::Value& device : result.find("devices")->items()) {
        compare(*selector, devices_[static_cast<std::size_t>(*device.as_int64())], result, where);
      }
    }
  }

  void compare(const DeviceSelector& selector, const NamedDevice& named, const text::Value& expected,
               const std::string& where) {
    cel::Arena arena;
    const auto device = device_value(named.driver, named.device, arena);
    SelectorOutcome got{SelectorOutcome::Kind::kError, device ? "" : device.error().message, 0};
    cel::Arena scratch;
    if (device) got = selector.evaluate(*device, scratch);
    const std::string at = where + "\non a device of " + named.driver;
    const text::Value* error = expected.find("error");
    if (error != nullptr && error->text().starts_with("internal error")) return;  // upstream panicked
    if (error != nullptr) {
      ++errors;
      EXPECT_EQ(got.kind, SelectorOutcome::Kind::kError) << at << "\nupstream's error: " << error->text();
      return;
    }
    ++values;
    const bool value = expected.find("value")->is_true();
    EXPECT_EQ(got.kind, value ? SelectorOutcome::Kind::kYes : SelectorOutcome::Kind::kNo)
        << at << "\nupstream's value: " << value << "; here: " << got.error;
    const text::Value* cost = expected.find("cost");
    if (cost == nullptr) return;  // none, or it depends on the order in which a map is walked over
    ++costs;
    if (got.cost == *cost->as_uint64()) return;
    ++other_costs;
    if (std::getenv("BERTH_SHOW_COSTS") != nullptr) {
      std::cout << at << "\ncost " << got.cost << ", upstream " << *cost->as_uint64() << '\n';
    }
  }

  std::vector<std::string> environments_;
  std::vector<SelectorCompiler> compilers_;
  std::vector<NamedDevice> devices_;
};

void compare_file(const std::string& path) {
  std::optional<Comparison> comparison;
  const Result<void> read = oracle::for_each_line(path, [&](const text::Value& root) -> Result<void> {
    if (!comparison) {
      comparison.emplace(root);
    } else {
      comparison->compare(root);
    }
    return {};
  });
  ASSERT_TRUE(read) << path << ": " << read.error().to_string();
  ASSERT_TRUE(comparison) << path << " is empty";
  std::cout << fs::path(path).filename().string() << ": " << comparison->expressions << " expressions compared; "
            << comparison->compiled << " compiled and " << comparison->refused << " refused; " << comparison->values
            << " values, " << comparison->errors << " errors; run-time cost equal for "
            << comparison->costs - comparison->other_costs << " of " << comparison->costs << '\n';
  EXPECT_GE(comparison->expressions, 100);
}

const std::string kData = std::string(support::source_directory()) + "/tests/oracle/data/";

TEST(DraCel, AgreesOnTheCorpus) { compare_file(kData + "dra-cel-corpus.jsonl.gz"); }

TEST(DraCel, AgreesOnGeneratedExpressions) { compare_file(kData + "dra-cel-seed-1.jsonl.gz"); }

TEST(DraCel, AgreesOnFreshExpressions) {
  const char* fresh = std::getenv("BERTH_ORACLE_FRESH_CEL");
  if (fresh == nullptr) GTEST_SKIP() << "BERTH_ORACLE_FRESH_CEL is not set";
  compare_file(fresh);
}

}  // namespace
}  // namespace berth::dialects::dra
