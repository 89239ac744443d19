// `berth allocate` as a user meets it: whole commands in this process, on the examples and on files of the test.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "api/encode.h"
#include "api/load.h"
#include "support/run_command.h"
#include "support/source_directory.h"
#include "text/json_reader.h"
#include "text/json_writer.h"
#include "text/utf8.h"
#include "text/value.h"

namespace berth::cli {
namespace {

std::string example(const std::string& name) {
  return std::string(support::source_directory()) + "/examples/dra/" + name;
}

// A file of the test with that content.
std::string file(const std::string& name, const std::string& text) {
  const std::string path =
      testing::TempDir() + testing::UnitTest::GetInstance()->current_test_info()->name() + "-" + name;
  std::ofstream(path) << text;
  return path;
}

Ran allocate(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), "allocate");
  return berth(arguments);
}

// The answer of -o json.
class Json {
 public:
  explicit Json(std::vector<std::string> arguments) {
    arguments.insert(arguments.end(), {"-o", "json"});
    ran = allocate(arguments);
    auto parsed = text::parse_json(ran.out);
    EXPECT_TRUE(parsed.has_value()) << ran.out << ran.err;
    if (parsed) document_ = *std::move(parsed);
  }

  // Members by "a.b", elements by "a.0".
  [[nodiscard]] const text::Value* find(std::string_view path) const {
    const text::Value* value = &document_.root();
    while (value != nullptr && !path.empty()) {
      const std::string_view step = path.substr(0, path.find('.'));
      path.remove_prefix(std::min(path.size(), step.size() + 1));
      if (!step.empty() && step.find_first_not_of("0123456789") == std::string_view::npos) {
        const std::size_t at = std::stoul(std::string(step));
        value = at < value->items().size() ? &value->items()[at] : nullptr;
      } else {
        value = value->find(step);
      }
    }
    return value;
  }
  [[nodiscard]] std::string text(std::string_view path) const {
    const text::Value* value = find(path);
    return value == nullptr ? "" : std::string(value->text());
  }
  // What the first claim got, as "request=pool/device ...".
  [[nodiscard]] std::string devices(int claim = 0) const {
    std::string out;
    const text::Value* results = find("claims." + std::to_string(claim) + ".status.allocation.devices.results");
    if (results == nullptr) return out;
    for (const text::Value& result : results->items()) {
      const auto member = [&](std::string_view name) { return std::string(result.find(name)->text()); };
      out += (out.empty() ? "" : " ") + member("request") + "=" + member("pool") + "/" + member("device");
    }
    return out;
  }

  Ran ran;

 private:
  text::Document document_;
};

std::size_t widest(const std::string& text) {
  std::istringstream lines(text);
  std::size_t width = 0;
  for (std::string line; std::getline(lines, line);) width = std::max(width, text::display_width(line));
  return width;
}

constexpr std::string_view kClass = "apiVersion: resource.k8s.io/v1\nkind: DeviceClass\nmetadata: {name: gpu}\n---\n";

// A slice with devices gpu-0, gpu-1, ... on the node; `more` goes into each device.
std::string slice(const std::string& node, int devices, const std::string& more = "") {
  std::string out = "apiVersion: resource.k8s.io/v1\nkind: ResourceSlice\nmetadata: {name: " + node +
                    "-gpus}\nspec:\n  driver: gpu.example.com\n  nodeName: " + node + "\n  pool: {name: " + node +
                    ", generation: 1, resourceSliceCount: 1}\n  devices:\n";
  for (int i = 0; i < devices; ++i) {
    out += "  - name: gpu-" + std::to_string(i) + "\n";
    out += "    attributes: {index: {int: " + std::to_string(i) + "}}\n";
    if (!more.empty()) out += "    " + more + "\n";
  }
  return out + "---\n";
}

