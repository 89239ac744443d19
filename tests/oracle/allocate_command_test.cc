// What `berth allocate --mode strict` prints against what upstream's structured allocator returns, for every world of
// the data files: the whole status.allocation of each claim, form of the amounts included, or the class of the error.
// Unlike structured_allocator_test.cc this evaluates the selectors with Berth's own CEL.
#include <gtest/gtest.h>

#include <iostream>
#include <map>
#include <string>
#include <string_view>

#include "api/encode.h"
#include "oracle/device_world.h"
#include "sim/allocate/allocate.h"
#include "text/json_writer.h"

namespace berth::oracle {
namespace {

using sim::AllocationClass;
using sim::AllocationOutcome;

sim::AllocateOptions options_of(const DeviceWorld& world, engine::devices::Mode mode) {
  sim::AllocateOptions options;
  options.mode = mode;
  options.node = world.objects.nodes.at(0).object.metadata.name;
  const engine::devices::Features& features = world.features;
  options.gates.set(api::Gate::kAdminAccess, features.admin_access);
  options.gates.set(api::Gate::kPrioritizedList, features.prioritized_list);
  options.gates.set(api::Gate::kPartitionableDevices, features.partitionable_devices);
  options.gates.set(api::Gate::kDeviceTaints, features.device_taints);
  options.gates.set(api::Gate::kDeviceBindingConditions, features.binding_conditions);
  options.gates.set(api::Gate::kConsumableCapacity, features.consumable_capacity);
  options.gates.set(api::Gate::kFractionalCapacityRange, features.fractional_capacity_range);
  options.gates.set(api::Gate::kListTypeAttributes, features.list_type_attributes);
  return options;
}

// The class of an error that upstream words so; see oracle/allocate.
AllocationClass class_of(const DeviceAnswer& answer) {
  static const std::map<std::string, AllocationClass, std::less<>> kClasses = {
      {"prioritized-list-off", AllocationClass::kFeatureOff},
      {"consumable-capacity-off", AllocationClass::kFeatureOff},
      {"admin-access-off", AllocationClass::kFeatureOff},
      {"class-missing", AllocationClass::kClassMissing},
      {"all-incomplete", AllocationClass::kAllIncompletePool},
      {"all-invalid", AllocationClass::kAllInvalidPool},
      {"all-constraint", AllocationClass::kAllBreaksConstraint},
      {"too-many", AllocationClass::kTooManyDevices},
      {"selector", AllocationClass::kSelectorError},
      {"capacity", AllocationClass::kCapacity}};
  if (answer.outcome == "invalid") return AllocationClass::kInvalidPools;
  const auto found = kClasses.find(answer.error_class);
  return found == kClasses.end() ? AllocationClass::kNone : found->second;
}

std::string json_of(const api::AllocationResult& result) {
  api::ResourceClaim claim;
  claim.metadata.name = "claim";
  claim.status.allocation = result;
  for (api::DeviceAllocationResult& one : claim.status.allocation->results)
    if (!one.share_id.empty()) one.share_id = "some";
  std::string json;
  text::JsonWriter writer(json);
  api::write(writer, claim);
  return json.substr(json.find("\"status\""));
}

// A difference in words, or nothing.
std::string difference(const DeviceWorld& world, const sim::AllocationAnswer& answer) {
  const std::string told = std::string(name_of(answer.outcome)) + " " + std::string(name_of(answer.reason.reason)) +
                           " " + answer.reason.message;
  if (world.answer.outcome == "allocated") {
    if (answer.outcome != AllocationOutcome::kAllocated) return told;
    if (answer.results.size() != world.results.size()) return "another number of claims";
    for (std::size_t i = 0; i < world.results.size(); ++i) {
      const std::string mine = json_of(answer.results[i]);
      if (const std::string theirs = json_of(world.results[i]); mine != theirs) return mine + "\n  not " + theirs;
    }
    return {};
  }
  if (world.answer.outcome == "no") return answer.outcome == AllocationOutcome::kNo ? "" : told;
  const bool same = answer.outcome == AllocationOutcome::kError && answer.reason.reason == class_of(world.answer);
  return same ? "" : told + "\n  not " + world.answer.outcome + " " + world.answer.error_class;
}

TEST(AllocateCommand, StrictModePrintsWhatUpstreamReturns) {
  int worlds = 0;
  int differences = 0;
  for (const std::string& path : device_data_files()) {
    const Result<DeviceData> data = read_device_data(path);
    ASSERT_TRUE(data.has_value()) << data.error().to_string();
    for (const DeviceWorld& world : data->worlds) {
      ++worlds;
      const auto answer = sim::allocate_claims(world.objects, options_of(world, engine::devices::Mode::kStrict));
      const std::string wrong = difference(world, answer);
      if (!wrong.empty() && ++differences <= 10) ADD_FAILURE() << world.name << "\n  " << wrong;
    }
  }
  std::cout << worlds << " worlds compared, " << differences << " differences\n";
  EXPECT_EQ(differences, 0);
  EXPECT_GE(worlds, 1500);
}

// Every no of best mode has numbers that add up and a sentence.
TEST(AllocateCommand, EveryReasonSaysWhatIsMissing) {
  for (const std::string& path : device_data_files()) {
    const Result<DeviceData> data = read_device_data(path);
    ASSERT_TRUE(data.has_value()) << data.error().to_string();
    for (const DeviceWorld& world : data->worlds) {
      const auto answer = sim::allocate_claims(world.objects, options_of(world, engine::devices::Mode::kBest));
      if (answer.outcome == AllocationOutcome::kAllocated) {
        EXPECT_EQ(answer.results.size(), answer.claims.size()) << world.name;
        continue;
      }
      EXPECT_NE(answer.reason.reason, AllocationClass::kNone) << world.name;
      EXPECT_NE(answer.reason.reason, AllocationClass::kSearchLimit) << world.name;
      EXPECT_FALSE(answer.reason.message.empty()) << world.name;
      for (const sim::RequestCount& count : answer.reason.requests) {
        EXPECT_EQ(count.matching, count.tainted + count.too_small + count.in_use + count.cut + count.available)
            << world.name << ' ' << count.request;
        EXPECT_LE(count.matching + count.failed, count.devices) << world.name;
      }
    }
  }
}

}  // namespace
}  // namespace berth::oracle
