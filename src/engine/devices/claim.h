// What a ResourceClaim asks, in engine terms.
//
// Source: resource.k8s.io/v1 ResourceClaimSpec. Names of requests are positions here: results say which request and
// which alternative a device is for, and the dialect writes `request` or `request/subrequest`.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "engine/devices/ids.h"
#include "engine/devices/model.h"

namespace berth::engine::devices {

// Something that the dialect found and that makes every attempt an error, whatever the devices are.
enum class RequestProblem : std::uint8_t {
  kNone,
  kDerivedAttributes,  // derivedAttributes is set; the feature is not supported
  kClassMissing,       // no DeviceClass of that name
};

struct CapacityRequest {
  CapacityId name;
  Quantity amount = 0;
  bool operator==(const CapacityRequest&) const = default;
};

// One way to satisfy a request: `exactly`, or one entry of `firstAvailable`.
struct Alternative {
  enum class Mode : std::uint8_t { kExactCount, kAll };
  RequestProblem problem = RequestProblem::kNone;
  NameId device_class;                // for reports
  std::vector<SelectorId> selectors;  // those of the class first, then the request's own; all must say yes
  Mode mode = Mode::kExactCount;
  std::int64_t count = 1;            // ExactCount: at least 1
  std::optional<bool> admin_access;  // none: not set
  std::vector<DeviceToleration> tolerations;
  std::optional<std::vector<CapacityRequest>> capacities;  // ascending by name; none: `capacity` is not set
  bool operator==(const Alternative&) const = default;
};

struct Request {
  bool prioritized = false;               // firstAvailable; else there is exactly one alternative
  std::vector<Alternative> alternatives;  // at least one
  bool operator==(const Request&) const = default;
};

// Which requests a constraint is about: a request with all its alternatives, or one alternative.
struct ConstraintTarget {
  std::uint32_t request = 0;
  std::optional<std::uint32_t> alternative;
  bool operator==(const ConstraintTarget&) const = default;
};

struct Constraint {
  enum class Kind : std::uint8_t { kMatch, kDistinct, kUnknown };  // unknown: an error
  Kind kind = Kind::kMatch;
  AttributeId attribute;  // fully qualified
  bool all_requests = true;
  std::vector<ConstraintTarget> targets;  // unless all_requests
  bool operator==(const Constraint&) const = default;
};

struct Claim {
  std::vector<Request> requests;
  std::vector<Constraint> constraints;
  bool operator==(const Claim&) const = default;
};

}  // namespace berth::engine::devices