// `request` is the inside of `exactly`; `rest` follows in spec.devices.
std::string claim(const std::string& name, const std::string& request, const std::string& rest = "") {
  return "apiVersion: resource.k8s.io/v1\nkind: ResourceClaim\nmetadata: {name: " + name +
         ", namespace: lab}\nspec:\n  devices:\n    requests: [{name: gpu, exactly: {deviceClassName: gpu" +
         (request.empty() ? "" : ", " + request) + "}}]\n" + rest + "---\n";
}

std::string holding(const std::string& name, const std::string& pool, const std::string& device) {
  std::string text = claim(name, "");
  text.resize(text.size() - 4);
  return text +
         "status:\n  allocation:\n    devices:\n      results:\n      - {request: gpu, driver: gpu.example.com, " +
         "pool: " + pool + ", device: " + device + "}\n---\n";
}

TEST(Allocate, ClaimsAreDecidedTogetherBesideThoseThatHaveDevices) {
  const std::string input = file("in.yaml", std::string(kClass) + slice("n1", 4) + holding("used", "n1", "gpu-1") +
                                                claim("a", "count: 2") + claim("b", ""));
  const Json json({"--mode", "strict", "--node", "n1", input});
  EXPECT_EQ(json.ran.code, kDone) << json.ran.out;
  EXPECT_EQ(json.devices(0), "gpu=n1/gpu-0 gpu=n1/gpu-2");
  EXPECT_EQ(json.devices(1), "gpu=n1/gpu-3");
  EXPECT_EQ(json.text("outcome"), "Allocated");
  EXPECT_EQ(json.text("claims.0.kind"), "ResourceClaim");
  EXPECT_EQ(json.text("claims.0.status.allocation.nodeSelector.nodeSelectorTerms.0.matchFields.0.values.0"), "n1");
  EXPECT_EQ(json.text("pending.1"), "lab/b");
  EXPECT_EQ(json.find("inUse")->as_int64().value_or(0), 1);
}

TEST(Allocate, ANodeWithoutAnObjectIsTakenAsOneWithoutLabelsAndSaidSo) {
  const std::string input = file("in.yaml", std::string(kClass) + slice("n1", 1) + claim("a", ""));
  const Ran ran = allocate({"--node", "n1", input});
  EXPECT_EQ(ran.code, kDone);
  EXPECT_NE(ran.out.find("no Node object"), std::string::npos) << ran.out;
  EXPECT_TRUE(Json({"--node", "n1", input}).find("nodeAssumed")->is_true());
  const std::string with_node = file("node.yaml", "apiVersion: v1\nkind: Node\nmetadata: {name: n1}\n");
  EXPECT_FALSE(Json({"--node", "n1", input, with_node}).find("nodeAssumed")->is_true());
}

TEST(Allocate, WithoutANodeStrictTakesTheFirstThatFitsAndBestTheTightest) {
  const std::string input =
      file("in.yaml", std::string(kClass) + slice("n1", 1) + slice("n2", 4) + slice("n3", 2) + claim("a", "count: 2"));
  const Json strict({"--mode", "strict", input});
  EXPECT_EQ(strict.text("node"), "n2");
  EXPECT_EQ(strict.text("nodes.0.class"), "NoDevice");
  EXPECT_EQ(strict.find("nodes")->items().size(), 2U);
  const Json best({input});
  EXPECT_EQ(best.text("node"), "n3");
  EXPECT_EQ(best.find("nodes")->items().size(), 3U);
}

TEST(Allocate, WhatIsInUseIsBusyAndNamesItsHolders) {
  const std::string input =
      file("in.yaml", std::string(kClass) + slice("n1", 2) + holding("used", "n1", "gpu-1") + claim("a", "count: 2"));
  for (const std::string mode : {"strict", "best"}) {
    const Json json({"--mode", mode, "--node", "n1", input});
    EXPECT_EQ(json.ran.code, kNotEverything);
    EXPECT_EQ(json.text("outcome"), "No");
    EXPECT_EQ(json.text("reason.class"), "DeviceBusy") << json.ran.out;
    EXPECT_EQ(json.text("reason.requests.0.holders.0"), "lab/used");
    EXPECT_NE(json.text("reason.message").find("1 is in use by lab/used"), std::string::npos) << json.ran.out;
    EXPECT_TRUE(json.find("claims")->items().empty());
  }
  EXPECT_EQ(Json({"--node", "n1", file("b.yaml", std::string(kClass) + slice("n1", 2) + claim("a", "count: 3"))})
                .text("reason.class"),
            "NoDevice");
}

