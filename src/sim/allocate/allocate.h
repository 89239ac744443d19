// Allocate: which devices do these claims get, and if none, why? The device allocator alone, without pods: the claims
// of the input that have no allocation are decided together, as those of one pod, beside those that have one.
//
//   const AllocationAnswer answer = allocate_claims(objects, {.mode = Mode::kStrict, .node = "gpu-1"});
//   if (answer.outcome == AllocationOutcome::kAllocated) write(answer.results);
//
// A pure function of its arguments.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "api/feature_gates.h"
#include "api/objects.h"
#include "engine/devices/allocator.h"

namespace berth::sim {

struct AllocateOptions {
  engine::devices::Mode mode = engine::devices::Mode::kBest;
  std::string node;  // empty: see allocate_claims()
  api::KubernetesVersion kubernetes = api::kNewestKubernetes;
  api::FeatureGates gates;
};

enum class AllocationOutcome : std::uint8_t {
  kAllocated,
  kNo,         // the claims do not fit
  kUndecided,  // the search was ended without an answer
  kError,      // the claims, or what they ask about, are broken
};

enum class AllocationClass : std::uint8_t {
  kNone,
  // No:
  kNoDevice,     // not enough such devices, even if nothing were in use
  kDeviceBusy,   // there are enough, but they are in use
  kSearchLimit,  // not decided: the search was ended
  // Error on one node; others may do:
  kInvalidPools,  // the claims do not fit, and a pool contradicts itself
  // Error:
  kSelectorError,        // a selector does not compile, or failed on a device
  kClassMissing,         // no DeviceClass of that name
  kTooManyDevices,       // more devices than a result can hold
  kFeatureOff,           // a feature is used whose gate is off
  kAllIncompletePool,    // allocationMode All while a pool is being changed
  kAllInvalidPool,       // allocationMode All while a pool is invalid
  kAllBreaksConstraint,  // a member of All violates a constraint
  kCapacity,             // an amount that cannot be rounded up, or is negative
  kUnsupported,          // a kind of request, selector or constraint that is not known
};
// "NoDevice", "DeviceBusy", ...
[[nodiscard]] std::string_view name_of(AllocationClass reason);
// "Allocated", "No", "Error".
[[nodiscard]] std::string_view name_of(AllocationOutcome outcome);

// What one request, or one alternative of it, finds on a node. Of the devices that match each counts once below.
struct RequestCount {
  std::string claim;    // "namespace/name"
  std::string request;  // "a" or "a/b"
  std::string device_class;
  std::string selector;        // the request's own, or else the class's, the last one
  bool all = false;            // allocationMode All
  std::int64_t needed = 0;     // All: at least 1
  std::int64_t devices = 0;    // that the node can use
  std::int64_t matching = 0;   // that class and selectors accept
  std::int64_t tainted = 0;    // with a taint that is not tolerated
  std::int64_t skipping = 0;   // in slices with skipNodeOperations, while that is refused
  std::int64_t too_small = 0;  // whose capacities could not hold the request even if unused
  std::int64_t in_use = 0;     // by claims, or too much of it
  std::int64_t cut = 0;        // whose counters other devices have taken
  std::int64_t available = 0;
  std::int64_t failed = 0;           // devices on which a selector failed; they do not match
  std::string failure;               // how, on the first
  std::string taint;                 // the key of one
  std::vector<std::string> holders;  // claims that have devices of `in_use`, at most 8

  [[nodiscard]] std::int64_t missing() const { return available < needed ? needed - available : 0; }
};

struct NodeAnswer {
  std::string node;
  bool assumed = false;  // there is no Node object of that name: taken as one without labels
  AllocationOutcome outcome = AllocationOutcome::kNo;
  AllocationClass reason = AllocationClass::kNone;
};

struct AllocationReason {
  AllocationClass reason = AllocationClass::kNone;
  std::string message;                 // one sentence
  std::string claim;                   // that decides, "namespace/name"; empty: all together
  std::string request;                 // of it; empty: all together
  std::vector<RequestCount> requests;  // on the node that comes nearest
};

struct AllocationAnswer {
  AllocationOutcome outcome = AllocationOutcome::kNo;
  std::string node;      // that was chosen, or that comes nearest; empty: there is none
  bool assumed = false;  // see NodeAnswer
  std::vector<const api::Read<api::ResourceClaim>*> claims;  // without allocation, in the order of the input
  std::vector<api::AllocationResult> results;                // kAllocated: one per claim
  std::size_t in_use = 0;                                    // claims with an allocation
  AllocationReason reason;                                   // unless kAllocated
  std::vector<NodeAnswer> nodes;                             // those asked, in order
  std::vector<std::string> hints;    // unless kAllocated: names that no device publishes, and what is published
  std::vector<std::string> faults;   // best mode: what failed on single devices and left them out
  std::vector<std::string> ignored;  // what of the input does not count
  std::uint64_t steps = 0;           // candidates looked at on that node
};

// Without a node the Node objects and the nodes that slices name are asked in the order of their names. Strict mode
// takes the first that fits, and ends at the first error that is not the node's alone, as an attempt to schedule does;
// best mode takes the one whose alternatives are preferred, of these the one with the fewest free devices.
// Borrows the objects. Where there is nothing to allocate, all is allocated.
[[nodiscard]] AllocationAnswer allocate_claims(const api::ObjectSet& objects, const AllocateOptions& options);

}  // namespace berth::sim
