#include "sim/consolidation/small_world.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/random.h"

namespace berth::sim::consolidation {
namespace {

constexpr std::int64_t kHalfCore = 500;

SmallNode draw_node(Random& random) {
  const std::int64_t cards = std::int64_t{1} << random.between(1, 3);  // 2, 4 or 8
  // CPU is short now and then.
  return {random.between(cards, 3 * cards) * 2 * kHalfCore,
          std::vector<std::int32_t>(static_cast<std::size_t>(cards), engine::kMilliPerCard)};
}

SmallPod draw_pod(Random& random) {
  SmallPod pod{.cpu = random.between(1, 3) * kHalfCore, .cards = 1};
  if (random.chance(1, 3)) {
    pod.milli = static_cast<std::int32_t>(random.between(1, 4)) * 200;
  } else {
    pod.cards = std::int32_t{1} << random.between(0, 2);  // 1, 2 or 4
  }
  pod.movable = random.chance(9, 10);
  return pod;
}

}  // namespace

bool SmallWorld::fits(const SmallPod& pod, std::size_t node) const {
  const SmallNode& has = nodes[node];
  const auto sufficient = std::ranges::count_if(has.free, [&](std::int32_t free) { return free >= pod.milli; });
  return has.cpu >= pod.cpu && sufficient >= pod.cards;
}

void SmallWorld::put(SmallPod& pod, std::size_t node) {
  SmallNode& has = nodes[node];
  has.cpu -= pod.cpu;
  pod.node = node;
  pod.on.clear();
  for (std::int32_t i = 0; i < pod.cards; ++i) {
    std::optional<std::size_t> best;
    for (std::size_t card = 0; card < has.free.size(); ++card) {
      if (has.free[card] >= pod.milli && (!best || has.free[card] < has.free[*best])) best = card;
    }
    if (!best) return;
    has.free[*best] -= pod.milli;
    pod.on.push_back(*best);
  }
}

void SmallWorld::take(const SmallPod& pod) {
  nodes[pod.node].cpu += pod.cpu;
  for (const std::size_t card : pod.on) nodes[pod.node].free[card] += pod.milli;
}

std::int64_t SmallWorld::free_nodes() const {
  return std::ranges::count_if(nodes, [](const SmallNode& node) {
    return std::ranges::all_of(node.free, [](std::int32_t free) { return free == engine::kMilliPerCard; });
  });
}

SmallWorld draw_world(const WorldSize& size, std::uint64_t seed) {
  Random random(seed);
  SmallWorld world;
  for (std::int64_t i = random.between(size.least_nodes, size.most_nodes); i > 0; --i)
    world.nodes.push_back(draw_node(random));
  for (std::int64_t i = random.between(size.least_pods, size.most_pods); i > 0; --i) {
    SmallPod pod = draw_pod(random);
    const std::size_t node = random.below(world.nodes.size());
    if (!world.fits(pod, node)) continue;
    world.put(pod, node);
    world.pods.push_back(std::move(pod));
  }
  return world;
}

}  // namespace berth::sim::consolidation