TEST(Allocate, CountsOfADeviceThatMatchesAddUp) {
  const std::string input = file(
      "in.yaml", std::string(kClass) + slice("n1", 2, "taints: [{key: broken, effect: NoSchedule}]") + claim("a", ""));
  const Json json({"--node", "n1", input});
  EXPECT_EQ(json.find("reason.requests.0.matching")->as_int64().value_or(0), 2);
  EXPECT_EQ(json.find("reason.requests.0.tainted")->as_int64().value_or(0), 2);
  EXPECT_EQ(json.find("reason.requests.0.available")->as_int64().value_or(-1), 0);
  EXPECT_NE(json.text("reason.message").find("tainted broken"), std::string::npos) << json.ran.out;
  EXPECT_EQ(allocate({"--node", "n1", "--features", "DRADeviceTaints=false", input}).code, kDone);
}

TEST(Allocate, TaintRulesCountWhereTheirGateIsOn) {
  const std::string input =
      file("in.yaml", std::string(kClass) + slice("n1", 1) + claim("a", "") +
                          "apiVersion: resource.k8s.io/v1\nkind: DeviceTaintRule\nmetadata: {name: r}\nspec:\n" +
                          "  deviceSelector: {pool: n1}\n  taint: {key: drain, effect: NoExecute}\n");
  EXPECT_EQ(Json({"--node", "n1", input}).find("reason.requests.0.tainted")->as_int64().value_or(0), 1);
  const Ran off = allocate({"--node", "n1", "--kubernetes", "1.36", input});
  EXPECT_EQ(off.code, kDone);
  EXPECT_NE(off.out.find("gate DRADeviceTaintRules"), std::string::npos) << off.out;
}

TEST(Allocate, ATaintRuleOfEachVersionTaintsWhatItsSelectorNames) {
  const auto devices = [](const std::string& version, const std::string& selector, std::vector<std::string> options) {
    const std::string input =
        file("in.yaml", std::string(kClass) + slice("n1", 2) + claim("a", "") + "apiVersion: resource.k8s.io/" +
                            version + "\nkind: DeviceTaintRule\nmetadata: {name: r}\nspec:\n" + selector +
                            "  taint: {key: drain, effect: NoSchedule}\n");
    options.insert(options.end(), {"--mode", "strict", "--node", "n1", input});
    return Json(options).devices();
  };
  for (const char* version : {"v1alpha3", "v1beta2", "v1"}) {
    EXPECT_EQ(devices(version, "  deviceSelector: {device: gpu-0}\n", {}), "gpu=n1/gpu-1") << version;
    EXPECT_EQ(devices(version, "  deviceSelector: {}\n", {}), "") << version;
    EXPECT_EQ(devices(version, "", {}), "gpu=n1/gpu-0") << version << ": without a selector it is for none";
  }
  const std::vector<std::string> oldest = {"--kubernetes", "1.34", "--features", "DRADeviceTaints=true"};
  EXPECT_EQ(devices("v1alpha3", "  deviceSelector: {device: gpu-0}\n", oldest), "gpu=n1/gpu-1");
  const std::vector<std::string> next = {"--kubernetes", "1.35", "--features", "DRADeviceTaints=true"};
  EXPECT_EQ(devices("v1alpha3", "  deviceSelector: {device: gpu-0}\n", next), "gpu=n1/gpu-0") << "rules have a gate";
}

