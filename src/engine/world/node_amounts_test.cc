#include "engine/world/node_amounts.h"

#include <map>
#include <utility>

#include <gtest/gtest.h>

#include "base/random.h"

namespace berth::engine {
namespace {

TEST(NodeAmounts, AreTheSameNumbersInColumnsAndInLists) {
  constexpr std::size_t kNodes = 20;
  constexpr std::size_t kResources = 3 * NodeAmounts::kMostDense;
  Random random(5);
  NodeAmounts amounts;
  std::map<std::pair<std::size_t, std::size_t>, Amount> expected;
  std::size_t nodes = 0;
  for (int i = 0; i < 20'000; ++i) {
    if (nodes < kNodes && random.chance(1, 100)) amounts.resize(++nodes);
    if (nodes == 0) continue;
    const auto node = static_cast<std::size_t>(random.below(nodes));
    const auto resource = static_cast<std::size_t>(random.below(1 + random.below(kResources)));
    if (random.chance(1, 500)) {
      amounts.clear(NodeId(node));
      for (auto& [key, amount] : expected)
        if (key.first == node) amount = 0;
    } else if (random.chance(1, 2)) {
      const auto change = static_cast<Amount>(random.below(7)) - 3;
      amounts.add(NodeId(node), ResourceId(resource), change);
      expected[{node, resource}] += change;
    } else {
      const auto amount = static_cast<Amount>(random.below(4));
      amounts.set(NodeId(node), ResourceId(resource), amount);
      expected[{node, resource}] = amount;
    }
  }
  ASSERT_EQ(nodes, kNodes);
  for (std::size_t node = 0; node < kNodes; ++node) {
    std::map<std::size_t, Amount> seen;
    std::size_t before = 0;
    amounts.for_each(NodeId(node), [&](ResourceId resource, Amount amount) {
      EXPECT_GE(resource.index(), before);
      before = resource.index();
      seen[resource.index()] = amount;
    });
    for (std::size_t resource = 0; resource < kResources; ++resource) {
      const Amount amount = expected[{node, resource}];
      ASSERT_EQ(amounts.at(NodeId(node), ResourceId(resource)), amount) << node << ' ' << resource;
      ASSERT_EQ(seen.contains(resource) ? seen[resource] : 0, amount) << node << ' ' << resource;
    }
  }
}

}  // namespace
}  // namespace berth::engine
