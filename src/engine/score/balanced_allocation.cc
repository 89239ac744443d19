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
  // Called for every share twice rather than keeping a list of them, whose length a profile decides.
  const auto for_each_share = [&](auto visit) {
    for (const ResourceTerm& term : terms) {
      const Amount allocatable = world.allocatable(node, term.resource);
      if (allocatable != 0) visit(used_share(term.held(world, node) + (with_pod ? term.request : 0), allocatable));
    }
  };
  std::size_t count = 0;
  double total = 0;
  double first = 0;
  double last = 0;
  for_each_share([&](double share) {
    if (count++ == 0) first = share;
    last = share;
    total += share;
  });
  double deviation = 0;
  if (count == 2) {
    deviation = std::abs((first - last) / 2);
  } else if (count > 2) {
    const double mean = total / static_cast<double>(count);
    double squares = 0;
    for_each_share([&](double share) { squares = squares + (share - mean) * (share - mean); });
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
