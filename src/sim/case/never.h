// The `never` lines of a case: what may not hold at any moment.
//
// They are plain sentences; a small grammar understands the common ones (docs/cases.md lists them):
//   any pod is evicted | X is evicted | X is evicted a second time | X holds a GPU | X holds a GPU on NODE
//   X runs | X runs on NODE | X starts before Y | X runs while Y runs | X runs while Y is pending
//   X runs while Y has fewer than N running members | more than N pods of X run | more than N pods run on NODE
//   X and Y run on the same node | more pods than cards use NODE | a pod is evicted before a complete plan exists
// X and Y name a pod or the workload it belongs to, with or without its kind, globs allowed; "any pod" is all of them.
// What the grammar does not know is not checked, and the runner says so.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/case/pod_record.h"

namespace berth::sim {

// What can be looked at, at one moment. `pods` has every pod that ever existed.
struct Moment {
  std::span<const PodRecord* const> pods;
  // Cards a node has, over all card resources.
  std::function<std::int64_t(std::string_view node)> cards_of_node;
};

// Holds what it found in words if the sentence is true now; none while it is false.
using NeverCheck = std::function<std::optional<std::string>(const Moment&)>;

// None: the sentence is not understood.
[[nodiscard]] std::optional<NeverCheck> understand_never(std::string_view sentence);

}  // namespace berth::sim
