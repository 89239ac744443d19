// The device allocator: which devices do these claims get on this node?
//
// Two modes over the same model and the same rules of what is legal:
// - strict: the answer of upstream's structured allocator (k8s.io/dynamic-resource-allocation v0.37): depth-first
// search
//   in its order, first solution, its hard errors;
// - best: of the legal answers one that leaves the most valuable rest (best.h); a selector that fails on a device
//   disqualifies that device alone and is reported.
//
// A pure function of the question. Names of upstream's rules are in strict.h.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "engine/devices/catalogue.h"
#include "engine/devices/claim.h"
#include "engine/devices/features.h"
#include "engine/devices/ids.h"
#include "engine/devices/node_devices.h"
#include "engine/devices/selector_answers.h"
#include "engine/devices/usage.h"

namespace berth::engine::devices {

enum class Mode : std::uint8_t { kStrict, kBest };

inline constexpr std::uint64_t kDefaultStepLimit = 1'000'000;

struct Question {
  const Catalogue* catalogue = nullptr;
  const NodeDevices* node = nullptr;
  std::span<const Claim* const> claims;  // the pod's unallocated claims, in the pod's order; decided together
  const Usage* usage = nullptr;
  const SelectorAnswers* selectors = nullptr;
  Features features;
  Mode mode = Mode::kBest;
  // Best mode: attributes whose values make groups that are better kept whole, such as the PCIe root or the NVLink
  // clique; the first counts most.
  std::span<const AttributeId> groups;
  std::uint64_t step_limit = kDefaultStepLimit;  // candidates looked at before kSearchLimit; 0: none
  // Strict mode: candidates looked at before it is worth while to look ahead, at least 1. The answer does not depend on
  // it, which tests make use of.
  std::uint64_t unguided_steps = 2000;
};

struct DeviceAllocation {
  std::uint32_t request = 0;      // position in the claim
  std::uint32_t alternative = 0;  // position in the request
  DeviceId device;
  std::uint32_t placed = 0;               // position in NodeDevices::devices
  bool admin_access = false;              // not counted in Usage
  bool shared = false;                    // needs a shareID
  std::vector<CapacityRequest> consumed;  // of a shared device: every capacity it has, ascending by name
  bool operator==(const DeviceAllocation&) const = default;
};

// Where the allocated devices can be reached from (status.allocation.nodeSelector).
struct Reach {
  enum class Kind : std::uint8_t { kEverywhere, kThisNode, kSelector };
  Kind kind = Kind::kEverywhere;
  NodeTerm term;  // kSelector: the union of the slices' requirements
  bool operator==(const Reach&) const = default;
};

struct ClaimAllocation {
  std::vector<DeviceAllocation> devices;  // in order of allocation
  std::vector<std::uint32_t> chosen;      // per request: the alternative
  Reach reach;
  bool operator==(const ClaimAllocation&) const = default;
};

enum class Outcome : std::uint8_t {
  kAllocated,
  kDoesNotFit,
  kInvalidPools,  // does not fit, and some pool of this node is invalid; other nodes may go on
  kError,         // the claims or what they ask of this node are broken: strict mode ends the pod's attempt
  kSearchLimit,   // not decided within step_limit
};

enum class Problem : std::uint8_t {
  kNone,
  kPrioritizedListOff,       // firstAvailable with the gate off
  kConsumableCapacityOff,    // capacity requests with the gate off
  kAdminAccessOff,           // adminAccess with the gate off
  kDistinctAttributeOff,     // distinctAttribute, for an allocator that does not know it
  kRequest,                  // see RequestProblem of the alternative
  kTooManyDevices,           // the claim asks for more devices than a result can hold
  kUnknownConstraint,        // neither matchAttribute nor distinctAttribute
  kSelectorError,            // a selector failed on a device
  kAllWithIncompletePool,    // allocationMode All while a pool is incomplete
  kAllWithInvalidPool,       // allocationMode All while a pool is invalid
  kAllBreaksConstraint,      // a member of All violates a constraint
  kCapacityUnrepresentable,  // rounding a request up leaves the range of int64
  kNegativeCapacity,
};

// What is wrong, and with what. Fields that do not apply are none or 0.
struct Failure {
  Problem problem = Problem::kNone;
  std::uint32_t claim = 0;
  std::uint32_t request = 0;
  std::uint32_t alternative = 0;
  std::uint32_t constraint = 0;
  DeviceId device;
  PoolId pool;
  SelectorId selector;
  SelectorErrorId selector_error;
  bool operator==(const Failure&) const = default;
};

struct Answer {
  Outcome outcome = Outcome::kDoesNotFit;
  std::vector<ClaimAllocation> claims;  // kAllocated: one per claim of the question
  Failure failure;                      // kError
  // Best mode: what disqualified single devices instead of ending the attempt (kSelectorError,
  // kCapacityUnrepresentable, kNegativeCapacity), in order of discovery, each (problem, option, device) once.
  std::vector<Failure> faults;
  std::uint64_t steps = 0;  // candidates looked at
};

[[nodiscard]] Answer allocate(const Question& question);

// Enters an answer into the usage, or takes it out again; exact inverses.
void apply(const ClaimAllocation& allocation, Usage& usage);
void revert(const ClaimAllocation& allocation, Usage& usage);

}  // namespace berth::engine::devices
