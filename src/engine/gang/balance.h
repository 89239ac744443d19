// Balance: slices over domains in equal numbers, in as few domains as will do.
//
// Of the sets of so few domains one with the smallest largest part is taken; within that the largest smallest part, and
// of the domains that would do for a full part the tightest, so that large ones stay whole.
// Source: the idea of Kueue's balanced placement (TASBalancedPlacement).
#pragma once

#include <cstdint>
#include <vector>

namespace berth::engine {

struct DomainPart {
  std::uint32_t domain = 0;
  std::int64_t slices = 0;
  bool operator==(const DomainPart&) const = default;
};

// `room`: slices that each domain could take. Larger parts first. Empty: they do not fit in all of them together.
// O(domains log domains).
[[nodiscard]] std::vector<DomainPart> balanced_parts(const std::vector<std::int64_t>& room, std::int64_t slices);

}  // namespace berth::engine