// A gate that is off is for the allocator to judge, as upstream's does; nothing is dropped from what is stored.
TEST(Allocate, FeaturesThatAreOffAreErrorsOfTheirOwnClass) {
  const std::string input = file(
      "in.yaml", std::string(kClass) + slice("n1", 1) +
                     "apiVersion: resource.k8s.io/v1\nkind: ResourceClaim\nmetadata: {name: a}\nspec:\n  devices:\n" +
                     "    requests: [{name: r, firstAvailable: [{name: x, deviceClassName: gpu}]}]\n");
  EXPECT_EQ(Json({"--node", "n1", input}).devices(), "r/x=n1/gpu-0");
  const Json off({"--node", "n1", "--features", "DRAPrioritizedList=false", input});
  EXPECT_EQ(off.ran.code, kNotEverything);
  EXPECT_EQ(off.text("outcome"), "Error");
  EXPECT_EQ(off.text("reason.class"), "FeatureOff");
  EXPECT_NE(off.text("reason.message").find("DRAPrioritizedList"), std::string::npos);
}

// What 1.34 and 1.35 take for their allocator depends on the gates; only their alpha one knows distinctAttribute.
TEST(Allocate, DistinctAttributeWithItsGateOffIsAnErrorOfOldAllocators) {
  const std::string input = file(
      "in.yaml", std::string(kClass) + slice("n1", 2) +
                     "apiVersion: resource.k8s.io/v1\nkind: ResourceClaim\nmetadata: {name: a}\nspec:\n  devices:\n" +
                     "    requests: [{name: r, exactly: {deviceClassName: gpu}}]\n" +
                     "    constraints: [{distinctAttribute: gpu.example.com/index}]\n");
  const auto answer = [&](const char* mode, const char* version, const char* features) {
    const Json json({"--mode", mode, "--kubernetes", version, "--features", features, "--node", "n1", input});
    return json.text("outcome") + " " + json.text("reason.class");
  };
  const std::string error = "Error FeatureOff";
  EXPECT_EQ(answer("strict", "1.35", "DRAAdminAccess=true"), error);
  EXPECT_NE(answer("best", "1.35", "DRAAdminAccess=true"), error);
  EXPECT_NE(answer("strict", "1.35", "DRAConsumableCapacity=true"), error);
  EXPECT_NE(answer("strict", "1.35", "DRADeviceBindingConditions=true"), error);
  EXPECT_EQ(answer("strict", "1.35", "DRADeviceBindingConditions=true,DRAResourceClaimDeviceStatus=false"), error);
  EXPECT_NE(answer("strict", "1.34", "DRAAdminAccess=true"), error) << "the gate of device status is on";
  EXPECT_EQ(answer("strict", "1.34", "DRAResourceClaimDeviceStatus=false"), error);
  EXPECT_NE(answer("strict", "1.36", "DRAConsumableCapacity=false"), error);
}

// The API server keeps the empty ones, too, and upstream asks whether they are there.
TEST(Allocate, EmptyFieldsOfAFeatureThatIsOffAreErrors) {
  for (const auto& [field, gate] :
       {std::pair("capacity: {}", "DRAConsumableCapacity"), std::pair("adminAccess: false", "DRAAdminAccess")}) {
    const std::string input = file("in.yaml", std::string(kClass) + slice("n1", 1) + claim("a", field));
    EXPECT_EQ(Json({"--mode", "strict", "--node", "n1", input}).devices(0), "gpu=n1/gpu-0");
    const Json off({"--mode", "strict", "--node", "n1", "--features", std::string(gate) + "=false", input});
    EXPECT_EQ(off.text("outcome") + " " + off.text("reason.class"), "Error FeatureOff") << off.ran.out;
    EXPECT_NE(off.text("reason.message").find(gate), std::string::npos) << off.ran.out;
  }
}

