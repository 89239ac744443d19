// Berth's device allocator against upstream's structured allocator, for every world of the data files (and of fresh
// ones: see tools/oracle). Strict mode must give the same devices, the same no and the same kind of error; best mode
// must find an allocation wherever upstream does.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <iostream>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dialects/dra/device_translator.h"
#include "dialects/kubernetes/selectors.h"
#include "engine/devices/allocator.h"
#include "engine/devices/value.h"
#include "oracle/device_world.h"
#include "reference/devices.h"

namespace berth::oracle {
namespace {

namespace devices = engine::devices;

// What the generator's worlds are about (oracle/allocate), each in at least 5 % of them.
constexpr std::array<std::string_view, 31> kFeatures = {"admin-access",
                                                        "alike",
                                                        "all",
                                                        "all-nodes",
                                                        "binding",
                                                        "capacity-request",
                                                        "class-missing",
                                                        "constraint-on-some",
                                                        "counters",
                                                        "distinct",
                                                        "elsewhere",
                                                        "first-available",
                                                        "gates-off",
                                                        "generations",
                                                        "in-use",
                                                        "incomplete",
                                                        "invalid",
                                                        "lists",
                                                        "many-devices",
                                                        "match",
                                                        "node-selector",
                                                        "overcommitted",
                                                        "per-device",
                                                        "request-policy",
                                                        "selector-error",
                                                        "several-claims",
                                                        "several-drivers",
                                                        "shared",
                                                        "shares-in-use",
                                                        "taint",
                                                        "toleration"};

// A world in the engine's terms.
class LoadedDevices {
 public:
  explicit LoadedDevices(const DeviceWorld& world) : world_(world) {
    for (const auto& read : world.objects.resource_slices) inventory_.set(translator_.slice(read.object));
    for (const auto& read : world.objects.resource_claims) {
      if (read.object.status.allocation) {
        translator_.hold(*read.object.status.allocation, world.features, inventory_, usage_);
      } else {
        specs_.push_back(&read.object.spec);
        claims_.push_back(translator_.claim(read.object.spec, [&](std::string_view name) { return class_of(name); }));
      }
    }
    for (const auto& read : world.objects.resource_slices) {
      const devices::SliceInput slice = translator_.slice(read.object);
      for (const auto& [expression, words] : world.selectors) {
        const auto word = words.find(read.object.metadata.name);
        for (std::size_t i = 0; i < slice.devices.size(); ++i) {
          const char letter = word == words.end() ? 'n' : word->second.at(i);
          using Kind = devices::SelectorAnswer::Kind;
          answers_.set(translator_.selectors.intern(expression), slice.devices[i].kind,
                       {.kind = letter == 'y'   ? Kind::kYes
                                : letter == 'n' ? Kind::kNo
                                                : Kind::kError,
                        .error = {}});
        }
      }
    }
    const api::Node& node = world.objects.nodes.at(0).object;
    node_.name = names_.names.intern(node.metadata.name);
    node_.labels = dialects::kubernetes::labels(node.metadata.labels, names_);
    devices_ = inventory_.on(node_, world.features);
  }

  devices::Answer ask(devices::Mode mode) {
    asked_.clear();
    for (const devices::Claim& claim : claims_) asked_.push_back(&claim);
    return devices::allocate(question(mode));
  }

  // What the answer to the last question is worth, and the same by the twin's steps.
  devices::AllocationValue value(const devices::Answer& answer) const {
    return devices::value_of(question(devices::Mode::kBest), answer);
  }
  reference::DeviceScores twin_scores(const reference::DeviceQuestion& question, const devices::Answer& answer) const {
    std::vector<std::vector<api::DeviceAllocationResult>> results;
    for (std::size_t c = 0; c < answer.claims.size(); ++c) {
      auto& list = results.emplace_back();
      for (const devices::DeviceAllocation& device : answer.claims[c].devices) {
        const auto& key = inventory_.key(device.device);
        api::DeviceAllocationResult& result = list.emplace_back();
        result.request = told(device, *specs_[c]).request;
        result.driver = names_.names.text(key.driver);
        result.pool = names_.names.text(key.pool);
        result.device = names_.names.text(key.device);
        result.admin_access = device.admin_access;
        if (device.shared) result.share_id = "some";
        for (const devices::CapacityRequest& consumed : device.consumed) {
          result.consumed_capacity.emplace(catalogue_.capacities.text(consumed.name),
                                           api::Quantity::from_nanos(consumed.amount));
        }
      }
    }
    return reference::device_scores(question, results);
  }

