#include "dialects/dra/device_translator.h"

#include <string>

#include <gtest/gtest.h>

namespace berth::dialects::dra {
namespace {

namespace devices = engine::devices;

class DeviceTranslatorTest : public ::testing::Test {
 protected:
  engine::Names names;
  devices::Catalogue catalogue;
  devices::Inventory inventory{names, catalogue};
  DeviceTranslator translator{names, catalogue};
  devices::Usage usage;

  static api::Device device(const std::string& name) {
    api::Device device;
    device.name = name;
    return device;
  }
  static api::ResourceSlice slice(std::vector<api::Device> content) {
    api::ResourceSlice slice;
    slice.metadata.name = "slice";
    slice.driver = "gpu.example.com";
    slice.pool = {.name = "node-1", .generation = 3, .resource_slice_count = 1};
    slice.node_name = "node-1";
    slice.devices = std::move(content);
    return slice;
  }
};

TEST_F(DeviceTranslatorTest, BareNamesBelongToTheDriverAndQualifiedOnesCountMore) {
  api::Device one = device("a");
  one.attributes = api::DeviceAttributes{{.name = "gpu.example.com/model", .value = std::string("qualified")},
                                         {.name = "model", .value = std::string("bare")},
                                         {.name = "numa", .value = std::int64_t{1}}};
  const devices::SliceInput result = translator.slice(slice({one}));
  const devices::KindId kind = result.devices.at(0).kind;
  EXPECT_EQ(catalogue.kinds.content(kind).attributes.size(), 2U);
  EXPECT_EQ(catalogue.attribute(kind, catalogue.attributes.find("gpu.example.com/model")),
            catalogue.scalar(devices::AtomType::kString, "qualified"));
  EXPECT_EQ(catalogue.attribute(kind, catalogue.attributes.find("gpu.example.com/numa")),
            catalogue.scalar(devices::AtomType::kInt, "1"));
}

TEST_F(DeviceTranslatorTest, ListsAreSetsAndTypesAreKeptApart) {
  api::Device one = device("a");
  one.attributes = api::DeviceAttributes{{.name = "x/roots", .value = std::vector<std::string>{"b", "a", "b"}},
                                         {.name = "x/text", .value = std::string("1.0.0")},
                                         {.name = "x/version", .value = api::Version{"1.0.0"}}};
  const devices::KindId kind = translator.slice(slice({one})).devices.at(0).kind;
  const devices::ValueId roots = catalogue.attribute(kind, catalogue.attributes.find("x/roots"));
  EXPECT_TRUE(catalogue.values.content(roots).list);
  EXPECT_EQ(catalogue.values.content(roots).atoms.size(), 2U);
  EXPECT_NE(catalogue.attribute(kind, catalogue.attributes.find("x/text")),
            catalogue.attribute(kind, catalogue.attributes.find("x/version")));
}

TEST_F(DeviceTranslatorTest, RulesTaintTheDevicesTheySelect) {
  api::DeviceTaintRule rule;
  rule.device_selector = api::DeviceTaintSelector{.driver = "gpu.example.com", .pool = {}, .device = "b"};
  rule.taint = {.key = "broken", .value = "", .effect = api::DeviceTaintEffect::kNoSchedule, .time_added = {}};
  api::DeviceTaintRule nothing = rule;
  nothing.device_selector.reset();
  const std::vector<const api::DeviceTaintRule*> rules{&rule, &nothing};
  const devices::SliceInput result = translator.slice(slice({device("a"), device("b")}), rules);
  EXPECT_TRUE(result.devices.at(0).taints.is_none());
  EXPECT_EQ(catalogue.taints.content(result.devices.at(1).taints).size(), 1U);
}

TEST_F(DeviceTranslatorTest, ClaimsAskByClassRequestAndConstraint) {
  api::DeviceClass its_class;
  its_class.selectors = {{.expression = "one"}};
  api::ResourceClaimSpec spec;
  api::DeviceRequest choice;
  choice.name = "choice";
  choice.first_available.resize(2);
  choice.first_available[0].name = "a";
  choice.first_available[1].name = "b";
  choice.first_available[1].request.device_class_name = "gpu";
  choice.first_available[1].request.selectors = {{.expression = "two"}};
  spec.requests = {choice};
  spec.constraints.resize(1);
  spec.constraints[0] = {.requests = {"choice/b"}, .match_attribute = "x/numa", .distinct_attribute = {}};
  const devices::Claim claim =
      translator.claim(spec, [&](std::string_view name) { return name == "gpu" ? &its_class : nullptr; });
  ASSERT_EQ(claim.requests.at(0).alternatives.size(), 2U);
  EXPECT_TRUE(claim.requests[0].prioritized);
  EXPECT_EQ(claim.requests[0].alternatives[0].problem, devices::RequestProblem::kClassMissing);
  EXPECT_EQ(claim.requests[0].alternatives[1].selectors.size(), 2U);
  EXPECT_EQ(translator.selectors.text(claim.requests[0].alternatives[1].selectors[0]), "one");
  ASSERT_EQ(claim.constraints.at(0).targets.size(), 1U);
  EXPECT_EQ(claim.constraints[0].targets[0].alternative, 1U);
}

TEST_F(DeviceTranslatorTest, AllocationsAreHeldAndReleased) {
  api::AllocationResult allocation;
  allocation.results.resize(3);
  for (api::DeviceAllocationResult& one : allocation.results) {
    one.driver = "gpu.example.com";
    one.pool = "node-1";
  }
  allocation.results[0].device = "whole";
  allocation.results[1].device = "shared";
  allocation.results[1].share_id = "00000000-0000-4000-8000-000000000001";
  allocation.results[1].consumed_capacity["memory"] = api::Quantity::from_units(4);
  allocation.results[2].device = "looked-at";
  allocation.results[2].admin_access = true;
  const auto id = [&](const char* name) {
    return inventory.device(names.names.intern("gpu.example.com"), names.names.intern("node-1"),
                            names.names.intern(name));
  };
  translator.hold(allocation, {}, inventory, usage);
  EXPECT_TRUE(usage.held(id("whole")));
  EXPECT_EQ(usage.shares(id("shared")), 1U);
  EXPECT_EQ(usage.consumed(id("shared")).at(0).amount, api::Quantity::from_units(4).nanos());
  EXPECT_FALSE(usage.in_use(id("looked-at")));
  translator.release(allocation, {}, inventory, usage);
  EXPECT_FALSE(usage.in_use(id("whole")));
  EXPECT_FALSE(usage.in_use(id("shared")));
  translator.hold(allocation, {.consumable_capacity = false}, inventory, usage);
  EXPECT_TRUE(usage.held(id("shared")));
}

}  // namespace
}  // namespace berth::dialects::dra