TEST(Allocate, ASliceWithGroupsOfCompatibleDevicesIsIgnoredWhileTheirGateIsOff) {
  std::string counters = slice("n1", 0);
  counters.replace(counters.find("  devices:\n"), 11, "  sharedCounters: [{name: s, counters: {x: {value: \"4\"}}}]\n");
  std::string devices =
      slice("n1", 1, "consumesCounters: [{counterSet: s, compatibilityGroups: [g], counters: {x: {value: \"1\"}}}]");
  devices.replace(devices.find("name: n1-gpus"), 13, "name: n1-more");
  std::string both = counters + devices;
  for (std::size_t at = 0; (at = both.find("resourceSliceCount: 1", at)) != std::string::npos; ++at)
    both.replace(at, 21, "resourceSliceCount: 2");
  const std::string input = file("in.yaml", std::string(kClass) + both + claim("a", ""));
  EXPECT_EQ(Json({"--mode", "strict", "--node", "n1", input}).text("outcome"), "No");
  EXPECT_EQ(Json({"--mode", "best", "--node", "n1", input}).text("outcome"), "No");
  const Json on({"--mode", "strict", "--node", "n1", "--features", "DRADeviceCompatibilityGroups=true", input});
  EXPECT_EQ(on.devices(0), "gpu=n1/gpu-0") << on.ran.out;
}

TEST(Allocate, DerivedAttributesAreAnError) {
  const std::string request = "derivedAttributes: [{name: d.example.com/x, expression: \"device.driver\"}], count: 1";
  const std::string input = file("in.yaml", std::string(kClass) + slice("n1", 1) + claim("a", request));
  for (const std::string mode : {"strict", "best"}) {
    const Json json({"--mode", mode, "--node", "n1", input});
    EXPECT_EQ(json.text("outcome"), "Error") << json.ran.out;
    EXPECT_NE(json.text("reason.message").find("derivedAttributes"), std::string::npos) << json.ran.out;
  }
}

// Of upstream's allocators only the one for alpha features looks at the field, whichever of their gates chose it.
TEST(Allocate, SkippedNodeOperationsAreRefusedByTheAllocatorForAlphaFeatures) {
  std::string skipping = slice("n1", 1);
  skipping.replace(skipping.find("  devices:\n"), 11, "  skipNodeOperations: [\"*\"]\n  devices:\n");
  const std::string input = file("in.yaml", std::string(kClass) + skipping + claim("a", ""));
  const auto outcome = [&](const std::string& features) {
    const Json json({"--mode", "strict", "--node", "n1", "--features", features, input});
    return json.text("outcome") + json.text("reason.message");
  };
  EXPECT_EQ(outcome("DRAListTypeAttributes=false"), "Allocated");
  EXPECT_EQ(outcome("DRAOptionalNodeOperations=true"), "Allocated");
  const std::string refused = outcome("DRAListTypeAttributes=true");
  EXPECT_TRUE(refused.starts_with("No")) << refused;
  EXPECT_NE(refused.find("skipNodeOperations"), std::string::npos) << refused;
}

TEST(Allocate, ErrorsHaveTheirClasses) {
  const auto reason = [](const std::string& text, const std::string& mode = "strict") {
    const Json json({"--mode", mode, "--node", "n1", file("in.yaml", std::string(kClass) + text)});
    EXPECT_EQ(json.ran.code, kNotEverything);
    return json.text("outcome") + " " + json.text("reason.class");
  };
  const std::string broken_selector =
      "selectors: [{cel: {expression: \"device.attributes['gpu.example.com'].x == 1\"}}]";
  EXPECT_EQ(reason(slice("n1", 1) + claim("a", broken_selector)), "Error SelectorError");
  EXPECT_EQ(reason(slice("n1", 1) + claim("a", broken_selector), "best"), "Error SelectorError");
  EXPECT_EQ(reason(slice("n1", 1) + claim("a", "count: 33")), "Error TooManyDevices");
  EXPECT_EQ(reason("apiVersion: resource.k8s.io/v1\nkind: ResourceClaim\nmetadata: {name: a}\nspec: {devices: "
                   "{requests: [{name: r, exactly: {deviceClassName: nothing}}]}}\n"),
            "Error ClassMissing");
  std::string incomplete = slice("n1", 1);
  incomplete.replace(incomplete.find("resourceSliceCount: 1"), 21, "resourceSliceCount: 2");
  EXPECT_EQ(reason(incomplete + claim("a", "allocationMode: All")), "Error AllIncompletePool");
  EXPECT_EQ(reason(incomplete + claim("a", "allocationMode: All"), "best"), "Error AllIncompletePool");
  EXPECT_EQ(reason(incomplete + claim("a", "")), "No NoDevice");
}