  // The answer in upstream's terms.
  DeviceAnswer told(const devices::Answer& answer) const {
    DeviceAnswer result{.outcome = outcome(answer.outcome), .error_class = {}, .claims = {}};
    if (answer.outcome == devices::Outcome::kError) result.error_class = error_class(answer.failure);
    for (std::size_t c = 0; c < answer.claims.size(); ++c) {
      AllocatedClaim& claim = result.claims.emplace_back();
      for (const devices::DeviceAllocation& device : answer.claims[c].devices) {
        claim.devices.push_back(told(device, *specs_[c]));
      }
      const devices::Reach& reach = answer.claims[c].reach;
      const std::size_t requirements = reach.term.labels.size() + reach.term.names.size();
      // Upstream writes the one node a selector by name may allow just as it writes this node.
      const bool this_node =
          reach.kind == devices::Reach::Kind::kThisNode || (reach.term.labels.empty() && reach.term.names.size() == 1);
      claim.reach = this_node                                         ? "node"
                    : reach.kind == devices::Reach::Kind::kEverywhere ? "everywhere"
                                                                      : "selector " + std::to_string(requirements);
    }
    return result;
  }

 private:
  devices::Question question(devices::Mode mode) const {
    return {.catalogue = &catalogue_,
            .node = &devices_,
            .claims = asked_,
            .usage = &usage_,
            .selectors = &answers_,
            .features = world_.features,
            .mode = mode};
  }

  const api::DeviceClass* class_of(std::string_view name) const {
    for (const auto& read : world_.objects.device_classes) {
      if (read.object.metadata.name == name) return &read.object;
    }
    return nullptr;
  }

  AllocatedDevice told(const devices::DeviceAllocation& device, const api::ResourceClaimSpec& spec) const {
    AllocatedDevice result;
    const api::DeviceRequest& request = spec.requests[device.request];
    result.request = request.name;
    if (!request.first_available.empty()) result.request += "/" + request.first_available[device.alternative].name;
    const auto& key = inventory_.key(device.device);
    const auto text = [&](engine::NameId id) { return std::string(names_.names.text(id)); };
    result.device = text(key.driver) + "/" + text(key.pool) + "/" + text(key.device);
    result.admin_access = device.admin_access;
    result.shared = device.shared;
    for (const devices::CapacityRequest& consumed : device.consumed) {
      result.consumed[std::string(catalogue_.capacities.text(consumed.name))] = consumed.amount;
    }
    return result;
  }

  static std::string outcome(devices::Outcome outcome) {
    switch (outcome) {
      case devices::Outcome::kAllocated:
        return "allocated";
      case devices::Outcome::kDoesNotFit:
        return "no";
      case devices::Outcome::kInvalidPools:
        return "invalid";
      case devices::Outcome::kError:
        return "error";
      case devices::Outcome::kSearchLimit:
        return "limit";
    }
    return "";
  }

  std::string error_class(const devices::Failure& failure) const {
    switch (failure.problem) {
      case devices::Problem::kNone:
        return "none";
      case devices::Problem::kPrioritizedListOff:
        return "prioritized-list-off";
      case devices::Problem::kConsumableCapacityOff:
        return "consumable-capacity-off";
      case devices::Problem::kAdminAccessOff:
        return "admin-access-off";
      case devices::Problem::kDistinctAttributeOff:
        return "distinct-attribute-off";
      case devices::Problem::kRequest: {
        const devices::Request& request = claims_[failure.claim].requests[failure.request];
        const bool missing =
            request.alternatives[failure.alternative].problem == devices::RequestProblem::kClassMissing;
        return missing ? "class-missing" : "unsupported";
      }
      case devices::Problem::kTooManyDevices:
        return "too-many";
      case devices::Problem::kUnknownConstraint:
        return "unknown-constraint";
      case devices::Problem::kSelectorError:
        return "selector";
      case devices::Problem::kAllWithIncompletePool:
        return "all-incomplete";
      case devices::Problem::kAllWithInvalidPool:
        return "all-invalid";
      case devices::Problem::kAllBreaksConstraint:
        return "all-constraint";
      case devices::Problem::kCapacityUnrepresentable:
      case devices::Problem::kNegativeCapacity:
        return "capacity";
    }
    return "";
  }

