#include "sim/allocate/allocate.h"

#include <algorithm>
#include <optional>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "report/layout.h"
#include "sim/allocate/allocation_reason.h"
#include "sim/allocate/device_world.h"
#include "sim/allocate/request_counts.h"

namespace berth::sim {
namespace {

namespace devices = engine::devices;
using devices::Outcome;

// How good an allocation is beside those on other nodes; less is better.
using Rank = std::pair<std::int64_t, std::int64_t>;  // positions of the alternatives taken, devices that stay free

Rank rank(const DeviceWorld& world, const devices::NodeDevices& node, const devices::Answer& answer) {
  std::int64_t alternatives = 0;
  std::int64_t taken = 0;
  for (const devices::ClaimAllocation& claim : answer.claims) {
    for (const std::uint32_t chosen : claim.chosen) alternatives += chosen;
    taken += static_cast<std::int64_t>(claim.devices.size());
  }
  const auto free = std::ranges::count_if(
      node.devices, [&](const devices::PlacedDevice& device) { return !world.usage().in_use(device.id); });
  return {alternatives, free - taken};
}

class Allocation {
 public:
  Allocation(const api::ObjectSet& objects, const AllocateOptions& options)
      : options_(options), world_(objects, options) {
    answer_.claims = world_.pending();
    answer_.in_use = world_.claims_in_use();
    if (!options.gates.on(api::Gate::kDeviceTaintRules) && !objects.device_taint_rules.empty())
      answer_.ignored.push_back(fmt::format("{} {} not count: the feature gate DRADeviceTaintRules is off",
                                            report::counted(objects.device_taint_rules.size(), "DeviceTaintRule"),
                                            objects.device_taint_rules.size() == 1 ? "does" : "do"));
  }

  AllocationAnswer run() {
    if (world_.pending().empty()) {
      answer_.outcome = AllocationOutcome::kAllocated;
      answer_.node = options_.node;
      return std::move(answer_);
    }
    if (!options_.node.empty()) {
      ask(options_.node);
    } else {
      for (const auto& [name, node] : world_.nodes()) {
        if (!ask(name)) break;
      }
    }
    conclude();
    return std::move(answer_);
  }

 private:
  // What was found on the best node so far, or on the one that comes nearest.
  struct Found {
    std::string node;
    devices::Answer answer;
    Rank rank;
    AllocationClass reason = AllocationClass::kNone;
    std::int64_t missing = 0;
  };

  // False: no further node is asked.
  bool ask(const std::string& name) {
    const auto known = world_.nodes().find(name);
    const bool assumed = known == world_.nodes().end() || known->second == nullptr;
    const devices::NodeDevices node = world_.on(name);
    Found found{.node = name, .answer = devices::allocate(world_.question(node, world_.pending().size()))};
    if (found.answer.outcome == Outcome::kAllocated) {
      found.rank = rank(world_, node, found.answer);
    } else {
      const std::vector<RequestCount> counts = count_requests(world_, node);
      found.reason = class_of(world_, node, found.answer, counts);
      found.missing = missing(counts);
    }
    answer_.nodes.push_back({name, assumed, outcome_of(found.reason), found.reason});
    const bool ends = options_.mode == devices::Mode::kStrict &&
                      (found.answer.outcome == Outcome::kAllocated || found.answer.outcome == Outcome::kError);
    if (!best_ || ends || better(found, *best_)) best_ = std::move(found);
    return !ends;
  }

  static bool better(const Found& one, const Found& other) {
    const auto key = [](const Found& found) {
      const bool none = found.reason != AllocationClass::kNone;
      const bool busy = found.reason == AllocationClass::kDeviceBusy;
      return std::tuple(none, found.rank, !busy, found.missing);
    };
    return key(one) < key(other);
  }

  void conclude() {
    if (!best_) {
      answer_.reason.reason = AllocationClass::kNoDevice;
      answer_.reason.message = "neither a Node nor a slice of the input names a node; name one with --node";
      return;
    }
    const devices::NodeDevices node = world_.on(best_->node);
    const devices::Answer& answer = best_->answer;
    answer_.node = best_->node;
    answer_.assumed = std::ranges::find(answer_.nodes, best_->node, &NodeAnswer::node)->assumed;
    answer_.outcome = outcome_of(best_->reason);
    answer_.steps = answer.steps;
    answer_.faults = fault_texts(world_, answer.faults);
    if (answer.outcome == Outcome::kAllocated) {
      answer_.results = world_.results(node, answer);
    } else {
      answer_.reason = reason_of(world_, node, answer, best_->reason, count_requests(world_, node));
      answer_.hints = hints(world_);
    }
  }

  const AllocateOptions& options_;
  DeviceWorld world_;
  AllocationAnswer answer_;
  std::optional<Found> best_;
};

}  // namespace

std::string_view name_of(AllocationOutcome outcome) {
  switch (outcome) {
    case AllocationOutcome::kAllocated:
      return "Allocated";
    case AllocationOutcome::kNo:
      return "No";
    case AllocationOutcome::kUndecided:
      return "Undecided";
    case AllocationOutcome::kError:
      return "Error";
  }
  return "";
}

std::string_view name_of(AllocationClass reason) {
  switch (reason) {
    case AllocationClass::kNone:
      return "None";
    case AllocationClass::kNoDevice:
      return "NoDevice";
    case AllocationClass::kDeviceBusy:
      return "DeviceBusy";
    case AllocationClass::kSearchLimit:
      return "SearchLimit";
    case AllocationClass::kInvalidPools:
      return "InvalidPools";
    case AllocationClass::kSelectorError:
      return "SelectorError";
    case AllocationClass::kClassMissing:
      return "ClassMissing";
    case AllocationClass::kTooManyDevices:
      return "TooManyDevices";
    case AllocationClass::kFeatureOff:
      return "FeatureOff";
    case AllocationClass::kAllIncompletePool:
      return "AllIncompletePool";
    case AllocationClass::kAllInvalidPool:
      return "AllInvalidPool";
    case AllocationClass::kAllBreaksConstraint:
      return "AllBreaksConstraint";
    case AllocationClass::kCapacity:
      return "Capacity";
    case AllocationClass::kUnsupported:
      return "Unsupported";
  }
  return "";
}

AllocationAnswer allocate_claims(const api::ObjectSet& objects, const AllocateOptions& options) {
  return Allocation(objects, options).run();
}

}  // namespace berth::sim