TEST(Allocate, APoolThatContradictsItselfIsNamed) {
  std::string second = slice("n1", 1);
  second.replace(second.find("name: n1-gpus"), 13, "name: n1-more");
  const std::string input = file("in.yaml", std::string(kClass) + slice("n1", 1) + second + claim("a", ""));
  std::string content;
  std::getline(std::ifstream(input), content, '\0');
  for (std::size_t at = content.find("resourceSliceCount: 1"); at != std::string::npos;
       at = content.find("resourceSliceCount: 1"))
    content.replace(at, 21, "resourceSliceCount: 2");
  std::ofstream(input) << content;
  const Json json({"--mode", "strict", "--node", "n1", input});
  EXPECT_EQ(json.text("reason.class"), "InvalidPools") << json.ran.out;
  EXPECT_NE(json.text("reason.message").find("two devices of one name"), std::string::npos) << json.ran.out;
}

TEST(Allocate, EveryFormOfTheObjectsIsRead) {
  const std::string yaml = file("in.yaml", std::string(kClass) + slice("n1", 2) + claim("a", ""));
  const api::Loaded loaded = api::load(std::vector<std::string>{yaml});
  std::string list;
  text::JsonWriter writer(list);
  api::write_list(writer, loaded.objects);
  const std::string json = file("in.json", list);
  EXPECT_EQ(Json({"--node", "n1", yaml}).devices(), "gpu=n1/gpu-0");
  EXPECT_EQ(Json({"--node", "n1", json}).devices(), "gpu=n1/gpu-0");
  // v1beta1 has requests without `exactly` and devices inside of `basic`.
  const std::string old =
      file("old.yaml",
           "apiVersion: resource.k8s.io/v1beta1\nkind: DeviceClass\nmetadata: {name: gpu}\n---\n"
           "apiVersion: resource.k8s.io/v1beta1\nkind: ResourceSlice\nmetadata: {name: s}\nspec:\n  driver: "
           "gpu.example.com\n"
           "  nodeName: n1\n  pool: {name: n1, generation: 1, resourceSliceCount: 1}\n  devices:\n"
           "  - {name: gpu-7, basic: {attributes: {index: {int: 7}}}}\n---\n"
           "apiVersion: resource.k8s.io/v1beta1\nkind: ResourceClaim\nmetadata: {name: a}\nspec:\n  devices:\n"
           "    requests: [{name: gpu, deviceClassName: gpu}]\n");
  EXPECT_EQ(Json({"--node", "n1", old}).devices(), "gpu=n1/gpu-7");
}

TEST(Allocate, YamlIsReadAgainAsClaimsInUse) {
  const std::string input = file("in.yaml", std::string(kClass) + slice("n1", 2));
  const std::string wanted = file("claim.yaml", claim("a", "count: 2"));
  const Ran first = allocate({"--node", "n1", "-o", "yaml", input, wanted});
  ASSERT_EQ(first.code, kDone) << first.err;
  const std::string written = file("allocated.yaml", first.out);
  const Json again({"--node", "n1", input, written});
  EXPECT_EQ(again.ran.code, kDone);
  EXPECT_EQ(again.find("inUse")->as_int64().value_or(0), 1);
  const Json next({"--node", "n1", input, written, file("b.yaml", claim("b", ""))});
  EXPECT_EQ(next.text("reason.class"), "DeviceBusy");
  const Ran no = allocate({"--node", "n1", "-o", "yaml", input, written, file("b.yaml", claim("b", ""))});
  EXPECT_EQ(no.code, kNotEverything);
  EXPECT_TRUE(no.out.empty());
  EXPECT_NE(no.err.find("DeviceBusy"), std::string::npos);
}

