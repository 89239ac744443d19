#include "engine/score/balanced_allocation.h"

#include <algorithm>
#include <cmath>

namespace berth::engine {
namespace {

double used_share(Amount used, Amount allocatable) {
  return std::min(static_cast<double>(used) / static_cast<double>(allocatable), 1.0);
}

// 100 * (1 - standard deviation) of the used shares, truncated. `with_pod` adds what the pod asks.
std::int64_t balance(std::span<const ResourceTerm> terms, const World& world, NodeId node, bool with_pod) {
  constexpr std::size_t kMost = 16;  // more resources than any profile names
  double shares[kMost];
  std::size_t count = 0;
  double total = 0;
  for (const ResourceTerm& term : terms) {
    const Amount allocatable = world.allocatable(node, term.resource);
    if (allocatable == 0 || count == kMost) continue;
    const double share = used_share(term.held(world, node) + (with_pod ? term.request : 0), allocatable);
    total += share;
    shares[count++] = share;
  }
  double deviation = 0;
  if (count == 2) {
    deviation = std::abs((shares[0] - shares[1]) / 2);
  } else if (count > 2) {
    const double mean = total / static_cast<double>(count);
    double squares = 0;
    for (std::size_t i = 0; i < count; ++i) squares = squares + (shares[i] - mean) * (shares[i] - mean);
    deviation = std::sqrt(squares / static_cast<double>(count));
  }
  return static_cast<std::int64_t>((1 - deviation) * 100.0);
}

}  // namespace

std::int64_t score_balanced_allocation(std::span<const ResourceTerm> terms, const World& world, NodeId node) {
  const std::int64_t with_pod = balance(terms, world, node, true);
  const std::int64_t without = balance(terms, world, node, false);
  return 50 + (50 + with_pod - without) / 2;
}

}  // namespace berth::engine
