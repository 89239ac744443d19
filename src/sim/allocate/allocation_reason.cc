#include "sim/allocate/allocation_reason.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "dialects/dra/published.h"
#include "engine/devices/catalogue.h"
#include "report/layout.h"
#include "report/reason_words.h"
#include "sim/allocate/request_counts.h"

namespace berth::sim {
namespace {

namespace devices = engine::devices;
namespace dra = dialects::dra;
using devices::Outcome;
using devices::PoolState;
using devices::Problem;
using report::counted;

std::uint64_t number(std::int64_t count) { return static_cast<std::uint64_t>(count); }

AllocationClass class_of_error(const DeviceWorld& world, const devices::NodeDevices& node,
                               const devices::Failure& failure) {
  switch (failure.problem) {
    case Problem::kPrioritizedListOff:
    case Problem::kConsumableCapacityOff:
    case Problem::kAdminAccessOff:
    case Problem::kDistinctAttributeOff:
      return AllocationClass::kFeatureOff;
    case Problem::kRequest: {
      const devices::Question question = world.question(node, world.pending().size());
      const devices::Request& request = question.claims[failure.claim]->requests[failure.request];
      return request.alternatives[failure.alternative].problem == devices::RequestProblem::kClassMissing
                 ? AllocationClass::kClassMissing
                 : AllocationClass::kUnsupported;
    }
    case Problem::kTooManyDevices:
      return AllocationClass::kTooManyDevices;
    case Problem::kSelectorError:
      return AllocationClass::kSelectorError;
    case Problem::kAllWithIncompletePool:
      return AllocationClass::kAllIncompletePool;
    case Problem::kAllWithInvalidPool:
      return AllocationClass::kAllInvalidPool;
    case Problem::kAllBreaksConstraint:
      return AllocationClass::kAllBreaksConstraint;
    case Problem::kCapacityUnrepresentable:
    case Problem::kNegativeCapacity:
      return AllocationClass::kCapacity;
    case Problem::kNone:
    case Problem::kUnknownConstraint:
      break;
  }
  return AllocationClass::kUnsupported;
}

// A request that the devices on which selectors failed would have served.
bool lacks_the_failed(const std::vector<RequestCount>& counts) {
  return std::ranges::any_of(
      counts, [](const RequestCount& count) { return count.failed > 0 && count.matching < count.needed; });
}

std::string full_request(std::string_view request, std::string_view claim) {
  return fmt::format("request {} of claim {}", request, claim);
}

// Of a failure: "request r/a of claim ns/c".
std::string where(const DeviceWorld& world, const devices::Failure& failure) {
  const api::DeviceRequest& request = world.pending()[failure.claim]->object.spec.requests[failure.request];
  std::string name = request.name;
  if (!request.first_available.empty()) name += '/' + request.first_available[failure.alternative].name;
  return full_request(name, world.claim_name(failure.claim));
}

const api::ExactDeviceRequest& asked(const DeviceWorld& world, const devices::Failure& failure) {
  const api::DeviceRequest& request = world.pending()[failure.claim]->object.spec.requests[failure.request];
  return request.exactly ? *request.exactly : request.first_available[failure.alternative].request;
}

std::string pool_name(const DeviceWorld& world, const devices::NodeDevices& node, devices::PoolId id) {
  const auto pool = std::ranges::find(node.pools, id, &devices::NodePool::id);
  if (pool == node.pools.end()) return "a pool";
  return fmt::format("pool {} of driver {}", world.names().names.text(pool->name),
                     world.names().names.text(pool->driver));
}

std::string_view state_text(PoolState state) {
  switch (state) {
    case PoolState::kUsable:
      return "is usable";
    case PoolState::kIncomplete:
      return "has not as many slices of its newest generation as they say";
    case PoolState::kDisputed:
      return "has slices that disagree on resourceSliceCount";
    case PoolState::kDuplicateDevice:
      return "has two devices of one name";
    case PoolState::kDuplicateCounterSet:
      return "has two counter sets of one name";
    case PoolState::kUnknownCounterSet:
      return "has a device that consumes a counter set which no slice of the pool has";
    case PoolState::kUnknownCounter:
      return "has a device that consumes a counter which its counter set lacks";
  }
  return "";
}

std::string unsupported_text(const DeviceWorld& world, const devices::NodeDevices& node,
                             const devices::Failure& failure) {
  if (failure.problem == Problem::kUnknownConstraint)
    return fmt::format("constraint {} of claim {} is neither matchAttribute nor distinctAttribute; name one of them",
                       failure.constraint + 1, world.claim_name(failure.claim));
  const devices::Question question = world.question(node, world.pending().size());
  switch (question.claims[failure.claim]->requests[failure.request].alternatives[failure.alternative].problem) {
    case devices::RequestProblem::kNone:
    case devices::RequestProblem::kClassMissing: {
      const std::string& name = asked(world, failure).device_class_name;
      const bool refused = world.objects().refused.contains("DeviceClass " + name);
      return fmt::format("{} names the DeviceClass {}, which {}{}", where(world, failure), name,
                         report::absence(refused), refused ? "" : "; add it, or name one that does");
    }
    case devices::RequestProblem::kDerivedAttributes:
      return where(world, failure) + " uses derivedAttributes, which are not supported; remove them";
  }
  return "";
}

// In one line, whatever the manifest has.
std::string one_line(std::string_view expression) {
  std::string out;
  for (const char byte : expression) {
    const bool blank = byte == ' ' || byte == '\n' || byte == '\t' || byte == '\r';
    if (!blank) {
      out += byte;
    } else if (!out.empty() && out.back() != ' ') {
      out += ' ';
    }
  }
  return out;
}

// What failed on a device and on so many more.
std::string fault_text(const DeviceWorld& world, const devices::Failure& failure, std::uint64_t more = 0) {
  std::string device = failure.device.is_none() ? std::string("a device") : world.device_name(failure.device);
  if (more > 0) device += " and " + counted(more, "other device");
  switch (failure.problem) {
    case Problem::kSelectorError:
      return fmt::format("{}: the selector {} failed on {}: {}", where(world, failure),
                         one_line(world.names().devices().selectors.text(failure.selector)), device,
                         world.selectors().error(failure.selector_error));
    case Problem::kNegativeCapacity:
      return fmt::format("{} would take a negative amount of {}", where(world, failure), device);
    default:
      return fmt::format("{} asks for an amount of {} that cannot be rounded up within 64 bits", where(world, failure),
                         device);
  }
}

std::string error_text(const DeviceWorld& world, const devices::NodeDevices& node, const devices::Failure& failure) {
  switch (failure.problem) {
    case Problem::kNone:
      return "the claims cannot be read";
    case Problem::kPrioritizedListOff:
      return where(world, failure) + " uses firstAvailable, and the feature gate DRAPrioritizedList is off";
    case Problem::kConsumableCapacityOff:
      return where(world, failure) + " asks for capacity, and the feature gate DRAConsumableCapacity is off";
    case Problem::kAdminAccessOff:
      return where(world, failure) + " uses adminAccess, and the feature gate DRAAdminAccess is off";
    case Problem::kDistinctAttributeOff:
      return fmt::format(
          "constraint {} of claim {} is a distinctAttribute, and the feature gate DRAConsumableCapacity is off",
          failure.constraint + 1, world.claim_name(failure.claim));
    case Problem::kRequest:
    case Problem::kUnknownConstraint:
      return unsupported_text(world, node, failure);
    case Problem::kTooManyDevices:
      return fmt::format("with {} the claim has more devices than the {} that an allocation can hold",
                         where(world, failure), devices::kMaxResults);
    case Problem::kSelectorError:
    case Problem::kCapacityUnrepresentable:
    case Problem::kNegativeCapacity:
      return fault_text(world, failure);
    case Problem::kAllWithIncompletePool:
      return fmt::format(
          "{} wants all devices, and {} has not as many slices of its newest generation as they say, so nobody knows "
          "what all is; wait until its driver has published them",
          where(world, failure), pool_name(world, node, failure.pool));
    case Problem::kAllWithInvalidPool: {
      const auto pool = std::ranges::find(node.pools, failure.pool, &devices::NodePool::id);
      return fmt::format("{} wants all devices, and {} {}, so nobody knows what all is", where(world, failure),
                         pool_name(world, node, failure.pool),
                         pool == node.pools.end() ? "is invalid" : state_text(pool->state));
    }
    case Problem::kAllBreaksConstraint:
      return fmt::format("{} wants all devices, and {} violates constraint {} of the claim", where(world, failure),
                         world.device_name(failure.device), failure.constraint + 1);
  }
  return "";
}

// "3 match: 1 is in use by team-a/x, 1 is tainted draining".
std::string found_text(const RequestCount& count) {
  std::vector<std::string> parts;
  const auto part = [&](std::int64_t some, std::string_view text) {
    if (some > 0) parts.push_back(fmt::format("{} {} {}", some, some == 1 ? "is" : "are", text));
  };
  part(count.in_use, count.holders.empty() ? "in use" : "in use by " + report::enumerate(count.holders, 3));
  part(count.cut, "on cards that others have cut");
  part(count.tainted, "tainted " + count.taint + ", which the request does not tolerate");
  part(count.skipping, "in slices with skipNodeOperations, which need the feature gate DRAOptionalNodeOperations");
  part(count.too_small, "too small for the capacity that it asks for");
  std::string text = count.matching == 0 ? "none matches" : counted(number(count.matching), "matches", "match");
  if (!parts.empty()) text += ": " + report::enumerate(parts, parts.size());
  if (count.failed > 0) {
    text += fmt::format("; on {} a selector failed: {}", counted(number(count.failed), "device"), count.failure);
  }
  return text;
}

std::string shortage_text(const RequestCount& count, std::string_view node) {
  const std::string wants = count.all ? std::string("all devices") : counted(number(count.needed), "device");
  std::string text =
      fmt::format("{} needs {} of class {}", full_request(count.request, count.claim), wants, count.device_class);
  if (!count.selector.empty()) text += " where " + one_line(count.selector);
  if (count.devices == 0) return text + fmt::format("; node {} has no device", node);
  return text + fmt::format("; of {} on node {} {}", counted(number(count.devices), "device"), node, found_text(count));
}

// Each request alone could be served. The shortest list of claims that cannot: the last of them decides. What a list
// cannot have a longer one cannot, so that halving finds it; but mostly it is the last claim that is too many. Best
// mode tells for strict mode, too, which is slow where it can allocate.
std::size_t failing_prefix(const DeviceWorld& world, const devices::NodeDevices& node) {
  const auto fit = [&](std::size_t claims) {
    devices::Question question = world.question(node, claims);
    question.mode = devices::Mode::kBest;
    return devices::allocate(question).outcome == Outcome::kAllocated;
  };
  std::size_t fits = 0;
  std::size_t fails = world.pending().size();
  if (fails > 1) (fit(fails - 1) ? fits : fails) = fails - 1;
  while (fits + 1 < fails) {
    const std::size_t middle = fits + (fails - fits) / 2;
    (fit(middle) ? fits : fails) = middle;
  }
  return fails;
}

// On an emptied node the answer would be the same.
bool nobody_has_devices(const devices::Question& question) {
  const devices::NodeDevices& node = *question.node;
  const auto free = [&](const auto& device) { return !question.usage->in_use(device.id); };
  return std::ranges::all_of(node.devices, free) && std::ranges::all_of(node.pools, [&](const devices::NodePool& pool) {
           return std::ranges::all_of(pool.elsewhere, free);
         });
}

std::string together_text(const DeviceWorld& world, std::string_view node, std::size_t claims) {
  const api::ResourceClaim& claim = world.pending()[claims - 1]->object;
  std::vector<std::string> rules;
  for (const api::DeviceConstraint& constraint : claim.spec.constraints) {
    rules.push_back(constraint.match_attribute.empty() ? "with different values of " + constraint.distinct_attribute
                                                       : "with one value of " + constraint.match_attribute);
  }
  if (claims > 1) rules.push_back("beside " + counted(claims - 1, "claim") + " before it");
  if (claim.spec.requests.size() > 1 || rules.empty()) rules.emplace_back("for its requests together");
  return fmt::format("claim {}: node {} has enough devices for each request, but not {}", world.claim_name(claims - 1),
                     node, report::enumerate(rules, 4));
}

std::string broken_pools(const DeviceWorld& world, const devices::NodeDevices& node, bool invalid) {
  std::vector<std::string> texts;
  for (const devices::NodePool& pool : node.pools) {
    if (pool.state == PoolState::kUsable || pool.invalid() != invalid) continue;
    texts.push_back(pool_name(world, node, pool.id) + " " + std::string(state_text(pool.state)));
  }
  if (texts.empty()) return {};
  return report::enumerate(texts, 3) + fmt::format(", so {} not used", texts.size() == 1 ? "it is" : "they are");
}

void take_over(const RequestCount& count, AllocationReason& out) {
  out.claim = count.claim;
  out.request = count.request;
}

}  // namespace

AllocationClass class_of(const DeviceWorld& world, const devices::NodeDevices& node, const devices::Answer& answer,
                         const std::vector<RequestCount>& counts) {
  switch (answer.outcome) {
    case Outcome::kAllocated:
      return AllocationClass::kNone;
    case Outcome::kSearchLimit:
      return AllocationClass::kSearchLimit;
    case Outcome::kError:
      return class_of_error(world, node, answer.failure);
    case Outcome::kInvalidPools:
      return AllocationClass::kInvalidPools;
    case Outcome::kDoesNotFit:
      break;
  }
  const devices::Question question = world.question(node, world.pending().size(), true);
  if (question.mode == devices::Mode::kBest) {  // where strict mode has ended with an error
    if (lacks_the_failed(counts)) return AllocationClass::kSelectorError;
    const bool incomplete =
        std::ranges::any_of(node.pools, [](const auto& pool) { return pool.state == PoolState::kIncomplete; });
    if (incomplete && std::ranges::any_of(counts, &RequestCount::all)) return AllocationClass::kAllIncompletePool;
  }
  if (nobody_has_devices(world.question(node, world.pending().size()))) return AllocationClass::kNoDevice;
  const devices::Answer emptied = devices::allocate(question);
  return emptied.outcome == Outcome::kAllocated ? AllocationClass::kDeviceBusy : AllocationClass::kNoDevice;
}

AllocationOutcome outcome_of(AllocationClass reason) {
  switch (reason) {
    case AllocationClass::kNone:
      return AllocationOutcome::kAllocated;
    case AllocationClass::kNoDevice:
    case AllocationClass::kDeviceBusy:
      return AllocationOutcome::kNo;
    case AllocationClass::kSearchLimit:
      return AllocationOutcome::kUndecided;
    case AllocationClass::kInvalidPools:
    case AllocationClass::kSelectorError:
    case AllocationClass::kClassMissing:
    case AllocationClass::kTooManyDevices:
    case AllocationClass::kFeatureOff:
    case AllocationClass::kAllIncompletePool:
    case AllocationClass::kAllInvalidPool:
    case AllocationClass::kAllBreaksConstraint:
    case AllocationClass::kCapacity:
    case AllocationClass::kUnsupported:
      break;
  }
  return AllocationOutcome::kError;
}

AllocationReason reason_of(const DeviceWorld& world, const devices::NodeDevices& node, const devices::Answer& answer,
                           AllocationClass reason, std::vector<RequestCount> counts) {
  AllocationReason out;
  out.reason = reason;
  out.requests = std::move(counts);
  const std::string_view name = world.names().names.text(node.node);
  if (answer.outcome == Outcome::kError) {
    out.message = error_text(world, node, answer.failure);
    out.claim = world.claim_name(answer.failure.claim);
    if (answer.failure.problem != Problem::kUnknownConstraint) {
      const auto& request = world.pending()[answer.failure.claim]->object.spec.requests[answer.failure.request];
      out.request = request.name;
      if (!request.first_available.empty())
        out.request += '/' + request.first_available[answer.failure.alternative].name;
    }
    return out;
  }
  if (answer.outcome == Outcome::kSearchLimit) {
    out.message = fmt::format("not decided: {} devices were tried on node {} without an end; ask for less at once",
                              report::grouped(answer.steps), name);
    return out;
  }
  if (const RequestCount* worst = scarcest(out.requests)) {
    out.message = shortage_text(*worst, name);
    take_over(*worst, out);
  } else {
    const std::size_t claims = failing_prefix(world, node);
    out.message = together_text(world, name, claims);
    out.claim = world.claim_name(claims - 1);
  }
  for (const bool invalid : {true, false}) {
    if (const std::string pools = broken_pools(world, node, invalid); !pools.empty()) out.message += "; " + pools;
  }
  return out;
}

std::vector<std::string> fault_texts(const DeviceWorld& world, const std::vector<devices::Failure>& failures) {
  struct Group {
    devices::Failure first;
    std::uint64_t more = 0;
  };
  std::vector<Group> groups;
  for (const devices::Failure& failure : failures) {
    const auto alike = [&](const Group& group) {
      devices::Failure same = failure;
      same.device = group.first.device;
      return same == group.first;
    };
    const auto found = std::ranges::find_if(groups, alike);
    if (found == groups.end()) {
      groups.push_back({failure, 0});
    } else {
      ++found->more;
    }
  }
  std::vector<std::string> out;
  for (const Group& group : groups) out.push_back(fault_text(world, group.first, group.more));
  return out;
}

std::vector<std::string> hints(const DeviceWorld& world) {
  dra::Published published;
  for (const auto& read : world.objects().resource_slices) published.add(read.object);
  std::vector<std::string> out;
  const auto add = [&](std::string text) {
    if (!text.empty() && std::ranges::find(out, text) == out.end()) out.push_back(std::move(text));
  };
  const devices::Catalogue& catalogue = world.names().devices();
  for (std::size_t id = 0; id < catalogue.selectors.size(); ++id) {
    const dra::DeviceSelector* selector = world.selectors().selector(devices::SelectorId{id});
    if (selector == nullptr) continue;
    for (dra::SelectorRemark& remark : remarks_about(*selector, published)) add(std::move(remark.message));
  }
  for (const auto* pending : world.pending()) {
    for (const api::DeviceConstraint& constraint : pending->object.spec.constraints) {
      add(dra::remark_about(
          constraint.match_attribute.empty() ? constraint.distinct_attribute : constraint.match_attribute, published));
    }
  }
  return out;
}

}  // namespace berth::sim