TEST(Allocate, BadInputIsSaidAndTheRestIsDone) {
  EXPECT_EQ(allocate({file("empty.yaml", std::string(kClass))}).code, kBadInput);
  const std::string good = file("good.yaml", std::string(kClass) + slice("n1", 1) + claim("a", ""));
  const std::string bad = file("bad.yaml", "{ this is: [no\n");
  const Json json({"--node", "n1", good, bad});
  EXPECT_EQ(json.ran.code, kBadInput);
  EXPECT_EQ(json.devices(), "gpu=n1/gpu-0");
  EXPECT_EQ(json.find("errors")->items().size(), 1U);
  EXPECT_EQ(allocate({"--mode", "worst", good}).code, kBadInput);
  EXPECT_EQ(allocate({"--features", "DRANothing=true", good}).code, kBadInput);
  EXPECT_EQ(allocate({"--kubernetes", "1.20", good}).code, kBadInput);
}

TEST(Allocate, NothingToAllocateIsDone) {
  const Ran ran = allocate({file("in.yaml", std::string(kClass) + slice("n1", 1) + holding("used", "n1", "gpu-0"))});
  EXPECT_EQ(ran.code, kDone);
  EXPECT_NE(ran.out.find("Nothing to allocate"), std::string::npos);
}

TEST(Allocate, ConfigurationIsThatOfTheClassOnceAndThenTheClaims) {
  const std::string config = "{opaque: {driver: gpu.example.com, parameters: {a: 1}}}";
  const std::string input = file(
      "in.yaml",
      "apiVersion: resource.k8s.io/v1\nkind: DeviceClass\nmetadata: {name: gpu}\nspec: {config: [" + config +
          "]}\n---\n" + slice("n1", 4) +
          "apiVersion: resource.k8s.io/v1\nkind: ResourceClaim\nmetadata: {name: a}\nspec:\n  devices:\n    requests:\n"
          "    - {name: x, exactly: {deviceClassName: gpu}}\n"
          "    - {name: z, firstAvailable: [{name: many, deviceClassName: gpu, count: 9}, {name: one, deviceClassName: "
          "gpu}]}\n"
          "    config:\n    - {requests: [z/many], opaque: {driver: gpu.example.com, parameters: {b: 1}}}\n"
          "    - {requests: [z/one], opaque: {driver: gpu.example.com, parameters: {b: 2}}}\n"
          "    - {opaque: {driver: gpu.example.com, parameters: {b: 3}}}\n");
  const Json json({"--mode", "strict", "--node", "n1", input});
  EXPECT_EQ(json.devices(), "x=n1/gpu-0 z/one=n1/gpu-1");
  const text::Value* configs = json.find("claims.0.status.allocation.devices.config");
  ASSERT_NE(configs, nullptr) << json.ran.out;
  ASSERT_EQ(configs->items().size(), 3U) << json.ran.out;
  EXPECT_EQ(json.text("claims.0.status.allocation.devices.config.0.source"), "FromClass");
  EXPECT_EQ(configs->items()[0].find("requests"), nullptr) << "it is for all requests";
  EXPECT_EQ(json.text("claims.0.status.allocation.devices.config.1.requests.0"), "z/one");
  EXPECT_EQ(json.text("claims.0.status.allocation.devices.config.2.source"), "FromClaim");
}

TEST(Allocate, EveryOutputFitsTheTerminal) {
  for (const std::string name : {"gpu-40gb.yaml", "two-gpus-nvlink.yaml", "mig-1g.10gb.yaml", "mig-claim.yaml"}) {
    const Ran ran = allocate({example("cluster.yaml"), example(name)});
    EXPECT_LE(widest(ran.out), 80U) << ran.out;
    EXPECT_FALSE(ran.out.empty());
  }
}

