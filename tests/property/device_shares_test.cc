// Shares of devices on random small worlds: both modes say yes exactly where trying everything finds a legal
// allocation, and strict mode gives the same devices whether it looks ahead or not.
#include <algorithm>
#include <cstdint>
#include <iostream>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/random.h"
#include "dialects/dra/device_translator.h"
#include "engine/devices/allocator.h"
#include "reference/devices.h"
#include "support/long_run.h"

namespace berth {
namespace {

namespace devices = engine::devices;
using Kind = devices::SelectorAnswer::Kind;

constexpr std::string_view kDriver = "d.example.com";

api::Quantity units(std::int64_t amount) { return api::Quantity::from_units(amount); }

struct SharesWorld {
  api::Node node;
  api::DeviceClass gpu;
  api::ResourceSlice slice;
  std::vector<api::ResourceClaim> claims;
};

// Devices of few letters, of which most can be shared and some are in use.
SharesWorld random_world(Random& random) {
  SharesWorld world;
  world.node.metadata.name = "n";
  world.gpu.metadata.name = "gpu";
  world.slice.metadata.name = "s";
  world.slice.driver = kDriver;
  world.slice.pool = {.name = "n", .generation = 1, .resource_slice_count = 1};
  world.slice.node_name = "n";
  const bool cores = random.chance(1, 2);
  const auto count = random.between(2, 6);
  for (std::int64_t i = 0; i < count; ++i) {
    api::Device device;
    device.name = "d" + std::to_string(i);
    device.allow_multiple_allocations = random.chance(5, 6);
    device.attributes =
        api::DeviceAttributes{{.name = "t", .value = std::string(1, static_cast<char>('a' + random.below(3)))}};
    api::DeviceCapacities capacity;
    if (cores) capacity.push_back({.name = "cores", .value = units(random.between(2, 4)), .request_policy = {}});
    capacity.push_back({.name = "memory", .value = units(random.chance(2, 3) ? 10 : 8), .request_policy = {}});
    device.capacity = std::move(capacity);
    world.slice.devices.push_back(std::move(device));
  }
  for (const api::Device& device : world.slice.devices) {
    if (!random.chance(1, 3)) continue;
    api::ResourceClaim& claim = world.claims.emplace_back();
    claim.metadata.name = "held-" + device.name;
    api::DeviceAllocationResult result{
        .request = "r", .driver = std::string(kDriver), .pool = "n", .device = device.name};
    if (device.allow_multiple_allocations) {
      result.share_id = "00000000-0000-4000-8000-000000000000";
      for (const api::DeviceCapacity& each : *device.capacity)
        result.consumed_capacity.emplace(each.name, units(random.between(0, 2)));
    }
    claim.status.allocation.emplace().results = {std::move(result)};
  }
  const auto pending = random.between(1, 2);
  for (std::int64_t c = 0; c < pending; ++c) {
    api::ResourceClaim& claim = world.claims.emplace_back();
    claim.metadata.name = "c" + std::to_string(c);
    const auto requests = random.between(1, pending == 1 ? 6 : 3);
    for (std::int64_t r = 0; r < requests; ++r) {
      api::DeviceRequest& request = claim.spec.requests.emplace_back();
      request.name = "r" + std::to_string(r);
      api::ExactDeviceRequest& asked = request.exactly.emplace();
      asked.device_class_name = "gpu";
      if (random.chance(1, 5)) asked.count = 2;
      if (random.chance(1, 3)) asked.selectors.push_back({std::string(1, static_cast<char>('a' + random.below(3)))});
      // What a request does not name it takes whole.
      auto& amounts = asked.capacity_requests.emplace();
      if (random.chance(9, 10)) amounts.emplace("memory", units(random.between(1, 7)));
      if (cores) amounts.emplace("cores", units(random.between(0, 2)));
    }
    if (random.chance(1, 4)) {
      api::DeviceConstraint& constraint = claim.spec.constraints.emplace_back();
      const std::string attribute = std::string(kDriver) + "/t";
      (random.chance(1, 2) ? constraint.match_attribute : constraint.distinct_attribute) = attribute;
    }
  }
  return world;
}

// An expression is a letter, and says yes to the devices of that letter.
bool selects(const std::string& expression, const api::Device& device) {
  return std::get<std::string>(device.attributes->front().value) == expression;
}

class Loaded {
 public:
  explicit Loaded(const SharesWorld& world) {
    const devices::SliceInput slice = translator_.slice(world.slice);
    for (const char letter : {'a', 'b', 'c'}) {
      const std::string expression(1, letter);
      for (std::size_t i = 0; i < slice.devices.size(); ++i) {
        const bool yes = selects(expression, world.slice.devices[i]);
        answers_.set(translator_.selectors.intern(expression), slice.devices[i].kind,
                     {.kind = yes ? Kind::kYes : Kind::kNo, .error = {}});
      }
    }
    inventory_.set(slice);
    for (const api::ResourceClaim& claim : world.claims) {
      if (claim.status.allocation) {
        translator_.hold(*claim.status.allocation, {}, inventory_, usage_);
      } else {
        claims_.push_back(translator_.claim(claim.spec, [&](std::string_view) { return &world.gpu; }));
      }
    }
    node_.name = names_.names.intern("n");
    devices_ = inventory_.on(node_, {});
    for (const devices::Claim& claim : claims_) asked_.push_back(&claim);
  }
  devices::Answer ask(devices::Mode mode, std::uint64_t unguided_steps) {
    return devices::allocate({.catalogue = &catalogue_,
                              .node = &devices_,
                              .claims = asked_,
                              .usage = &usage_,
                              .selectors = &answers_,
                              .features = {},
                              .mode = mode,
                              .groups = {},
                              .step_limit = devices::kDefaultStepLimit,
                              .unguided_steps = unguided_steps});
  }

