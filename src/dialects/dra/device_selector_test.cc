#include "dialects/dra/device_selector.h"

#include <gtest/gtest.h>

#include "dialects/dra/device_view.h"
#include "dialects/dra/published.h"

namespace berth::dialects::dra {
namespace {

constexpr std::string_view kDriver = "gpu.nvidia.com";

api::Device mig_device() {
  api::Device device;
  device.attributes = api::DeviceAttributes{{"cores", std::vector<std::int64_t>{3, 1, 2}},
                                            {"gpu.nvidia.com/type", std::string("mig")},
                                            {"profile", std::string("1g.10gb")},
                                            {"resource.kubernetes.io/numaNode", std::int64_t{1}},
                                            {"type", std::string("overruled")},
                                            {"version", api::Version{"9.0.0"}}};
  device.capacity = api::DeviceCapacities{{"memory", *api::Quantity::parse("9856Mi"), {}}};
  return device;
}

// "yes", "no", "error: ...", or "compile: ..." for the device above.
std::string run(std::string_view expression, const SelectorRules& rules = {}) {
  const auto selector = SelectorCompiler(rules).compile(expression);
  if (!selector) return "compile: " + selector.error().message;
  cel::Arena arena;
  cel::Arena scratch;
  const api::Device device = mig_device();
  const SelectorOutcome outcome = selector->evaluate(*device_value(kDriver, device, arena), scratch);
  if (outcome.kind == SelectorOutcome::Kind::kError) return "error: " + outcome.error;
  return outcome.kind == SelectorOutcome::Kind::kYes ? "yes" : "no";
}

TEST(DeviceSelector, ReadsNamesUnderTheirDomains) {
  EXPECT_EQ(run(R"(device.driver == "gpu.nvidia.com")"), "yes");
  EXPECT_EQ(run(R"(device.attributes["gpu.nvidia.com"].profile == "1g.10gb")"), "yes");
  EXPECT_EQ(run(R"(device.attributes["gpu.nvidia.com"].type == "mig")"), "yes");  // the qualified name counts
  EXPECT_EQ(run(R"(device.attributes["resource.kubernetes.io"].numaNode == 1)"), "yes");
  EXPECT_EQ(run(R"(device.attributes["gpu.nvidia.com"].version.isGreaterThan(semver("8.0.0")))"), "yes");
  EXPECT_EQ(run(R"(device.capacity["gpu.nvidia.com"].memory.isLessThan(quantity("10Gi")))"), "yes");
  EXPECT_EQ(run("device.allowMultipleAllocations"), "no");
}

TEST(DeviceSelector, UnknownDomainIsEmptyAndUnknownNameAnError) {
  EXPECT_EQ(run(R"(device.attributes["mig.nvidia.com"].profile == "1g.10gb")"), "error: no such key: profile");
  EXPECT_EQ(run(R"(device.attributes["mig.nvidia.com"].size() == 0)"), "yes");
  EXPECT_EQ(run(R"("mig.nvidia.com" in device.attributes)"), "no");
  EXPECT_EQ(run(R"(has(device.attributes["mig.nvidia.com"].profile))"), "no");
  EXPECT_EQ(run(R"(has(device.attributes.nowhere))"), "yes");  // as upstream
  EXPECT_EQ(run(R"(device.attributes["mig.nvidia.com"].?profile.orValue("") == "")"), "yes");
  EXPECT_EQ(run(R"(device.attributes["x"].y == 1 || true)"), "yes");
}

// The language's specification has errors here.
TEST(DeviceSelector, MapLiteralsTakeRepeatedAndOddKeysAsTheApiServerDoes) {
  for (const char* expression :
       {"{'a': 1, 'a': 2}['a'] == 2", "{'a': 1, 'a': 2}.size() == 1", "{1.0: 1}[1.0] == 1", "{type(1): 1}.size() == 1",
        "null in {null: 1}", "{dyn(1): 1, dyn(1u): 2}.size() == 2", "{dyn(1): 1, dyn(1u): 2}[dyn(1u)] == 2",
        "{1: 1}[dyn(1.0)] == 1", "{[1]: 1}.size() == 1", "{double('NaN'): 1, double('NaN'): 2}.size() == 2"}) {
    EXPECT_EQ(run(expression), "yes") << expression;
  }
  EXPECT_EQ(run("{1.0: 1}[dyn(1)] == 1").substr(0, 6), "error:");
  EXPECT_EQ(run("{b'a': 1}.size() == 1"), "error: unsupported key type: bytes");
}

TEST(DeviceSelector, TextsAreWrittenAsTheApiServerDoes) {
  for (const char* expression :
       {"'%f'.format([1234567.5]) == '1,234,567.500000'", "'%f'.format([-1234.5]) == '-1,234.500000'",
        "'%.2e'.format([1234.5678]) == '1.234568×10⁰³'", "'%e'.format([0.00125]) == '1.250000×10⁻⁰³'",
        "'%f'.format(['-Infinity']) == '-∞'", "'%.0f'.format([2.5]) == '2'", "'%.20e'.format([1.5]).size() == 20",
        "'%f'.format([-0.0]) == '0.000000'", "'%s'.format([[1.5, 'a\\nb']]) == '[1.500000, \"a\\\\nb\"]'",
        "'%s'.format([{'b': [1], 'a': b'x'}]) != ''", "'%s'.format([{1: 'x'}]) == '{1:\"x\"}'",
        "'%s'.format([double('Infinity')]) == '+Inf'",
        "'%s'.format([[timestamp(0)]]) == '[timestamp(\"1970-01-01T00:00:00Z\")]'", "'abc'.indexOf('', 5) == 3",
        "'abc'.indexOf('c', 5) == -1", "'abc'.lastIndexOf('', 5) == 3"}) {
    EXPECT_EQ(run(expression), "yes") << expression;
  }
  EXPECT_EQ(run("'abc'.indexOf('', -1) == -1"), "error: index out of range: -1");
  EXPECT_TRUE(run("'%d'.format([dyn(double('NaN'))]) == ''").starts_with("error: "));
  EXPECT_TRUE(run("'%f'.format([dyn(1)]) == ''").starts_with("error: "));
  EXPECT_TRUE(run("'%.f'.format([1.5]) == ''").starts_with("compile: "));
}

// Answers of the API server's package for selectors.
TEST(DeviceSelector, ATimestampIsWrittenInTheZoneInWhichItCame) {
  const std::string noon = "timestamp('2020-01-01T12:00:00+02:00')";
  for (const std::string& expression : std::vector<std::string>{
           "string(" + noon + ") == '2020-01-01T12:00:00+02:00'",
           "string(" + noon + " + duration('1h')) == '2020-01-01T13:00:00+02:00'",
           "string(duration('1h') + " + noon + ") == '2020-01-01T13:00:00+02:00'",
           "string(timestamp('2020-01-01T12:00:00-02:30') - duration('1h')) == '2020-01-01T11:00:00-02:30'",
           "'%s'.format([" + noon + "]) == '2020-01-01T12:00:00+02:00'",
           "'%s'.format([[" + noon + "]]) == '[timestamp(\"2020-01-01T12:00:00+02:00\")]'", noon + ".getHours() == 10",
           noon + " == timestamp('2020-01-01T10:00:00Z')",
           "string(timestamp('2020-01-01T12:00:00-00:00')) == '2020-01-01T12:00:00Z'",
           "string(timestamp('2020-01-01T12:00:00+23:60')) == '2020-01-01T12:00:00+24:00'",
           "string(timestamp('2020-01-01T12:00:00-00:30')) == '2020-01-01T12:00:00-00:30'",
           "string(timestamp('0001-01-01T00:00:00-01:00')) == '0001-01-01T00:00:00-01:00'"}) {
    EXPECT_EQ(run(expression), "yes") << expression;
  }
}

TEST(DeviceSelector, OnlyBoolsAreAnswers) {
  EXPECT_TRUE(run("1").contains("the expression gives int"));
  EXPECT_EQ(run(R"(device.attributes["gpu.nvidia.com"].profile)"), "error: the result is string and not a bool");
  EXPECT_EQ(run("dyn(optional.of(true))"), "yes");
  EXPECT_TRUE(run("dyn(true)", {.stored = false}).starts_with("compile: "));
}

TEST(DeviceSelector, LanguageFollowsVersionAndGates) {
  using api::KubernetesVersion;
  const std::string_view lists = "[3, 1].sort() == [1, 3]";
  EXPECT_EQ(run(lists, {.version = KubernetesVersion::k134}), "yes");
  EXPECT_TRUE(run(lists, {.version = KubernetesVersion::k134, .stored = false}).starts_with("compile: "));
  EXPECT_EQ(run(lists, {.version = KubernetesVersion::k135, .stored = false}), "yes");
  const std::string_view includes = R"(device.attributes["gpu.nvidia.com"].cores.includes(2))";
  EXPECT_EQ(run(includes), "yes");
  EXPECT_TRUE(run(includes, {.version = KubernetesVersion::k135}).starts_with("compile: "));
  EXPECT_TRUE(run(includes, {.stored = false}).starts_with("compile: "));
  EXPECT_EQ(run(includes, {.list_attributes = true, .stored = false}), "yes");
  const std::string_view shared = "!device.allowMultipleAllocations";
  EXPECT_TRUE(run(shared, {.consumable_capacity = false, .stored = false}).starts_with("compile: "));
  EXPECT_EQ(run(shared, {.consumable_capacity = false}), "yes");
}

TEST(DeviceSelector, LimitsHold) {
  const SelectorCompiler compiler;
  const std::string ten = "[1, 2, 3, 4, 5, 6, 7, 8, 9, 10]";
  std::string nested = "true";
  for (const char c : std::string("abcdef")) nested = ten + ".all(" + c + ", " + nested + ")";
  EXPECT_TRUE(compiler.compile(nested));
  const auto refused = compiler.admit(nested);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kLimit);
  EXPECT_TRUE(run(nested + " && true").starts_with("error: operation cancelled"));
  EXPECT_EQ(compiler.compile(std::string(kMaxExpressionBytes + 1, ' ')).error().code, ErrorCode::kLimit);
}

TEST(DeviceSelector, CompileErrorsPointAndSuggest) {
  EXPECT_EQ(run("device.attribute['gpu.nvidia.com'].type == 'mig'"),
            "compile: ERROR: <input>:1:7: undefined field 'attribute', did you mean 'attributes'?\n"
            " | device.attribute['gpu.nvidia.com'].type == 'mig'\n"
            " | ......^");
}

TEST(DeviceSelector, InvalidVersionIsAnErrorOfTheDevice) {
  api::Device device;
  device.attributes = api::DeviceAttributes{{"version", api::Version{"1.0"}}};
  cel::Arena arena;
  EXPECT_FALSE(device_value(kDriver, device, arena));
}

std::string names_of(std::string_view expression) {
  const Projection projection = SelectorCompiler().compile(expression)->projection();
  std::string out = projection.driver ? "driver " : "";
  if (projection.allow_multiple) out += "multiple ";
  if (projection.all_attributes) out += "attributes ";
  if (projection.all_capacities) out += "capacities ";
  for (const NameRead& read : projection.names) {
    out += (read.field == NameRead::Field::kAttribute ? "a:" : "c:") + read.domain + "/" + read.name + " ";
  }
  return out;
}

TEST(Projection, FindsWhatIsRead) {
  EXPECT_EQ(names_of("true"), "");
  EXPECT_EQ(names_of("device.driver == 'x' && device.attributes['d'].a == 1"), "driver a:d/a ");
  EXPECT_EQ(names_of("device.attributes['d']['a'] == 1 || device.capacity['d'].m == quantity('1')"), "a:d/a c:d/m ");
  EXPECT_EQ(names_of("has(device.attributes['d'].a) && 'b' in device.attributes['d']"), "a:d/a a:d/b ");
  EXPECT_EQ(names_of("device.attributes['d'].?a.hasValue() || device.attributes['d'][?'b'].hasValue()"),
            "a:d/a a:d/b ");
  EXPECT_EQ(names_of("'d' in device.attributes"), "a:d/ ");
  EXPECT_EQ(names_of("cel.bind(x, device.attributes['d'], x.a == 1 && x.b == 2)"), "a:d/a a:d/b ");
  EXPECT_EQ(names_of("cel.bind(x, device.attributes['d'], x.size() == 2)"), "a:d/ ");
  EXPECT_EQ(names_of("device.attributes[device.driver].a == 1"), "driver attributes ");
  EXPECT_EQ(names_of("device.attributes.all(d, device.attributes[d].size() > 0)"), "attributes ");
  EXPECT_EQ(names_of("device.capacity['d'].all(n, true)"), "c:d/ ");
  EXPECT_EQ(names_of("device == device"), "driver multiple attributes capacities ");
  EXPECT_EQ(names_of("[1].all(device, device == 1) || device.allowMultipleAllocations"), "multiple ");
  EXPECT_EQ(names_of("device.attributes['d'].a.exists(v, v == device.attributes['e'].b)"), "a:d/a a:e/b ");
}

std::vector<std::string> remarks(std::string_view expression) {
  Published published;
  published.add(kDriver, mig_device());
  const auto selector = SelectorCompiler().compile(expression);
  std::vector<std::string> out;
  for (const SelectorRemark& remark : remarks_about(*selector, published)) out.push_back(remark.message);
  return out;
}

TEST(Published, SaysWhichDomainHasTheName) {
  const std::vector<std::string> expected{
      "No device publishes the attribute profile or any other in the domain mig.nvidia.com; it is published as "
      "device.attributes[\"gpu.nvidia.com\"].profile."};
  EXPECT_EQ(remarks(R"(device.attributes["mig.nvidia.com"].profile == "1g.10gb")"), expected);
  EXPECT_EQ(remarks(R"(device.attributes["gpu.nvidia.com"].profil == "1g.10gb")"),
            std::vector<std::string>{
                "No device publishes the attribute profil in the domain gpu.nvidia.com; the nearest is profile."});
  EXPECT_EQ(remarks(R"(device.attributes["gpu.nvidia.com"].memory == 1)"),
            std::vector<std::string>{"No device publishes the attribute memory in the domain gpu.nvidia.com; it is "
                                     "published as device.capacity[\"gpu.nvidia.com\"].memory."});
  EXPECT_EQ(remarks(R"(device.driver == "gpu.nvidia.con")"),
            std::vector<std::string>{"No device is of the driver gpu.nvidia.con; the nearest is gpu.nvidia.com."});
  EXPECT_TRUE(remarks(R"(device.attributes["gpu.nvidia.com"].profile == "7g.80gb")").empty());
}

}  // namespace
}  // namespace berth::dialects::dra