// --- The examples ---------------------------------------------------------------------------------------------------

TEST(AllocateExamples, AClassAndAClaimForAllOfItsLargeDevices) {
  const std::vector<std::string> files = {example("deviceclass.yaml"), example("claim-all.yaml"),
                                          example("driver-slices.yaml")};
  const auto with = [&](std::vector<std::string> more) {
    more.insert(more.end(), files.begin(), files.end());
    return Json(more);
  };
  EXPECT_EQ(with({}).devices(), "single-gpu-claim=large-1/gpu-0 single-gpu-claim=large-1/gpu-1");
  for (const std::string mode : {"strict", "best"}) {
    const Json small = with({"--mode", mode, "--node", "small-1"});
    EXPECT_EQ(small.ran.code, kNotEverything);
    EXPECT_EQ(small.text("reason.class"), "NoDevice");
  }
}

TEST(AllocateExamples, TheWrongDomainOfAMigClaimIsNamedWithTheRightOne) {
  for (const std::string mode : {"strict", "best"}) {
    const Json json({"--mode", mode, example("cluster.yaml"), example("mig-claim.yaml")});
    EXPECT_EQ(json.text("reason.class"), "SelectorError");
    EXPECT_NE(json.text("hints.0").find("domain mig.nvidia.com"), std::string::npos) << json.ran.out;
    EXPECT_NE(json.text("hints.0").find("device.attributes[\"gpu.nvidia.com\"].profile"), std::string::npos);
  }
  // Where a driver does publish that domain the claim is served.
  std::string own = slice("n1", 1, "");
  own.replace(own.find("index: {int: 0}"), 15, "mig.nvidia.com/profile: {string: 1g.10gb}");
  const std::string class_text =
      "apiVersion: resource.k8s.io/v1\nkind: DeviceClass\nmetadata: {name: mig.nvidia.com}\n---\n";
  EXPECT_EQ(Json({file("own.yaml", class_text + own), example("mig-claim.yaml")}).devices(), "mig-request=n1/gpu-0");
}

TEST(AllocateExamples, AGpuWithFortyGigabytes) {
  EXPECT_EQ(Json({"--node", "a100-1", example("cluster.yaml"), example("gpu-40gb.yaml")}).devices(),
            "gpu=a100-1/gpu-0");
  EXPECT_EQ(Json({"--node", "h100-1", example("cluster.yaml"), example("gpu-40gb.yaml")}).ran.code, kDone);
}

TEST(AllocateExamples, NoSlicePublishesTheNvlinkFabric) {
  const Json json({example("cluster.yaml"), example("two-gpus-nvlink.yaml")});
  EXPECT_EQ(json.text("reason.class"), "NoDevice");
  EXPECT_NE(json.text("hints.0").find("No device publishes the attribute nvlinkFabric"), std::string::npos)
      << json.ran.out;
}

TEST(AllocateExamples, APartitionOfTenGigabytesIsOneSliceOrTwo) {
  std::string one;
  std::getline(std::ifstream(example("mig-1g.10gb.yaml")), one, '\0');
  // Do so many such claims fit on the node?
  const auto fit = [&](const std::string& node, int count) {
    std::string claims;
    for (int i = 0; i < count; ++i) {
      std::string next = one;
      next.replace(next.find("mig-10gb"), 8, "mig-" + std::to_string(i));
      claims += "---\n" + next;
    }
    return Json({"--node", node, example("cluster.yaml"), file("claims.yaml", claims)}).ran.code == kDone;
  };
  EXPECT_TRUE(fit("a100-1", 4)) << "two memory slices each, of eight";
  EXPECT_FALSE(fit("a100-1", 5));
  EXPECT_TRUE(fit("h100-1", 14)) << "one memory slice each; two cards with seven";
  EXPECT_FALSE(fit("h100-1", 15));
}

}  // namespace
}  // namespace berth::cli