 private:
  engine::Names names_;
  devices::Catalogue catalogue_;
  devices::Inventory inventory_{names_, catalogue_};
  dialects::dra::DeviceTranslator translator_{names_, catalogue_};
  devices::AnswerTable answers_;
  devices::Usage usage_;
  std::vector<devices::Claim> claims_;
  std::vector<const devices::Claim*> asked_;
  engine::NodeInput node_;
  devices::NodeDevices devices_;
};

std::optional<bool> some_allocation(const SharesWorld& world) {
  reference::DeviceQuestion question;
  question.node = &world.node;
  question.slices = {&world.slice};
  question.classes = {&world.gpu};
  for (const api::ResourceClaim& claim : world.claims) question.claims.push_back(&claim);
  question.selects = [](const std::string& expression, const api::ResourceSlice& slice, std::size_t device) {
    return selects(expression, slice.devices[device]);
  };
  return reference::some_allocation(question, 20'000);
}

TEST(DeviceShares, BothModesSayYesExactlyWhereTheTwinDoes) {
  Random random(31);
  int compared = 0;
  int yes = 0;
  const int worlds = support::count_of_worlds(400, 100'000);
  for (int i = 0; i < worlds; ++i) {
    const SharesWorld world = random_world(random);
    const std::optional<bool> expected = some_allocation(world);
    if (!expected) continue;
    ++compared;
    yes += *expected ? 1 : 0;
    Loaded loaded(world);
    const devices::Outcome outcome = *expected ? devices::Outcome::kAllocated : devices::Outcome::kDoesNotFit;
    EXPECT_EQ(loaded.ask(devices::Mode::kBest, 1).outcome, outcome) << "world " << i;
    const devices::Answer plain = loaded.ask(devices::Mode::kStrict, devices::kDefaultStepLimit);
    const devices::Answer ahead = loaded.ask(devices::Mode::kStrict, 1);
    EXPECT_EQ(plain.outcome, outcome) << "world " << i;
    EXPECT_EQ(ahead.outcome, outcome) << "world " << i;
    EXPECT_EQ(ahead.claims, plain.claims) << "world " << i;
    if (testing::Test::HasFailure()) break;
  }
  std::cout << compared << " worlds of " << worlds << " compared, " << yes << " of them a yes\n";
  EXPECT_GE(compared * 10, worlds * 8);
  EXPECT_GE(yes * 10, compared * 2);
  EXPECT_LE(yes * 10, compared * 8);
}

}  // namespace
}  // namespace berth