  const DeviceWorld& world_;
  engine::Names names_;
  devices::Catalogue catalogue_;
  devices::Inventory inventory_{names_, catalogue_};
  dialects::dra::DeviceTranslator translator_{names_, catalogue_};
  devices::AnswerTable answers_;
  devices::Usage usage_;
  std::vector<devices::Claim> claims_;
  std::vector<const devices::Claim*> asked_;
  std::vector<const api::ResourceClaimSpec*> specs_;
  engine::NodeInput node_;
  devices::NodeDevices devices_;
};

std::string text_of(const DeviceAnswer& answer) {
  std::string text = answer.outcome + " " + answer.error_class;
  for (const AllocatedClaim& claim : answer.claims) {
    text += "\n    claim (" + claim.reach + ")";
    for (const AllocatedDevice& device : claim.devices) {
      text += "\n      " + device.request + ": " + device.device + (device.admin_access ? " admin" : "") +
              (device.shared ? " shared" : "");
      for (const auto& [name, amount] : device.consumed)
        text += " " + name + "=" + api::Quantity::from_nanos(amount).to_string();
    }
  }
  return text;
}

template <class Visit>
std::size_t for_each_world(Visit visit) {
  std::size_t count = 0;
  for (const std::string& file : device_data_files()) {
    const Result<DeviceData> data = read_device_data(file);
    if (!data) {
      ADD_FAILURE() << data.error().to_string();
      continue;
    }
    EXPECT_EQ(data->module, "k8s.io/dynamic-resource-allocation v0.37.2") << file;
    EXPECT_FALSE(data->worlds.empty()) << file << " has no world to compare";
    for (const DeviceWorld& world : data->worlds) visit(world);
    std::cout << std::filesystem::path(file).filename().string() << ": " << data->worlds.size()
              << " worlds compared\n";  // tools/oracle looks for the line of its file
    count += data->worlds.size();
  }
  return count;
}

TEST(StructuredAllocator, StrictModeAnswersAsUpstreamDoes) {
  std::map<std::string, int> outcomes;
  std::map<std::string, int> tags;
  int differences = 0;
  int generated = 0;  // beside the written cases, which are about one rule each
  std::uint64_t most_steps = 0;
  const std::size_t count = for_each_world([&](const DeviceWorld& world) {
    ++outcomes[world.answer.outcome];
    if (world.name.starts_with("seed-")) ++generated;
    for (const std::string& tag : world.tags) ++tags[tag];
    LoadedDevices loaded(world);
    const devices::Answer answer = loaded.ask(devices::Mode::kStrict);
    most_steps = std::max(most_steps, answer.steps);
    const DeviceAnswer found = loaded.told(answer);
    if (found == world.answer) return;
    if (++differences <= 10) {
      ADD_FAILURE() << world.name << "\n  upstream: " << text_of(world.answer) << "\n  Berth: " << text_of(found);
    }
  });
  std::cout << count << " worlds compared, " << differences << " differences, at most " << most_steps << " steps\n";
  EXPECT_EQ(differences, 0);
  EXPECT_GE(count, 1500U);
  EXPECT_GE(outcomes["allocated"] * 10, static_cast<int>(count) * 3);
  EXPECT_LE(outcomes["allocated"] * 10, static_cast<int>(count) * 7);
  for (const std::string_view tag : kFeatures) EXPECT_GE(tags[std::string(tag)] * 20, generated) << tag;
  for (const auto& [tag, uses] : tags)
    EXPECT_TRUE(std::ranges::find(kFeatures, tag) != kFeatures.end()) << tag << " is a feature that the list lacks";
}

// What upstream allocates is legal, so best mode must find something, too. It may find more: it forgives what
// docs/differences.md lists.
TEST(StructuredAllocator, BestModeAllocatesWhereverUpstreamDoes) {
  int allocated = 0;
  int more = 0;
  for_each_world([&](const DeviceWorld& world) {
    LoadedDevices loaded(world);
    const devices::Answer answer = loaded.ask(devices::Mode::kBest);
    EXPECT_NE(answer.outcome, devices::Outcome::kSearchLimit) << world.name;
    if (world.answer.outcome == "allocated") {
      ++allocated;
      EXPECT_EQ(answer.outcome, devices::Outcome::kAllocated) << world.name << ": " << text_of(world.answer);
    } else if (answer.outcome == devices::Outcome::kAllocated) {
      ++more;
    }
  });
  std::cout << allocated << " worlds allocated by both, " << more << " by best mode alone\n";
}

// Gates that are off refuse claims outright; that is no matter of devices.
bool refused(const devices::Answer& answer) { return answer.outcome == devices::Outcome::kError; }

// A list without its gate is a value of no known type, and then what is legal depends on the order of the devices.
bool lists_without_gate(const DeviceWorld& world) {
  return !world.features.list_type_attributes && std::ranges::find(world.tags, "lists") != world.tags.end();
}

reference::DeviceQuestion twin_question(const DeviceWorld& world) {
  reference::DeviceQuestion question;
  question.node = &world.objects.nodes.at(0).object;
  for (const auto& read : world.objects.resource_slices) question.slices.push_back(&read.object);
  for (const auto& read : world.objects.device_classes) question.classes.push_back(&read.object);
  for (const auto& read : world.objects.resource_claims) question.claims.push_back(&read.object);
  question.selects = [&world](const std::string& expression, const api::ResourceSlice& slice, std::size_t device) {
    return world.selectors.at(expression).at(slice.metadata.name).at(device) == 'y';
  };
  question.gates = {.partitionable_devices = world.features.partitionable_devices,
                    .device_taints = world.features.device_taints,
                    .binding_conditions = world.features.binding_conditions,
                    .consumable_capacity = world.features.consumable_capacity,
                    .fractional_capacity_range = world.features.fractional_capacity_range,
                    .list_type_attributes = world.features.list_type_attributes};
  return question;
}

// Best mode says yes exactly where trying everything finds a legal allocation.
TEST(StructuredAllocator, BestModeSaysYesExactlyWhereTheTwinDoes) {
  constexpr std::int64_t kMostChoices = 20'000;
  int compared = 0;
  int yes = 0;
  for_each_world([&](const DeviceWorld& world) {
    LoadedDevices loaded(world);
    const devices::Answer answer = loaded.ask(devices::Mode::kBest);
    if (refused(answer) || lists_without_gate(world)) return;
    const std::optional<bool> found = reference::some_allocation(twin_question(world), kMostChoices);
    if (!found) return;
    ++compared;
    if (*found) ++yes;
    EXPECT_EQ(answer.outcome == devices::Outcome::kAllocated, *found) << world.name;
  });
  std::cout << compared << " worlds tried out in full, " << yes << " of them a yes\n";
  EXPECT_GE(compared, 1200);
  EXPECT_GE(yes, 400);
}

// Scores see an allocation as the twin's plain steps do.
TEST(StructuredAllocator, AllocationsAreWorthWhatTheTwinSays) {
  int compared = 0;
  std::map<std::int64_t, int> ranks;
  std::map<std::int64_t, int> packings;
  for_each_world([&](const DeviceWorld& world) {
    LoadedDevices loaded(world);
    const devices::Answer answer = loaded.ask(devices::Mode::kBest);
    if (answer.outcome != devices::Outcome::kAllocated) return;
    const devices::AllocationValue value = loaded.value(answer);
    const reference::DeviceScores twin = loaded.twin_scores(twin_question(world), answer);
    ++compared;
    ++ranks[twin.rank];
    ++packings[twin.packing];
    EXPECT_EQ(value.rank, twin.rank) << world.name;
    EXPECT_EQ(value.packing, twin.packing) << world.name;
  });
  std::cout << compared << " allocations, " << ranks.size() << " ranks, " << packings.size() << " packings\n";
  EXPECT_GE(compared, 500);
  EXPECT_GE(ranks.size(), 4U);
  EXPECT_GE(packings.size(), 20U);
}

}  // namespace
}  // namespace berth::oracle
